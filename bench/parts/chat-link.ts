import type { Browser } from "playwright";
import type { Bench } from "@/bench/bench";
import { visit, type Visit } from "@/bench/browser";
import { benchRows } from "@/bench/endpoints";
import { median } from "@/bench/median";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";
import { MadeLink } from "@/lib/contracts/links";

const ENDPOINTS = 1000;
const ROUNDS = 5;
/** After this time the largest paint no longer changes. */
const SETTLED_MS = 4000;

type Seen = { largestMs: number; kb: number };

/** A link from a chat, opened with an empty cache on a slow phone: largest paint, and what is loaded before it. */
export async function chatLink(bench: Bench): Promise<Row[]> {
  const [board, floor, browser] = [await bench.board(), await bench.floor(), await bench.browser()];
  const company = companyOf(ENDPOINTS);
  const partner = benchRows(ENDPOINTS, 0)[0]?.attributes.partner_name ?? "";
  const shared = await fetch(`${board.address}/api/companies/${company}/links`, {
    method: "POST",
    headers: {
      cookie: board.cookie,
      origin: board.address,
      "content-type": "application/json",
    },
    body: JSON.stringify({ partner, shows: "both" }),
  });
  if (shared.status !== 201) throw new Error(`the share link was answered by ${shared.status}`);
  const { url } = MadeLink.parse(await shared.json());
  const pages = {
    empty: { server: floor, path: "/", onPhone: true },
    partner: {
      server: board,
      path: `/${company}/partners/${encodeURIComponent(partner)}`,
      cookie: board.cookie,
      onPhone: true,
    },
    shared: { server: board, path: new URL(url).pathname, onPhone: true },
  } satisfies Record<string, Visit>;
  const seen: Record<keyof typeof pages, Seen[]> = { empty: [], partner: [], shared: [] };
  // The first round is a warm-up: the first request costs more on both servers.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const page of ["empty", "partner", "shared"] as const) {
      const look = await open(browser, pages[page]);
      if (round > 0) seen[page].push(look);
    }
  }
  const row = (what: string, page: "partner" | "shared", key: keyof Seen, most: number): Row => ({
    what,
    against: "an empty Next page",
    floor: median(seen.empty.map((look) => look[key])),
    ours: median(seen[page].map((look) => look[key])),
    unit: key === "kb" ? "kB" : "ms",
    goal: { of: "value", most },
  });
  return [
    row("a partner’s page on a slow phone: largest paint", "partner", "largestMs", 1200),
    row("a partner’s page on a slow phone: loaded before it", "partner", "kb", 200),
    row("a share link on a slow phone: largest paint", "shared", "largestMs", 800),
    row("a share link on a slow phone: loaded before it", "shared", "kb", 70),
  ];
}

function open(browser: Browser, page: Visit): Promise<Seen> {
  return visit(browser, page, async (tab) => {
    await tab.waitForTimeout(SETTLED_MS);
    return tab.evaluate(async () => {
      const paints = await new Promise<PerformanceEntry[]>((resolve) => {
        new PerformanceObserver((list, observer) => {
          observer.disconnect();
          resolve(list.getEntries());
        }).observe({ type: "largest-contentful-paint", buffered: true });
      });
      const largestMs = paints.at(-1)?.startTime ?? 0;
      const loaded = [
        ...performance.getEntriesByType("navigation"),
        ...performance.getEntriesByType("resource"),
      ] as PerformanceResourceTiming[];
      const bytes = loaded
        .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= largestMs)
        .reduce((sum, { transferSize }) => sum + transferSize, 0);
      return { largestMs, kb: bytes / 1000 };
    });
  });
}
