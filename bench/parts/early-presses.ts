import type { Browser } from "playwright";
import type { Bench } from "@/bench/bench";
import { SLOW_CPU, visit, type Visit } from "@/bench/browser";
import { median } from "@/bench/median";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const ENDPOINTS = 1000;
const TIMES = 5;
const MAX_MS = 100;
/** A bad line, at the edge of reception. */
const BAD_NETWORK = { latencyMs: 300, downBits: 480_000, upBits: 480_000 };
const NETWORKS = [
  { on: "a slow processor", network: undefined },
  { on: "a slow processor and network", network: BAD_NETWORK },
];
const OVERVIEW = `/${companyOf(ENDPOINTS)}`;

/** `press` and `effect` are selectors; what is found first with a name or text like `named` counts. */
type Press = { what: string; path: string; press: string; named: string; effect: string };

const PRESSES: readonly Press[] = [
  {
    what: "filter of the overview",
    path: OVERVIEW,
    press: "button[aria-pressed=false]",
    named: "stale",
    effect: "button[aria-pressed=true]",
  },
  {
    what: "partner of the overview",
    path: `${OVERVIEW}?group=partner`,
    press: "[role=grid] button[aria-expanded=true]",
    named: "",
    effect: "[role=grid] button[aria-expanded=false]",
  },
  {
    what: "partner of the report",
    path: `${OVERVIEW}/report`,
    press: "[role=table] button[aria-expanded=false]",
    named: "",
    effect: "[role=table] button[aria-expanded=true]",
  },
  {
    what: "filter of today",
    path: "/",
    press: "[role=radio][aria-checked=false]",
    named: "^Mine",
    effect: "[role=radio][aria-checked=true]",
  },
  {
    what: "inbox",
    path: OVERVIEW,
    press: "button[aria-haspopup]",
    named: "^Inbox",
    effect: "[role=dialog]",
  },
];

/**
 * From hydration to the effect of a press before it, by a processor four times slower than this one, also on a bad
 * network.
 */
export async function earlyPresses(bench: Bench): Promise<Row[]> {
  const [board, browser] = [await bench.board(), await bench.browser()];
  const rows: Row[] = [];
  for (const press of PRESSES) {
    for (const { on, network } of NETWORKS) {
      const { path } = press;
      const at = { server: board, path, cookie: board.cookie, cpu: SLOW_CPU, network };
      const times = await timesOf(browser, at, press);
      process.stderr.write(`${press.what}, ${on}: ${times.map(Math.round).join(", ")} ms\n`);
      rows.push({
        what: `${press.what}, pressed before hydration, on ${on}: from hydration to its effect`,
        against: "",
        floor: null,
        ours: median(times),
        unit: "ms",
        // On a bad network the code of a popup may come later.
        goal: network === undefined ? { of: "value", most: MAX_MS } : null,
      });
    }
  }
  return rows;
}

async function timesOf(browser: Browser, at: Visit, press: Press): Promise<number[]> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const { hydratedMs = NaN, effectMs = NaN } = await visit(
      browser,
      at,
      async (page) => {
        await page.waitForFunction(() => (globalThis as Watched).benchPress?.effectMs);
        return page.evaluate(() => (globalThis as Watched).benchPress ?? {});
      },
      `(${watch.toString()})(${JSON.stringify(press)})`,
    );
    times.push(effectMs - hydratedMs);
  }
  return times;
}

type Watched = { benchPress?: { hydratedMs?: number; effectMs?: number } };

/** Runs in a page: presses as soon as there is something to press, and keeps when it was hydrated and had its effect. */
function watch({ press, named, effect }: Press): void {
  const seen: NonNullable<Watched["benchPress"]> = {};
  (globalThis as Watched).benchPress = seen;
  const name = new RegExp(named);
  const find = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].find((one) =>
      name.test(one.getAttribute("aria-label") ?? one.textContent),
    );
  let hasPressed = false;
  const look = () => {
    if (!hasPressed) {
      const pressed = find(press);
      // Presses are recorded from here on.
      if (pressed === undefined || !("takeEarlyPresses" in globalThis)) return;
      hasPressed = true;
      pressed.click();
      return;
    }
    if (document.querySelector("[data-early]") !== null) return;
    seen.hydratedMs ??= performance.now();
    if (find(effect) !== undefined) seen.effectMs ??= performance.now();
  };
  const all = { subtree: true, childList: true, attributes: true };
  new MutationObserver(look).observe(document, all);
}
