import type { Bench } from "@/bench/bench";
import { visit, type Visit } from "@/bench/browser";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

/** What the lightest comparable dashboard that we know loads, kB (1,000 bytes). */
const MOST_KB = 182;
/** After it, nothing loads by itself any more. */
const SETTLED_MS = 2000;

/** Script and style that a first visit to the overview loads, as they travel. */
export async function loadSize(bench: Bench): Promise<Row[]> {
  const [board, floor, browser] = [await bench.board(), await bench.floor(), await bench.browser()];
  const kb = (page: Visit) =>
    visit(browser, page, async (tab) => {
      await tab.waitForTimeout(SETTLED_MS);
      return tab.evaluate(() => {
        const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        const ours = loaded.filter(({ name }) => /\.(?:js|css)$/.test(new URL(name).pathname));
        return ours.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000;
      });
    });
  return [
    {
      what: "first load of the overview: script and style, compressed",
      against: "an empty Next page",
      floor: await kb({ server: floor, path: "/" }),
      ours: await kb({ server: board, path: `/${companyOf(60)}`, cookie: board.cookie }),
      unit: "kB",
      goal: { of: "value", most: MOST_KB },
    },
  ];
}
