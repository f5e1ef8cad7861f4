import type { CDPSession, Page } from "playwright";
import type { Bench } from "@/bench/bench";
import { SLOW_CPU, untilWhole, visit } from "@/bench/browser";
import { quantile } from "@/bench/median";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const ENDPOINTS = 1000;
const TIMES = 12;
/** Until the page is quiet again. */
const PAUSE_MS = 700;
const MAX_MS = 100;
/** For what redraws most of a page. */
const MAX_REDRAW_MS = 200;
/** Events shorter than this aren't reported by the browser: they count as this long. */
const SHORTEST_MS = 16;

type Interaction = {
  what: string;
  /** Below the company's; default: its overview. */
  path?: string;
  /** Default: `MAX_MS`. */
  mostMs?: number;
  act: (page: Page, n: number) => Promise<void>;
};

const INTERACTIONS: readonly Interaction[] = [
  {
    what: "filter by a verdict",
    act: (page, n) =>
      page.getByRole("button", { name: n % 2 === 0 ? /^\d+ stale$/ : /^\d+ feeds$/ }).click(),
  },
  {
    what: "explain a verdict",
    async act(page) {
      await page
        .getByRole("button", { name: /^stale/i })
        .first()
        .click();
      await page.waitForTimeout(PAUSE_MS);
      await page.evaluate(keep);
      await page.keyboard.press("Escape");
      await page.waitForTimeout(PAUSE_MS);
      await page.evaluate(forget);
    },
  },
  { what: "sort by next sync, and back", act: (page) => page.keyboard.press("n") },
  {
    what: "group by partner, and back to flat",
    mostMs: MAX_REDRAW_MS,
    async act(page, n) {
      // The menu stays open.
      if (n === 0) {
        await page.getByRole("button", { name: "View", exact: true }).click();
        await page.waitForTimeout(PAUSE_MS);
        await page.evaluate(forget);
      }
      await page
        .getByRole("menuitemradio", { name: n % 2 === 0 ? "Flat" : "By partner", exact: true })
        .click();
    },
  },
  {
    what: "unfold the last partner, and fold it",
    async act(page, n) {
      if (n === 0) {
        await page.keyboard.press("j");
        await page.keyboard.press("End");
        await page.waitForTimeout(PAUSE_MS);
        await page.evaluate(forget);
      }
      await page.keyboard.press("Enter");
    },
  },
  {
    what: "acknowledge",
    async act(page) {
      await page.keyboard.press("j");
      await page.waitForTimeout(PAUSE_MS);
      await page.evaluate(forget);
      await page.keyboard.press("a");
    },
  },
  {
    what: "open an endpoint",
    async act(page) {
      await page.locator("[data-line^='row:'] .cell-name").nth(3).click();
      await page.waitForTimeout(PAUSE_MS);
      await page.evaluate(keep);
      await page.goBack();
      await page.waitForTimeout(PAUSE_MS);
      await page.evaluate(forget);
    },
  },
  {
    what: "unfold a partner of the report, and fold it",
    path: "/report",
    mostMs: MAX_REDRAW_MS,
    act: (page) => page.getByRole("table").getByRole("button").first().click(),
  },
];

/** From interactions to the next paint, at 1,000 endpoints, by a processor four times slower than this one. */
export async function interactions(bench: Bench): Promise<Row[]> {
  const [board, browser] = [await bench.board(), await bench.browser()];
  const rows: Row[] = [];
  for (const interaction of INTERACTIONS) {
    const path = `/${companyOf(ENDPOINTS)}${interaction.path ?? ""}`;
    const at = { server: board, path, cookie: board.cookie };
    const times = await visit(
      browser,
      at,
      (page, devtools) => timesOf(page, devtools, interaction),
      `(${watch.toString()})()`,
    );
    process.stderr.write(`${interaction.what}: ${times.join(", ")} ms\n`);
    rows.push({
      what: `${interaction.what} at 1,000 endpoints, on a slow processor: to the next paint, 75 in 100`,
      against: "",
      floor: null,
      ours: quantile(times, 0.75),
      unit: "ms",
      goal: { of: "value", most: interaction.mostMs ?? MAX_MS },
    });
  }
  return rows;
}

async function timesOf(page: Page, devtools: CDPSession, { act }: Interaction): Promise<number[]> {
  await untilWhole(page);
  await page.waitForTimeout(3 * PAUSE_MS);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_CPU });
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    await page.evaluate(forget);
    await act(page, n);
    await page.waitForTimeout(PAUSE_MS);
    times.push(Math.max(SHORTEST_MS, await page.evaluate(longest)));
  }
  return times;
}

type Watched = { benchMs?: number; benchKeptMs?: number };

/** Runs in a page: keeps the longest interaction. */
function watch(): void {
  const kept = globalThis as Watched;
  const note = (list: PerformanceObserverEntryList) => {
    for (const entry of list.getEntries())
      if ((entry as PerformanceEventTiming & { interactionId?: number }).interactionId)
        kept.benchMs = Math.max(kept.benchMs ?? 0, entry.duration);
  };
  new PerformanceObserver(note).observe({
    type: "event",
    durationThreshold: 16,
    buffered: false,
  } as PerformanceObserverInit);
}

function forget(): void {
  (globalThis as Watched).benchMs = 0;
}

function keep(): void {
  const kept = globalThis as Watched;
  kept.benchKeptMs = kept.benchMs ?? 0;
}

function longest(): number {
  const { benchMs = 0, benchKeptMs = 0 } = globalThis as Watched;
  (globalThis as Watched).benchKeptMs = 0;
  return Math.max(benchMs, benchKeptMs);
}
