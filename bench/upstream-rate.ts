import { setTimeout as sleep } from "node:timers/promises";
import type { MisbehavingUpstream } from "@/e2e/upstream/misbehaving-upstream";

/**
 * Requests per minute that an upstream receives.
 * @param watchedMs long enough for several complete reads of the snapshot
 */
export async function upstreamPerMinute(
  upstream: MisbehavingUpstream,
  watchedMs: number,
): Promise<number> {
  const from = upstream.requests.length;
  await sleep(watchedMs);
  const seen = upstream.requests.slice(from);
  // From the first page of one read to the first page of another, so that only complete reads count.
  const starts = seen.flatMap(({ path, query }, at) =>
    path === "/sync_status" && query["page"] === "1" ? [at] : [],
  );
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  if (first === last) throw new Error("upstream was not read once from end to end");
  const ms = (seen[last]?.atMs ?? 0) - (seen[first]?.atMs ?? 0);
  return ((last - first) / ms) * 60_000;
}
