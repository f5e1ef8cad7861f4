import type { BrowserTime } from "./clock";

/** For tests: a browser's two clocks and its timers, which only move on command. */
export function browserTimeFixture() {
  let wallMs = 1_000_000;
  let monotonicMs = 0;
  let timers: { run: () => void; atMs: number }[] = [];
  const time: BrowserTime = {
    wallMs: () => wallMs,
    monotonicMs: () => monotonicMs,
    setTimer: (run, ms) => {
      const timer = { run, atMs: monotonicMs + ms };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  };
  const fireDue = () => {
    for (const timer of timers.filter(({ atMs }) => atMs <= monotonicMs)) {
      timers = timers.filter((other) => other !== timer);
      timer.run();
    }
  };
  return {
    time,
    timerCount: () => timers.length,
    /** Jumps ahead; a timer due meanwhile runs once, as in a frozen tab. */
    pass(ms: number) {
      wallMs += ms;
      monotonicMs += ms;
      fireDue();
    },
    /** Moves ahead; each timer runs at its time, and responses arrive in between. */
    async run(ms: number) {
      const endMs = monotonicMs + ms;
      for (;;) {
        const nextMs = Math.min(endMs, ...timers.map(({ atMs }) => atMs));
        const stepMs = Math.max(0, nextMs - monotonicMs);
        wallMs += stepMs;
        monotonicMs += stepMs;
        fireDue();
        await new Promise(setImmediate);
        if (monotonicMs >= endMs && !timers.some(({ atMs }) => atMs <= endMs)) return;
      }
    },
    /** The machine sleeps: its monotonic clock stands still. */
    sleep(ms: number) {
      wallMs += ms;
    },
    setWallBack(ms: number) {
      wallMs -= ms;
    },
  };
}
