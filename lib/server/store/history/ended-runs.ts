import type { EndedRuns, RunTally } from "@/lib/domain/partners/theirs-or-ours";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";

/** The time in which a company's runs count, epoch milliseconds on the clock of its API. */
export type CompanyTime = { company: string; fromMs: number; untilMs: number };

const ENDED = "status in ('completed', 'failed', 'timed_out', 'rate_limited')";

/**
 * Counts the runs that started and ended in a time at each of some companies, in one statement: those of a partner, and
 * those of its other partners.
 * @param partner its name, in any normalization
 * @returns an entry for every company
 */
export async function countEndedRuns(
  { pool }: Pick<Database, "pool">,
  wanted: readonly CompanyTime[],
  partner: string,
): Promise<Map<string, EndedRuns>> {
  type Row = { company: string; is_own: boolean } & RunTally;
  const { rows } = await pool.query<Row>(
    `select wanted.company, normalize(endpoints.partner_name) = normalize($4) as is_own,
       sum(run.completed)::int as completed, sum(run.ended)::int as ended
     from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as wanted(company, from_at, until_at)
     join endpoints on endpoints.company = wanted.company
     cross join lateral (
       select count(*) filter (where status = 'completed') as completed, count(*) as ended
       from runs
       where runs.company = wanted.company and runs.endpoint_id = endpoints.endpoint_id
         and started_at >= wanted.from_at and started_at <= wanted.until_at
         and coalesce(finished_at, started_at) <= wanted.until_at and ${ENDED}
     ) run
     group by 1, 2`,
    [
      wanted.map(({ company }) => company),
      wanted.map(({ fromMs }) => iso(fromMs)),
      wanted.map(({ untilMs }) => iso(untilMs)),
      partner,
    ],
  );
  const none: RunTally = { completed: 0, ended: 0 };
  const counts = new Map(wanted.map(({ company }) => [company, { own: none, others: none }]));
  for (const { company, is_own: isOwn, completed, ended } of rows) {
    const before = counts.get(company);
    if (before === undefined) continue;
    const tally = { completed, ended };
    counts.set(company, isOwn ? { ...before, own: tally } : { ...before, others: tally });
  }
  return counts;
}
