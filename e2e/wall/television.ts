import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";

/**
 * A television whose time advances as fast as its pages keep up: its clocks and timers are the
 * test's.
 */
export type Television = {
  page: Page;
  /** Advances time by at least a second, at once; pages run due timers, and get their responses. */
  pass(ms: number): Promise<Seen>;
  /** The machine sleeps (its monotonic clock stops), and is awake for a second. */
  sleep(ms: number): Promise<Seen>;
  /** Changes its clock by this much, as a person or a dead battery would, and advances a second. */
  setClock(ms: number): Promise<Seen>;
  /** Maximum wait for a response, real milliseconds; short while none will arrive. */
  setPatience(ms: number): void;
  /** After full garbage collection. */
  heapBytes(): Promise<number>;
};

/** What a viewer sees, and the state behind it. */
export type Seen = {
  /** The correct time, epoch milliseconds. */
  trueMs: number;
  path: string;
  /** Confidence of the picture; null: no picture, but possibly a text. */
  state: string | null;
  words: string;
  isBeating: boolean;
  /** Frames in the top document: at most one shown and one loading. */
  frames: number;
  /** Elements of all documents. */
  elements: number;
  timers: number;
};

const PATIENCE_MS = 2000;
const SCRIPT = readFileSync(join(import.meta.dirname, "compress-time.mjs"), "utf8");

/** @param startMs initial value of the television's clock, epoch milliseconds */
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
    // A page that is being left does not respond: the next one continues with the time.
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
