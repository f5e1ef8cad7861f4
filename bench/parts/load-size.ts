import type { Bench } from "@/bench/bench";
import { visit, type Visit } from "@/bench/browser";
import { benchRows } from "@/bench/endpoints";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

/** Of the company whose partner page is loaded: with so many per partner its charts are below the viewport. */
const ENDPOINTS = 5000;
/** After this time nothing loads automatically any more; a chart outside the viewport waits for twice as long. */
const SETTLED_MS = 2000;
const SCRIPT_AND_STYLE = [".js", ".css"];
const FONTS = [".woff2"];

/** Transfer size of a first visit to a page, kB (1,000 bytes). */
export async function loadSize(bench: Bench): Promise<Row[]> {
  const [board, floor, browser] = [await bench.board(), await bench.floor(), await bench.browser()];
  const partner = benchRows(ENDPOINTS, 0)[0]?.attributes.partner_name ?? "";
  const sizesOf = (page: Visit) =>
    visit(browser, page, async (tab) => {
      await tab.waitForTimeout(SETTLED_MS);
      const loaded = await tab.evaluate(() =>
        (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).map(
          ({ name, encodedBodySize }) => ({ path: new URL(name).pathname, encodedBodySize }),
        ),
      );
      const kb = (endings: readonly string[]) =>
        loaded
          .filter(({ path }) => endings.some((ending) => path.endsWith(ending)))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000;
      return { code: kb(SCRIPT_AND_STYLE), fonts: kb(FONTS) };
    });
  const ours = (path: string) => sizesOf({ server: board, path, cookie: board.cookie });
  const empty = await sizesOf({ server: floor, path: "/" });
  const company = `/${companyOf(ENDPOINTS)}`;
  const overview = await ours(`/${companyOf(60)}`);
  const partnerPage = await ours(`${company}/partners/${encodeURIComponent(partner)}`);
  const wall = await ours(`${company}/wall`);
  const others = await Promise.all(
    ["schedules", "api-calls", "report", "activity"].map((page) => ours(`${company}/${page}`)),
  );
  const row = (page: string, size: number, most: number): Row => ({
    what: `first load of ${page}: script and style, compressed`,
    against: "an empty Next page",
    floor: empty.code,
    ours: size,
    unit: "kB",
    goal: { of: "value", most },
  });
  return [
    row("the overview", overview.code, 200),
    row("a partner’s page, its charts below the window", partnerPage.code, 200),
    row("a wall", wall.code, 200),
    {
      what: "fonts of the page that loads most of them",
      against: "",
      floor: null,
      ours: Math.max(...[overview, partnerPage, wall, ...others].map(({ fonts }) => fonts)),
      unit: "kB",
      goal: { of: "value", most: 60 },
    },
  ];
}
