import type { ReceivedRequest } from "@/e2e/upstream/misbehaving-upstream";
import { brokenIntents } from "@/lib/server/deletions/deletions-fixture";
import type { Site } from "./site";
import { MINUTE_MS } from "@/lib/domain/time/units";

const REQUESTS = 60;
const TOKENS = 10;
/** Between two clocks of the same machine. */
const TOLERATED_MS = 50;

/** Checks the promises at the end. @returns the broken ones */
export async function judge({ upstream, pool }: Site): Promise<string[]> {
  const { requests } = upstream;
  const isToken = ({ path }: ReceivedRequest) => path === "/oauth/token";
  const busiest = mostInAMinute(requests.filter((request) => !isToken(request)));
  const tokens = mostInAMinute(requests.filter(isToken));
  process.stdout.write(`in the busiest minute ${busiest} requests and ${tokens} for tokens\n`);
  const broken: string[] = [];
  if (busiest > REQUESTS) broken.push(`${busiest} requests in a minute`);
  if (tokens > TOKENS) broken.push(`${tokens} token requests in a minute`);
  broken.push(...(await brokenIntents({ pool }, upstream)));

  const { rows: events } = await pool.query<{
    file: number;
    event: string;
    outcome: string;
    at: Date;
  }>(
    `select i.file_id::int as file, a.event, a.detail ->> 'outcome' as outcome, a.at
     from audit_log a join deletion_items i
       on i.company = a.company and a.action_id = i.deletion_id || '/' || i.position
     order by a.company, a.seq`,
  );
  const there = new Set(upstream.files().map(({ id }) => id));
  const deletes = byFile(
    requests
      .filter(({ method }) => method === "DELETE")
      .map(({ path, atMs }) => ({ file: Number(path.split("/").at(-1)), atMs })),
  );
  const counts = new Map<string, number>();
  for (const [file, its] of byFile(events)) {
    const sent = its.filter(({ event }) => event === "delete.sent");
    for (const [index, request] of (deletes.get(file) ?? []).entries()) {
      const atMs = performance.timeOrigin + request.atMs;
      const before = sent.filter(({ at }) => at.getTime() <= atMs + TOLERATED_MS).length;
      if (before <= index) broken.push(`a DELETE of ${file} had no intent before it`);
      const confirmed = its.find(({ outcome }) => outcome === "deleted");
      if (confirmed !== undefined && atMs > confirmed.at.getTime() + TOLERATED_MS)
        broken.push(`a DELETE of ${file} came after it was confirmed`);
    }
    for (const { outcome } of its) {
      if (outcome === null) continue;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      const isGone = outcome === "deleted" || outcome === "already_gone";
      if (isGone && there.has(file)) broken.push(`${file} is ${outcome}, and still there`);
      const isDeleted = its.some((other) => other.outcome === "deleted");
      if (outcome === "still_there" && !there.has(file) && !isDeleted)
        broken.push(`${file} is still_there, and gone`);
    }
  }
  for (const file of deletes.keys())
    if (!events.some((event) => event.file === file))
      broken.push(`a deletion of ${file} that wasn't requested`);
  const counted = [...counts].map(([outcome, count]) => `${outcome} ${count}`);
  process.stdout.write(`outcomes: ${counted.join(", ")}\n`);
  return broken;
}

function byFile<T extends { file: number }>(all: readonly T[]): Map<number, T[]> {
  const files = new Map<number, T[]>();
  for (const one of all) files.set(one.file, [...(files.get(one.file) ?? []), one]);
  return files;
}

/** The maximum number within any minute. */
function mostInAMinute(requests: readonly ReceivedRequest[]): number {
  let most = 0;
  let first = 0;
  for (const [index, { atMs }] of requests.entries()) {
    while ((requests[first]?.atMs ?? atMs) <= atMs - MINUTE_MS) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
