import type { ServedSyncStatus } from "@/lib/contracts/v3";
import type { Seen } from "../api";
import type { Scene } from "../simulation";

/** All rows of a company, as its API told them page by page, undamaged. */
export type WholeAnswer = {
  company: string;
  /** When the first page was asked for, true time in epoch milliseconds. */
  begunMs: number;
  /** When the last page arrived, true time in epoch milliseconds. */
  arrivedMs: number;
  /** The `Date` of the last page, epoch milliseconds: the API's clock, as it tells. */
  dateMs: number;
  rows: readonly ServedSyncStatus[];
  /** Whether each page counts as many rows as there are; otherwise it can't be relied on. */
  isCounted: boolean;
};

/** Longer than any answer is on its way. */
const ON_ITS_WAY_MS = 20_000;

/** Puts together what the API told. @returns called again and again, the answers since the last call */
export function createWholeAnswers(): (scene: Scene) => WholeAnswer[] {
  const queues = new Map<string, Seen[]>();
  const begun = new Map<string, Seen[]>();
  let checked = 0;
  return ({ api, time }) => {
    for (const one of api.seen.slice(checked)) {
      if (one.company === null || one.path !== "/sync_status" || one.page === null) continue;
      const queue = queues.get(one.company) ?? [];
      queues.set(one.company, queue);
      queue.push(one);
    }
    checked = api.seen.length;
    const whole: WholeAnswer[] = [];
    for (const [company, queue] of queues)
      for (let next = queue[0]; next !== undefined; next = queue[0]) {
        // What it becomes isn't known before the next request, of which there is one at a time.
        const isLatest = queue.length === 1;
        if (isLatest && next.arrivedMs === null && next.atMs > time.nowMs() - ON_ITS_WAY_MS) break;
        queue.shift();
        const answer = join(company, next, begun);
        if (answer !== null) whole.push(answer);
      }
    return whole;
  };
}

function join(company: string, next: Seen, begun: Map<string, Seen[]>): WholeAnswer | null {
  const before = begun.get(company) ?? [];
  const { page, rows, arrivedMs, dateMs } = next;
  // A page whose answer was lost is asked for again.
  if (page === null || arrivedMs === null || dateMs === null) return null;
  begun.delete(company);
  if (rows === null) return null;
  const isNext = page.page === before.length + 1 && (before[0]?.page?.of ?? page.of) === page.of;
  const pages = page.page === 1 ? [next] : isNext ? [...before, next] : null;
  if (pages === null) return null;
  if (pages.length < page.of) {
    begun.set(company, pages);
    return null;
  }
  const all = pages.flatMap((one) => one.rows ?? []);
  const isCounted = pages.every((one) => one.page?.count === all.length);
  return { company, begunMs: pages[0]?.atMs ?? arrivedMs, arrivedMs, dateMs, rows: all, isCounted };
}
