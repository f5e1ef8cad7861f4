import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";

/** What happened in a company in a stretch of time. */
type BriefFacts = {
  began: number;
  ended: number;
  /** At its end. */
  open: number;
  /** 0 to 1: how much of it we saw; null: it isn't known. */
  observed: number | null;
};

/**
 * What began, ended and is open, by company; and how much of the time we looked. Of companies that were never seen
 * there is nothing.
 */
export async function readBriefFacts(
  { pool }: Pick<Database, "pool">,
  given: {
    companies: readonly string[];
    partners: "all" | readonly string[];
    fromMs: number;
    untilMs: number;
  },
): Promise<ReadonlyMap<string, BriefFacts>> {
  const { companies, partners, fromMs, untilMs } = given;
  const { rows } = await pool.query<{
    company: string;
    began: number;
    ended: number;
    open: number;
    first: Date | null;
    last: Date;
    missed: number;
  }>(
    `select s.company, s.first_observed_at as first, s.observed_at as last,
       count(i.id) filter (where i.opened_at > $2 and i.opened_at <= $3)::int as began,
       count(i.id) filter (where i.ended_at > $2 and i.ended_at <= $3)::int as ended,
       count(i.id) filter (where i.opened_at <= $3 and (i.ended_at is null or i.ended_at > $3))::int as open,
       coalesce((
         select sum(extract(epoch from least(g.until_at, $3) - greatest(g.from_at, $2)) * 1000)
         from gaps g where g.company = s.company and g.until_at > $2 and g.from_at < $3
       ), 0)::float8 as missed
     from incident_states s
     left join incidents i on i.company = s.company
       and (i.ended_at is null or i.ended_at > $2) and ($4::text[] is null or i.partner_name = any ($4))
     where s.company = any ($1)
     group by s.company, s.first_observed_at, s.observed_at`,
    [[...companies], iso(fromMs), iso(untilMs), partners === "all" ? null : [...partners]],
  );
  return new Map(
    rows.map(({ company, began, ended, open, first, last, missed }) => {
      // Before we first looked, and since we last did, nobody saw anything.
      const beforeMs = Math.max(0, (first?.getTime() ?? fromMs) - fromMs);
      const sinceMs = Math.max(0, untilMs - last.getTime());
      const unseenMs = missed + beforeMs + (sinceMs > UNTOLD_MS ? sinceMs : 0);
      const observed = Math.min(1, Math.max(0, 1 - unseenMs / (untilMs - fromMs)));
      return [company, { began, ended, open, observed }];
    }),
  );
}

/** Between two observations nobody calls it blindness. */
const UNTOLD_MS = 5 * 60_000;
