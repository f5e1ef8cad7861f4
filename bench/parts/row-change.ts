import type { Browser } from "playwright";
import type { Bench } from "@/bench/bench";
import { untilWhole, visit, type Visit } from "@/bench/browser";
import { median } from "@/bench/median";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const ROUNDS = 3;
const CHANGES = 40;
const MARK = "bench-change";
/** Main-thread steps from a changed text to pixels. */
const STEPS = new Set(["UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit"]);

/**
 * The browser's work to draw one row with one changed text: style, layout, paint and commit, from a trace, so that
 * waiting for the screen isn't included.
 */
export async function rowChange(bench: Bench): Promise<Row[]> {
  const [board, floor, browser] = [await bench.board(), await bench.floor(), await bench.browser()];
  const ours: Visit = { server: board, path: `/${companyOf(1000)}`, cookie: board.cookie };
  const elements = await visit(browser, ours, async (tab) => {
    await untilWhole(tab);
    return tab.evaluate(() => document.querySelectorAll("*").length);
  });
  const bare: Visit = { server: floor, path: `/contained?elements=${elements}` };
  const [floorMs, oursMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    floorMs.push(await changeMs(browser, bare, "main span:nth-child(3)"));
    oursMs.push(await changeMs(browser, ours, ".line-row .cell-age"));
  }
  return [
    {
      what: "one-row change to paint",
      against: "a contained row of fixed height, in a page of as many elements",
      floor: median(floorMs),
      ours: median(oursMs),
      unit: "ms",
      goal: { of: "ratio", most: 1.2 },
    },
  ];
}

/** @param cell selector of the changing text; the sixth match is used, away from the edges */
function changeMs(browser: Browser, page: Visit, cell: string): Promise<number> {
  return visit(browser, page, async (tab) => {
    if (page.cookie !== undefined) await untilWhole(tab);
    await tab.waitForTimeout(500);
    await browser.startTracing(tab, { categories: ["devtools.timeline", "blink.user_timing"] });
    await tab.evaluate(
      async ({ selector, times, mark }) => {
        const text = document.querySelectorAll(selector)[5]?.firstChild;
        if (!(text instanceof Text)) throw new Error(`no text at ${selector}`);
        const before = text.data;
        for (let time = 0; time < times; time += 1) {
          await new Promise(requestAnimationFrame);
          await new Promise((resolve) => {
            setTimeout(resolve);
          });
          performance.mark(mark);
          text.data = time % 2 === 0 ? "12 m" : "13 m";
        }
        text.data = before;
      },
      { selector: cell, times: CHANGES, mark: MARK },
    );
    await tab.waitForTimeout(100);
    const trace = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] };
    return median(framesOf(trace.traceEvents));
  });
}

/** `ts` and `dur` are microseconds. */
type TraceEvent = { name: string; ph: string; ts: number; dur?: number; pid: number; tid: number };

/** Milliseconds of work after each mark on its own thread, until the next mark. */
function framesOf(events: readonly TraceEvent[]): number[] {
  const marks = events.filter(({ name }) => name === MARK).toSorted((a, b) => a.ts - b.ts);
  return marks.slice(0, -1).map((mark, at) => {
    const endUs = marks[at + 1]?.ts ?? Number.POSITIVE_INFINITY;
    const steps = events.filter(
      ({ name, ph, ts, pid, tid }) =>
        STEPS.has(name) &&
        ph === "X" &&
        pid === mark.pid &&
        tid === mark.tid &&
        ts >= mark.ts &&
        ts < endUs,
    );
    return steps.reduce((sum, { dur = 0 }) => sum + dur, 0) / 1000;
  });
}
