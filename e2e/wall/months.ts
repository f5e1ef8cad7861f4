import type { Browser, BrowserContext } from "@playwright/test";
import { startProxiedApp, type ProxiedApp, type ProxyState } from "./proxied-app";
import { pairScreen, reloadScreen, revokeScreen } from "./pairing";
import { startTelevision, type Seen, type Television } from "./television";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

/** A wall's history: whether it ever showed false data, failed to recover, or leaked. */
export type Life = {
  days: number;
  steps: number;
  /** How often each kind of trouble occurred. */
  troubles: Record<string, number>;
  /** Violations: what was seen, and when. Empty on success. */
  faults: string[];
  /** Used heap, bytes, at most hourly. */
  heap: { hour: number; bytes: number }[];
  /** Least-squares slope of `heap` after the first hours, bytes per hour. */
  heapSlopeBytesPerHour: number;
};

const STEP_MS = 30_000;
/**
 * The guarantee: nothing older than 2.5 polls is shown as live, nothing older than 5 as less than
 * blind.
 */
const LIVE_MS = 150_000;
const DELAYED_MS = 300_000;
/** A header has whole seconds, and a picture is rendered once a second. */
const SLACK_MS = 3_000;
/** Maximum recovery time of a wall after trouble: a retry after a minute, and a read. */
const RECOVERY_MS = 180_000;
/** After a deployment whose pages failed for a while, the next attempt may be half an hour away. */
const UP_TO_DATE_MS = 35 * MINUTE_MS;
const REPORT_MS = 4 * MINUTE_MS;
const MAX_TIMERS = 40;
const MAX_ELEMENTS = 4_000;
const MAX_FAULTS = 20;
/** The first loads and compilations aren't leaks. */
const WARM_HOURS = 3;

type World = {
  proxied: ProxiedApp;
  television: Television;
  context: BrowserContext;
  browser: Browser;
  displayId: string | null;
};

/**
 * Runs one television through days of every kind of trouble, step by step, and checks it at each
 * step. Needs a built app.
 * @param seed makes a run reproducible
 * @param tell called with its heap now and then, and with each violation
 */
export async function liveThrough(
  browser: Browser,
  { days, seed, tell }: { days: number; seed: number; tell: (line: string) => void },
): Promise<Life> {
  const startMs = Date.now();
  const proxied = await startProxiedApp(startMs);
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const television = await startTelevision(context, startMs);
  const world: World = { proxied, television, context, browser, displayId: null };
  const random = seeded(seed);
  const life: Life = {
    days,
    steps: 0,
    troubles: {},
    faults: [],
    heap: [],
    heapSlopeBytesPerHour: 0,
  };
  /** Since when there has been no trouble, epoch milliseconds. */
  let wellSinceMs = startMs;
  let hourOfHeap = 0;
  let left: (typeof TROUBLES)[number][] = [];

  const nowMs = () => proxied.time.nowMs;
  const note = (doing: string, wrong: string, seen?: Seen) => {
    if (life.faults.length < MAX_FAULTS) {
      const at = ((nowMs() - startMs) / HOUR_MS).toFixed(2);
      const what = JSON.stringify({ seen, reported: proxied.report() });
      const fault = `hour ${at}, ${doing}: ${wrong}\n${what}\n${proxied.lastRequests().join("\n")}`;
      life.faults.push(fault);
      tell(fault);
    }
  };
  const look = (seen: Seen, doing: string) => {
    proxied.time.nowMs = Math.max(nowMs(), seen.trueMs);
    life.steps += 1;
    const wrong = whatIsWrong(seen, proxied, doing === "well" ? nowMs() - wellSinceMs : 0);
    if (wrong !== null) note(doing, wrong, seen);
  };
  const step = async (doing: string) => {
    proxied.time.nowMs += STEP_MS;
    look(await television.pass(STEP_MS), doing);
  };
  const spend = async (ms: number, doing: string) => {
    for (const untilMs = nowMs() + ms; nowMs() < untilMs;) await step(doing);
  };

  try {
    await pair(world);
    await television.page.goto(`${proxied.address}/wall`);
    while (nowMs() - startMs < days * DAY_MS && life.faults.length < MAX_FAULTS) {
      wellSinceMs = nowMs();
      await spend((4 + random() * 90) * MINUTE_MS, "well");
      const hour = (nowMs() - startMs) / HOUR_MS;
      if (hour - hourOfHeap >= Math.max(1, days / 5)) {
        hourOfHeap = hour;
        life.heap.push({ hour, bytes: await television.heapBytes() });
        tell(lineOf(life, hour));
      }
      // Every kind occurs before any is repeated.
      if (left.length === 0) left = [...TROUBLES];
      const [name, trouble] = left.splice(Math.floor(random() * left.length), 1)[0] ?? TROUBLES[0];
      life.troubles[name] = (life.troubles[name] ?? 0) + 1;
      await trouble(world, {
        spend: (ms) => spend(ms, name),
        note: (wrong) => note(name, wrong),
        look: (seen) => look(seen, name),
        random,
      });
      proxied.setProxy("well");
      proxied.setReading(true);
      proxied.setRows(60, false);
      television.setPatience(2000);
    }
    life.heapSlopeBytesPerHour = slope(life.heap.filter(({ hour }) => hour >= WARM_HOURS));
    return life;
  } finally {
    await context.close();
    await proxied.end();
  }
}

/** @param wellMs how long there has been no trouble; 0 during trouble */
function whatIsWrong(seen: Seen, proxied: ProxiedApp, wellMs: number): string | null {
  const ageMs = proxied.time.nowMs - proxied.newestGivenMs();
  if (seen.state === "live" && ageMs > LIVE_MS + SLACK_MS) return `${ageMs} ms old, and live`;
  if (seen.state === "delayed" && ageMs > DELAYED_MS + SLACK_MS) return `${ageMs} ms, not blind`;
  if (/gateway|broken|who are you/i.test(seen.words)) return "a page of another server";
  if (seen.path !== "/wall" && !seen.path.startsWith("/pair")) return "elsewhere";
  if (seen.frames > 2) return "more than two frames";
  if (seen.timers > MAX_TIMERS) return "too many timers";
  if (seen.elements > MAX_ELEMENTS) return "too many elements";
  if (wellMs > RECOVERY_MS && (seen.state !== "live" || !seen.isBeating || seen.path !== "/wall"))
    return "all is well, and it does not show";
  const report = proxied.report();
  if (wellMs > UP_TO_DATE_MS && !proxied.isUpToDate()) return `still the build ${report?.build}`;
  const paintedMs = report?.painted_at_ms ?? 0;
  if (wellMs > RECOVERY_MS + REPORT_MS && proxied.time.nowMs - paintedMs > REPORT_MS)
    return "nothing new painted, it says";
  return null;
}

type Controls = {
  /** Records a violation that only this trouble can detect. */
  note: (wrong: string) => void;
  spend: (ms: number) => Promise<void>;
  look: (seen: Seen) => void;
  random: () => number;
};
type Trouble = (world: World, controls: Controls) => Promise<void>;

/** Mostly short, sometimes hours. */
const aWhile = (random: () => number): number =>
  (random() < 0.1 ? 1 + random() * 7 : random() * 0.4) * HOUR_MS + MINUTE_MS;

const inMood =
  (state: ProxyState): Trouble =>
  async ({ proxied, television }, { spend, random }) => {
    proxied.setProxy(state);
    if (state === "hanging") television.setPatience(20);
    await spend(aWhile(random));
  };

const TROUBLES: readonly [readonly [string, Trouble], ...(readonly [string, Trouble])[]] = [
  ["network cut", inMood("cut")],
  ["server hangs", inMood("hanging")],
  ["bad gateway", inMood("bad-gateway")],
  ["a proxy's 401", inMood("proxy-401")],
  [
    "one odd denial",
    async ({ proxied }, { spend }) => {
      proxied.setProxy("one-denial");
      await spend(4 * MINUTE_MS);
    },
  ],
  [
    "deploy",
    async ({ proxied }, { spend }) => {
      proxied.setProxy("cut");
      await spend(MINUTE_MS);
      proxied.deploy();
      proxied.setProxy("well");
      await spend(4 * MINUTE_MS);
    },
  ],
  [
    "deploy of broken pages",
    async ({ proxied, television }, { spend }) => {
      proxied.deploy();
      proxied.setProxy("broken-pages");
      television.setPatience(100);
      await spend(25 * MINUTE_MS);
    },
  ],
  [
    "reload requested",
    async (world, { spend, note }) => {
      const requestedMs = world.proxied.time.nowMs;
      await reloadScreen(world, world.displayId ?? "");
      await spend(5 * MINUTE_MS);
      const loadedMs = world.proxied.report()?.loaded_at_ms ?? 0;
      if (loadedMs < requestedMs) note("a requested reload didn't happen");
    },
  ],
  [
    "collector stands",
    async ({ proxied }, { spend, random }) => {
      proxied.setReading(false);
      await spend(aWhile(random));
    },
  ],
  [
    "verdict storm",
    async ({ proxied }, { spend, random }) => {
      proxied.setRows(40 + Math.floor(random() * 500), true);
      await spend(30 * MINUTE_MS);
    },
  ],
  [
    "sleep",
    async ({ proxied, television }, { look, random }) => {
      const ms = random() * 10 * HOUR_MS;
      proxied.time.nowMs += ms + 1000;
      look(await television.sleep(ms));
    },
  ],
  [
    "clock set",
    async ({ proxied, television }, { look, spend, random }) => {
      proxied.time.nowMs += 1000;
      look(await television.setClock((random() - 0.5) * 4 * DAY_MS));
      await spend(2 * MINUTE_MS);
    },
  ],
  [
    "revoked",
    async (world, { spend }) => {
      await revokeScreen(world, world.displayId ?? "");
      await spend(3 * MINUTE_MS);
      await pair(world);
    },
  ],
  [
    "unpaired",
    async (world, { spend }) => {
      await world.context.clearCookies();
      await spend(5 * MINUTE_MS);
      await pair(world);
    },
  ],
];

/** Gives the same television a new credential, whatever page it shows. */
async function pair(world: World): Promise<void> {
  const isWaiting = new URL(world.television.page.url()).pathname.startsWith("/pair");
  world.displayId = await pairScreen(world, { replaces: world.displayId, isWaiting });
}

function lineOf({ heap, steps, faults }: Life, hour: number): string {
  const megabytes = ((heap.at(-1)?.bytes ?? 0) / 2 ** 20).toFixed(1);
  return `hour ${hour.toFixed(0)}: ${steps} steps, heap ${megabytes} MB, ${faults.length} faults`;
}

/** Least squares; 0 for fewer than two points. */
function slope(points: readonly { hour: number; bytes: number }[]): number {
  const mean = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const meanHour = mean(({ hour }) => hour);
  const meanBytes = mean(({ bytes }) => bytes);
  const spread = points.reduce((sum, { hour }) => sum + (hour - meanHour) ** 2, 0);
  if (!(spread > 0)) return 0;
  const together = points.reduce(
    (sum, { hour, bytes }) => sum + (hour - meanHour) * (bytes - meanBytes),
    0,
  );
  return together / spread;
}

/** Mulberry32: 0 to 1, reproducible by seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
