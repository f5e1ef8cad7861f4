import type { Bench } from "@/bench/bench";
import { SLOW_CPU, visit } from "@/bench/browser";
import { median } from "@/bench/median";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const ENDPOINTS = 1000;
const TIMES = 5;
const MAX_MS = 100;
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

/** From hydration to the effect of a press before it, by a processor four times slower than this one. */
export async function earlyPresses(bench: Bench): Promise<Row[]> {
  const [board, browser] = [await bench.board(), await bench.browser()];
  const rows: Row[] = [];
  for (const press of PRESSES) {
    const at = { server: board, path: press.path, cookie: board.cookie, cpu: SLOW_CPU };
    const times: number[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      const { hydratedMs, effectMs } = await visit(
        browser,
        at,
        async (page) => {
          await page.waitForFunction(() => (globalThis as Watched).benchPress?.effectMs);
          return page.evaluate(() => (globalThis as Watched).benchPress ?? {});
        },
        `(${watch.toString()})(${JSON.stringify(press)})`,
      );
      times.push((effectMs ?? NaN) - (hydratedMs ?? NaN));
    }
    process.stderr.write(`${press.what}: ${times.map(Math.round).join(", ")} ms\n`);
    rows.push({
      what: `${press.what}, pressed before hydration, on a slow processor: from hydration to its effect`,
      against: "",
      floor: null,
      ours: median(times),
      unit: "ms",
      goal: { of: "value", most: MAX_MS },
    });
  }
  return rows;
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
