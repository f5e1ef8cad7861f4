import { createServerClock, type BrowserTime } from "@/lib/client/clock";
import { wallPageFixture, wallViewFixture } from "@/lib/client/wall/fixture";
import { startWallLoop, type WallLoop, type WallNow } from "@/lib/client/wall/loop";
import { storedNowMs } from "@/lib/client/wall/page";
import type { WallFirst } from "@/lib/client/wall/state";
import { calmMs } from "./faults";
import type { LivingInstance } from "./instances";
import type { Plan } from "./plan";
import type { Random } from "./random";
import type { Pace, SimulatedTime, Watch } from "./time";
import type { World } from "./world";

/** A wall, as the invariants see it. */
export type SimulatedWall = {
  name: string;
  /** What its screen shows; null: it is dark. */
  now: () => WallNow | null;
};

export type Walls = {
  all: readonly SimulatedWall[];
  /** Called each simulated minute: turns on what is off, and draws what happens to the walls. */
  act(): void;
  /** Stops all loops. */
  end(): void;
};

type Wall = {
  name: string;
  random: Random;
  device: Watch;
  loop: WallLoop | null;
  /** What its browser keeps for a start without network. */
  stored: WallFirst | null;
  /** True time, epoch milliseconds; null: it is awake. */
  asleepSinceMs: number | null;
  /** How long it slept before, milliseconds, during which its monotonic clock stood still. */
  sleptMs: number;
  isCutOff: boolean;
};

const WALLS = 3;
/** Timers of a hidden tab may be this late; a second's precision would take most of a run's time. */
const TIMER_MS = 20_000;
const LATENCY_MS = { least: 20, most: 400 };
const MINUTES_A_DAY = 24 * 60;
/** How often each happens to a wall in a day. */
const PER_DAY = { sleep: 2, cut: 3, jump: 1, restart: 2 };
/** How often a minute ends a sleep or a cut. */
const ENDS = 1 / 20;
const JUMPS_MS = [-86_400_000, -3_600_000, -240_000, 240_000, 3_600_000, 86_400_000] as const;

/** Three walls that show all companies, each with a clock, a network and a browser's storage of its own. */
export function createWalls(given: {
  time: SimulatedTime;
  random: Random;
  world: World;
  plan: Plan;
  instances: () => readonly LivingInstance[];
  note: (what: string) => void;
}): Walls {
  const { time, world, plan, instances, note } = given;
  const calmFromMs = world.startMs + plan.days * MINUTES_A_DAY * 60_000 - calmMs(plan);
  const walls = Array.from({ length: WALLS }, (_, at): Wall => {
    const name = `wall ${at + 1}`;
    return {
      name,
      random: given.random.of(name),
      device: time.watch(timerPace),
      loop: null,
      stored: null,
      asleepSinceMs: null,
      sleptMs: 0,
      isCutOff: false,
    };
  });
  const listOf = () =>
    wallViewFixture({ companies: world.companies.map(({ slug, name }) => ({ slug, name })) });

  /** The instance that gets a wall's request, by chance, like behind a load balancer; null: none. */
  function reachedBy({ isCutOff, random }: Wall): LivingInstance | null {
    const [first, ...others] = isCutOff ? [] : instances();
    return first === undefined ? null : random.pick([first, ...others]);
  }

  function answerOf(instance: LivingInstance, path: string): Response {
    const headers = { date: new Date(instance.nowMs()).toUTCString() };
    // Writing and reading JSON would take a tenth of a run's time.
    const jsonOf = (value: unknown) =>
      Object.assign(new Response(null, { headers }), { json: () => Promise.resolve(value) });
    const [, slug] = /^\/api\/wall\/companies\/([^/]+)\/sync-status$/.exec(path) ?? [];
    if (slug !== undefined) return jsonOf(instance.view(slug));
    if (path === "/api/wall") return jsonOf(listOf());
    if (path === "/api/wall/report") return new Response(null, { status: 204, headers });
    return jsonOf({ quiet: [], open: [] });
  }

  async function fetchFor(wall: Wall, path: string): Promise<Response> {
    const instance = reachedBy(wall);
    await time.after(wall.random.whole(LATENCY_MS.least, LATENCY_MS.most));
    const isThere = instances().some(({ name }) => name === instance?.name);
    if (instance === null || !isThere || wall.isCutOff) throw new TypeError("no server answered");
    if (instance.isHanging()) return new Promise(() => {});
    return answerOf(instance, path);
  }

  /** A newer page takes the place of the one that is shown only once a server has answered it. */
  function reload(wall: Wall): void {
    const instance = reachedBy(wall);
    if (instance !== null && !instance.isHanging()) open(wall, instance);
  }

  /** Opens the page: the server's, else the stored one, else none. */
  function open(wall: Wall, instance = reachedBy(wall)): void {
    const isServed = instance !== null && !instance.isHanging();
    const first = isServed ? pageOf(instance) : wall.stored;
    wall.loop?.stop();
    wall.loop = null;
    if (first === null) return;
    const browser = browserOf(wall, time);
    const startMs = isServed ? first.atMs : storedNowMs(first, browser.wallMs());
    wall.loop = startWallLoop(
      first,
      wallPageFixture({ bornMs: first.atMs, share: wall.random.next() }),
      !isServed,
      {
        clock: createServerClock(startMs, browser),
        time: browser,
        fetch: (path) => fetchFor(wall, path),
        random: wall.random.next,
        reload: () => reload(wall),
        leave: () => {},
        keep: (stored) => void (wall.stored = stored),
      },
    );
  }

  const pageOf = (instance: LivingInstance): WallFirst => ({
    access: { state: "open" },
    wall: listOf(),
    companies: world.companies.map(({ slug, name }) => ({ slug, name, view: instance.view(slug) })),
    only: null,
    atMs: instance.nowMs(),
  });

  function toggleSleep(wall: Wall): void {
    const { device, asleepSinceMs } = wall;
    note(`${wall.name} ${asleepSinceMs === null ? "falls asleep" : "wakes up"}`);
    if (asleepSinceMs === null) {
      wall.asleepSinceMs = time.nowMs();
      device.stop();
    } else {
      wall.sleptMs += time.nowMs() - asleepSinceMs;
      wall.asleepSinceMs = null;
      device.resume();
    }
  }

  function toggleNetwork(wall: Wall): void {
    wall.isCutOff = !wall.isCutOff;
    note(`${wall.name} ${wall.isCutOff ? "loses" : "gets back"} its network`);
  }

  function actOn(wall: Wall): void {
    const { random, device } = wall;
    const isCalm = time.nowMs() >= calmFromMs;
    const happens = (perDay: number) =>
      random.chance(perDay / MINUTES_A_DAY) && !isCalm && plan.kinds.length > 0;
    const ends = random.chance(ENDS) || isCalm;
    if (wall.asleepSinceMs === null ? happens(PER_DAY.sleep) : ends) toggleSleep(wall);
    if (wall.isCutOff ? ends : happens(PER_DAY.cut)) toggleNetwork(wall);
    if (happens(PER_DAY.jump)) {
      const ms = random.pick(JUMPS_MS);
      note(`the clock of ${wall.name} jumps by ${ms / 1_000} s`);
      device.jump(ms);
    }
    if (wall.asleepSinceMs !== null) return;
    if (happens(PER_DAY.restart)) {
      note(`${wall.name} is turned off and on`);
      open(wall);
    } else if (wall.loop === null) open(wall);
  }

  return {
    all: walls.map((wall) => ({
      name: wall.name,
      now: () => (wall.asleepSinceMs === null ? (wall.loop?.now() ?? null) : null),
    })),
    act() {
      for (const wall of walls) actOn(wall);
    },
    end() {
      for (const { loop } of walls) loop?.stop();
    },
  };
}

const timerPace: Pace = (ms) => Math.ceil(ms / TIMER_MS) * TIMER_MS;

/** The browser's clocks and timer. */
function browserOf(wall: Wall, time: SimulatedTime): BrowserTime {
  const { device } = wall;
  return {
    wallMs: () => device.nowMs(),
    monotonicMs: () =>
      device.monotonicMs() - wall.sleptMs - (time.nowMs() - (wall.asleepSinceMs ?? time.nowMs())),
    setTimer(run, ms) {
      let isStopped = false;
      // Ending the wait would cost more than waiting.
      const wait = async () => {
        await device.sleep(ms);
        if (!isStopped) run();
      };
      void wait();
      return () => void (isStopped = true);
    },
  };
}
