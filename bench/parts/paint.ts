import type { Browser } from "playwright";
import type { Bench } from "@/bench/bench";
import { visit, type Visit } from "@/bench/browser";
import { putReady } from "@/bench/floor";
import { fetchOnce } from "@/bench/load";
import { median } from "@/bench/median";
import { companyOf, snapshotPath } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const ROUNDS = 7;
const SETTLED_MS = 1500;
/** Only the part of a task beyond this counts as blocking. */
const FREE_TASK_MS = 50;

type Seen = { firstMs: number; largestMs: number; blockingMs: number };

/** First and largest paint, and the total blocking time afterwards, at 1,000 endpoints. */
export async function paint(bench: Bench): Promise<Row[]> {
  const [board, floor, browser] = [await bench.board(), await bench.floor(), await bench.browser()];
  const headers = { cookie: board.cookie };
  const { body } = await fetchOnce({ server: board, path: snapshotPath(500), headers });
  await putReady(floor, body);
  const pages: [Visit, Visit] = [
    { server: floor, path: "/rows" },
    { server: board, path: `/${companyOf(1000)}`, cookie: board.cookie },
  ];
  // A warm-up round: the first request costs more on both servers.
  for (const page of pages) await look(browser, page);
  const rounds: Seen[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push([await look(browser, pages[0]), await look(browser, pages[1])]);
  }
  const row = (what: string, key: keyof Seen, goal: Row["goal"]): Row => ({
    what: `${what} at 1,000 endpoints`,
    against: "500 plain rows fetched by the browser",
    floor: median(rounds.flatMap(([plain]) => plain?.[key] ?? [])),
    ours: median(rounds.flatMap(([, ours]) => ours?.[key] ?? [])),
    unit: "ms",
    goal,
  });
  return [
    row("first paint", "firstMs", { of: "ratio", most: 1.25 }),
    row("largest paint", "largestMs", { of: "ratio", most: 1.25 }),
    row("blocking time after it", "blockingMs", { of: "difference", most: 50 }),
  ];
}

function look(browser: Browser, page: Visit): Promise<Seen> {
  return visit(browser, page, async (tab) => {
    await tab.waitForTimeout(SETTLED_MS);
    return tab.evaluate(async (freeMs) => {
      const seen = (type: string) =>
        new Promise<PerformanceEntry[]>((resolve) => {
          new PerformanceObserver((list, observer) => {
            observer.disconnect();
            resolve(list.getEntries());
          }).observe({ type, buffered: true });
          // Without entries of this type the observer is never called.
          setTimeout(resolve, 200, []);
        });
      const [paints, largest, tasks] = await Promise.all(
        ["paint", "largest-contentful-paint", "longtask"].map(seen),
      );
      const first = paints?.find(({ name }) => name === "first-contentful-paint")?.startTime ?? 0;
      const blocking = (tasks ?? [])
        .filter(({ startTime, duration }) => startTime + duration > first)
        .reduce((sum, { duration }) => sum + Math.max(0, duration - freeMs), 0);
      const largestMs = largest?.at(-1)?.startTime ?? first;
      return { firstMs: first, largestMs, blockingMs: blocking };
    }, FREE_TASK_MS);
  });
}
