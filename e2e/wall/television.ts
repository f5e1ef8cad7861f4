import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";

/** A television whose time passes as fast as its pages keep up: its clocks and timers are the test's. */
export type Television = {
  page: Page;
  /** Lets time pass, at least a second, all at once; the pages do what was due, and get their answers. */
  pass(ms: number): Promise<Seen>;
  /** The machine sleeps (its monotonic clock stands), and is awake for a second. */
  sleep(ms: number): Promise<Seen>;
  /** Somebody, or a dead battery, sets its clock by this much, and a second passes. */
  setClock(ms: number): Promise<Seen>;
  /** How long an answer is waited for, real ms; little while none will come. */
  setPatience(ms: number): void;
  /** After full collections of garbage. */
  heapBytes(): Promise<number>;
};

/** What somebody in front of it sees, and what is behind it. */
export type Seen = {
  /** What a good clock says, epoch ms. */
  trueMs: number;
  path: string;
  /** The trust of the picture; null: there is no picture, but perhaps words. */
  state: string | null;
  words: string;
  isBeating: boolean;
  /** Frames in the top document: at most one shown and one coming. */
  frames: number;
  /** Elements of all documents. */
  elements: number;
  timers: number;
};

const PATIENCE_MS = 2000;
const SCRIPT = readFileSync(join(import.meta.dirname, "compress-time.mjs"), "utf8");

/** @param startMs what the television's clock says at first, epoch ms */
export async function startTelevision(
  context: BrowserContext,
  startMs: number,
): Promise<Television> {
  await context.addInitScript({ content: SCRIPT.replaceAll("%START%", String(startMs)) });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  let patienceMs = PATIENCE_MS;

  const go = async (passed: {
    monotonicMs: number;
    wallMs: number;
    trueMs: number;
  }): Promise<Seen> => {
    const call = `window.testTime.pass(${JSON.stringify(passed)}, ${patienceMs})`;
    // A page that is just being left does not answer: the next one goes on with the time.
    for (let left = 10; ; left--) {
      try {
        return await page.evaluate<Seen>(`${call}.then(() => window.testTime.see())`);
      } catch (error) {
        if (left === 0) throw error;
        await page.waitForTimeout(200);
      }
    }
  };
  return {
    page,
    pass: (ms) => go({ monotonicMs: ms - 1000, wallMs: ms - 1000, trueMs: ms - 1000 }),
    sleep: (ms) => go({ monotonicMs: 0, wallMs: ms, trueMs: ms }),
    setClock: (ms) => go({ monotonicMs: 0, wallMs: ms, trueMs: 0 }),
    setPatience: (ms) => {
      patienceMs = ms;
    },
    async heapBytes() {
      for (let round = 0; round < 3; round++) await cdp.send("HeapProfiler.collectGarbage");
      const { metrics } = await cdp.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
    },
  };
}
