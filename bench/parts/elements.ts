import type { CDPSession } from "playwright";
import type { Bench } from "@/bench/bench";
import { untilWhole, visit } from "@/bench/browser";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const SIZES = [60, 1000, 5000];
const MAX_ELEMENTS = 1500;
const MAX_HEAP_MB = 10;

/** Number of elements of a board, at rest and in the middle of a long scroll, and its memory. */
export async function elements(bench: Bench): Promise<Row[]> {
  const [board, floor, browser] = [await bench.board(), await bench.floor(), await bench.browser()];
  const { cookie } = board;
  const rows: Row[] = [];
  for (const size of SIZES) {
    const counts: number[] = [];
    for (const query of ["", "?group=flat", "?rows=folded"]) {
      const path = `/${companyOf(size)}${query}`;
      await visit(browser, { server: board, path, cookie }, async (page) => {
        await untilWhole(page);
        for (const share of [0, 0.3, 1]) {
          await page.evaluate(
            (to) => window.scrollTo(0, document.documentElement.scrollHeight * to),
            share,
          );
          await page.waitForTimeout(200);
          counts.push(await page.evaluate(() => document.querySelectorAll("*").length));
        }
      });
    }
    rows.push({
      what: `elements in the page at ${size.toLocaleString("en")} endpoints`,
      against: "",
      floor: null,
      ours: Math.max(...counts),
      unit: "elements",
      goal: { of: "value", most: MAX_ELEMENTS },
    });
  }
  const path = `/${companyOf(1000)}`;
  rows.push({
    what: "script heap at 1,000 endpoints",
    against: "an empty Next page",
    floor: await visit(browser, { server: floor, path: "/" }, (_, devtools) => heapMb(devtools)),
    ours: await visit(browser, { server: board, path, cookie }, async (page, devtools) => {
      await untilWhole(page);
      return heapMb(devtools);
    }),
    unit: "MB",
    goal: { of: "difference", most: MAX_HEAP_MB },
  });
  return rows;
}

/** Memory in use after garbage collection, MB (1,000,000 bytes). */
async function heapMb(devtools: CDPSession): Promise<number> {
  await devtools.send("HeapProfiler.enable");
  // Objects freed by the first collection, including finalisers, are only gone after the second.
  for (let time = 0; time < 2; time += 1) await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return usedSize / 1_000_000;
}
