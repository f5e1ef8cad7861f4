import type { SimulatedApi } from "./api";
import type { Control } from "./database";
import type { Fault } from "./faults";
import { errorLog, startInstance, type Instance } from "./instance";
import { createProcesses, type SimulatedProcess } from "./processes";
import type { Random } from "./random";
import type { Receivers } from "./receivers";
import type { Restores } from "./restores";
import type { Pace, SimulatedTime, Watch } from "./time";
import type { Turns } from "./turns";
import type { World } from "./world";

/** An instance that has started, as the invariants see it. */
export type LivingInstance = Instance & {
  name: string;
  /** Its wall clock, epoch milliseconds. */
  nowMs: () => number;
  /** When it was started, true time in epoch milliseconds. */
  startedMs: number;
  isHanging: () => boolean;
};

/** An instance that couldn't start. `atMs`: true time, epoch milliseconds. */
export type FailedStart = { name: string; atMs: number; why: string };

/** The instances of Plumbline that share the database: one, and for a while two. */
export type Instances = {
  living: () => readonly LivingInstance[];
  readonly failedStarts: readonly FailedStart[];
  /** What they logged as errors. */
  readonly errors: readonly string[];
  /** A fault of our own begins or ends; others are ignored. */
  turn(fault: Fault, begins: boolean): Promise<void>;
  /** Starts what is down and due to come up again. */
  restart(): void;
  /** Kills all of them, and gives back what they took. */
  end(): void;
};

type Running = {
  name: string;
  process: SimulatedProcess;
  watch: Watch;
  startedMs: number;
  isHanging: boolean;
  /** Hangs until another begins a term in its place. */
  isReplaced: boolean;
  instance: Instance | null;
};

/** How long a restore or an upgrade takes. */
const STOPPED_MS = 2 * 60_000;
/** After how long a statement without an answer is given up. */
const LOST_MS = 15_000;
/** After how long one that hangs continues, once another has begun a term in its place. */
const CONTINUES_MS = [0, 500, 5_000, 60_000] as const;
/** How long it then lives on. */
const REPLACED_MS = 60_000;
/** How long a process stays down after it died. */
const DOWN_MS = [1_000, 20_000, 3 * 60_000, 40 * 60_000] as const;

export function createInstances(given: {
  turns: Turns;
  time: SimulatedTime;
  control: Control;
  restores: Restores;
  random: Random;
  world: World;
  faults: readonly Fault[];
  pollSeconds: number;
  pace: Pace;
  connectionString: string;
  api: SimulatedApi;
  receivers: Receivers;
  note: (what: string) => void;
}): Instances {
  const { turns, time, control, restores, faults, note } = given;
  const processes = createProcesses(turns, control);
  const failedStarts: FailedStart[] = [];
  const errors: string[] = [];
  /** The clocks that faults changed. */
  const jumped = new Map<Fault, Watch>();
  let running: Running[] = [];
  let starts = 0;
  let restartAtMs = -Infinity;

  function start(): void {
    starts += 1;
    const name = `instance ${starts}`;
    const random = given.random.of(name);
    const watch = time.watch(given.pace);
    const process = processes.start(name, {
      killed() {
        watch.stop();
        note(`${name} is dead`);
        running = running.filter((other) => other !== one);
        restartAtMs = time.nowMs() + random.pick(DOWN_MS);
      },
      term() {
        for (const other of running.filter(({ isReplaced }) => isReplaced)) {
          other.isReplaced = false;
          void time.after(random.pick(CONTINUES_MS)).then(() => setHanging(other, false));
        }
      },
    });
    const one: Running = {
      name,
      process,
      watch,
      startedMs: time.nowMs(),
      isHanging: false,
      isReplaced: false,
      instance: null,
    };
    running.push(one);
    note(`${name} starts`);
    startInstance({
      ...given,
      process,
      watch,
      random,
      toApi: (request, by) => given.api.send(request, by),
      toReceivers: (request, by) => given.receivers.send(request, by),
      isDiskLow: () => isActive("disk_full"),
      log: errorLog((line) => void errors.push(`${name}: ${line}`)),
    }).then(
      (instance) => void (one.instance = instance),
      (error: unknown) => {
        note(`${name} can't start: ${String(error)}`);
        if (process.isAlive()) failedStarts.push({ name, atMs: time.nowMs(), why: String(error) });
        process.kill();
      },
    );
  }

  const isActive = (kind: Fault["kind"]) =>
    faults.some(
      (one) => one.kind === kind && one.fromMs <= time.nowMs() && time.nowMs() < one.untilMs,
    );

  /** For longer than the windows of rate limits. */
  function stopAll(): void {
    for (const { process } of running) process.kill();
    restartAtMs = time.nowMs() + STOPPED_MS;
  }

  function setHanging(one: Running, isHanging: boolean): void {
    if (one.isHanging === isHanging || !one.process.isAlive()) return;
    note(`${one.name} ${isHanging ? "hangs" : "continues"}`);
    one.isHanging = isHanging;
    one.process.setHanging(isHanging);
    control.setHanging(one.name, isHanging);
    if (isHanging) one.watch.stop();
    else one.watch.resume();
  }

  /** The oldest hangs before one of its writes, and continues once another leads, with what it had read before. */
  function replace({ amount, untilMs }: Fault): void {
    const [one, other] = running;
    if (one === undefined) return;
    if (other === undefined) start();
    one.process.beforeWrite(amount, () => {
      if (time.nowMs() >= untilMs) return;
      one.isReplaced = true;
      setHanging(one, true);
    });
  }

  /** Unless it is the only one. */
  function stopOldest(): void {
    if (running.length > 1) running[0]?.process.kill();
  }

  /** Those that a fault begins at: the oldest. Those that it ends at: all, since others may have come meanwhile. */
  const hit = (begins: boolean) => (begins ? running.slice(0, 1) : running);

  /** What faults do to instances and their database, by kind; others concern the API and the receivers. */
  const effects: Partial<
    Record<Fault["kind"], (fault: Fault, begins: boolean) => Promise<void> | void>
  > = {
    kill({ amount }, begins) {
      if (begins) running[0]?.process.killAt(amount, amount % 2 === 0);
    },
    hang_process(fault, begins) {
      if (!begins) {
        for (const one of running) setHanging(one, false);
        if (fault.amount > 0) void time.after(REPLACED_MS).then(stopOldest);
      } else if (fault.amount === 0) for (const one of hit(true)) setHanging(one, true);
      else replace(fault);
    },
    database_away(_fault, begins) {
      for (const { process } of hit(begins)) process.setDatabaseAway(begins);
    },
    clock_jump(fault, begins) {
      const { amount, share } = fault;
      if (begins) {
        const watch = running[0]?.watch;
        watch?.jump(amount);
        if (watch !== undefined) jumped.set(fault, watch);
        // Taken back at the end, or it stays: both happen.
      } else if (share < 1) jumped.get(fault)?.jump(-amount);
    },
    database_clock_jump({ amount }, begins) {
      control.skew(begins ? amount : -amount);
    },
    database_full(_fault, begins) {
      for (const { process } of hit(begins)) process.setDatabaseFull(begins);
    },
    database_read_only() {
      processes.setReadOnly(isActive("database_read_only"));
    },
    database_hangs(_fault, begins) {
      for (const { process } of hit(begins))
        process.setDatabaseHanging(begins ? () => time.after(LOST_MS) : null);
    },
    restore(_fault, begins) {
      if (begins) return restores.backUp();
      stopAll();
      return restores.restore();
    },
    upgrade(_fault, begins) {
      if (!begins) return;
      stopAll();
      return restores.upgrade();
    },
    second_instance(_fault, begins) {
      // As during an update: the next one starts, and at the end the older one stops.
      if (begins) start();
      else stopOldest();
    },
  };

  return {
    failedStarts,
    errors,
    living: () =>
      running.flatMap(({ instance, watch, name, startedMs, isHanging }) =>
        instance === null
          ? []
          : {
              ...instance,
              name,
              startedMs,
              nowMs: () => watch.nowMs(),
              isHanging: () => isHanging,
            },
      ),
    turn: async (fault, begins) => effects[fault.kind]?.(fault, begins),
    restart() {
      if (running.length === 0 && time.nowMs() >= restartAtMs) start();
    },
    end() {
      for (const { process } of running) process.kill();
      processes.restore();
    },
  };
}
