import { runsSince, type EndedRuns, type RunsSince } from "@/lib/domain/partners/theirs-or-ours";
import { DAY_MS } from "@/lib/domain/time/units";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import type { Log } from "@/lib/server/log";
import { sharedState } from "@/lib/server/shared-state";
import type { Database } from "@/lib/server/store/database";
import { countEndedRuns, type CompanyTime } from "@/lib/server/store/history/ended-runs";
import type { CompanyWithPartner } from "./partner-companies";

type Runtime = { database: Database; log: Pick<Log, "warn">; snapshots: Pick<Snapshots, "get"> };

/** Runs of a longer time say nothing about this trouble, and take longer to count. */
const MAX_MS = DAY_MS;

export type CountedRuns = EndedRuns & { since: RunsSince };

/**
 * Runs that ended at the companies where a partner is behind, each since its trouble started, at most a day.
 * @param atMs the instant described, epoch milliseconds on our clock; `isNow`: then a company's runs are counted once
 *   per snapshot
 * @returns null while the database doesn't answer
 */
export async function endedRuns(
  runtime: Runtime,
  having: readonly CompanyWithPartner[],
  { key, atMs, isNow }: { key: string; atMs: number; isNow: boolean },
): Promise<CountedRuns | null> {
  const wanted = having.flatMap(({ at: { slug, standing, sinceMs, offsetMs } }): CompanyTime[] => {
    if (standing !== "behind" || sinceMs === null) return [];
    const untilMs = atMs + offsetMs;
    return [{ company: slug, fromMs: Math.max(sinceMs, untilMs - MAX_MS), untilMs }];
  });
  try {
    const counts = isNow
      ? await countedBySnapshot(runtime, wanted, key)
      : [...(await countEndedRuns(runtime.database, wanted, key)).values()];
    return { ...sumOf(counts), since: runsSince(wanted, MAX_MS) };
  } catch (error) {
    runtime.log.warn({ err: error }, "runs could not be counted");
    return null;
  }
}

/** Runs change with snapshots only. */
function countedBySnapshot(
  { database, snapshots }: Runtime,
  wanted: readonly CompanyTime[],
  key: string,
): Promise<EndedRuns[]> {
  const held = wanted.map((time) => {
    const snapshot = snapshots.get(time.company);
    const counts = sharedState(
      snapshot ?? wanted,
      "ended runs",
      () => new Map<string, Promise<EndedRuns>>(),
    );
    return { time, counts };
  });
  const missing = held.filter(({ counts }) => !counts.has(key));
  if (missing.length > 0) {
    const read = countEndedRuns(
      database,
      missing.map(({ time }) => time),
      key,
    );
    for (const { time, counts } of missing) {
      const own = read.then((all) => all.get(time.company) ?? NO_RUNS);
      counts.set(key, own);
      own.catch(() => counts.delete(key));
    }
  }
  return Promise.all(held.map(async ({ counts }) => (await counts.get(key)) ?? NO_RUNS));
}

const NO_RUNS: EndedRuns = {
  own: { completed: 0, ended: 0 },
  others: { completed: 0, ended: 0 },
};

function sumOf(all: readonly EndedRuns[]): EndedRuns {
  return all.reduce(
    (sum, { own, others }) => ({
      own: {
        completed: sum.own.completed + own.completed,
        ended: sum.own.ended + own.ended,
      },
      others: {
        completed: sum.others.completed + others.completed,
        ended: sum.others.ended + others.ended,
      },
    }),
    NO_RUNS,
  );
}
