import type { BriefFacts } from "@/lib/domain/words/message-words";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";

/**
 * What began, ended and is open, by company; and how much of the time we looked.
 * @param given.onlyFor only incidents that this person owns or is on now, of companies that they look after at the end
 *   or that have any such; null: all
 * @returns `isSeen`: whether we could see it at the end
 */
export async function readBriefFacts(
  { pool }: Pick<Database, "pool">,
  given: {
    companies: readonly string[];
    partners: "all" | readonly string[];
    onlyFor: string | null;
    fromMs: number;
    untilMs: number;
  },
): Promise<ReadonlyMap<string, BriefFacts & { isSeen: boolean }>> {
  const { companies, partners, onlyFor, fromMs, untilMs } = given;
  const { rows } = await pool.query<{
    company: string;
    began: number;
    ended: number;
    open: number;
    first: Date | null;
    last: Date | null;
    missed: number;
    blind: boolean;
  }>(
    `select c.company, s.first_observed_at as first, s.observed_at as last,
       count(i.id) filter (where i.opened_at > $2 and i.opened_at <= $3)::int as began,
       count(i.id) filter (where i.ended_at > $2 and i.ended_at <= $3)::int as ended,
       count(i.id) filter (where i.opened_at <= $3 and (i.ended_at is null or i.ended_at > $3))::int as open,
       coalesce((
         select sum(extract(epoch from least(g.until_at, $3) - greatest(g.from_at, $2)) * 1000)
         from gaps g where g.company = c.company and g.until_at > $2 and g.from_at < $3
       ), 0)::float8 as missed,
       exists (select from gaps g where g.company = c.company and g.from_at < $3 and g.until_at >= $3) as blind
     from unnest($1::text[]) c (company)
     left join incident_states s on s.company = c.company
     left join incidents i on i.company = c.company and i.opened_at <= $3
       and (i.ended_at is null or i.ended_at > $2) and ($4::text[] is null or i.partner_name = any ($4))
       and ($5::uuid is null or i.acknowledged_by_id = $5
         or case when i.lent_until <= $3 then i.lent_by_id else i.owner_id end = $5)
     group by c.company, s.first_observed_at, s.observed_at
     having $5::uuid is null or count(i.id) > 0 or exists (
       select from incident_care k where k.company = c.company
         and (k.owner_id = $5 or (k.stand_in_id = $5 and k.stand_in_from <= $3 and k.stand_in_until > $3)))`,
    [[...companies], iso(fromMs), iso(untilMs), partners === "all" ? null : [...partners], onlyFor],
  );
  return new Map<string, BriefFacts & { isSeen: boolean }>(
    rows.map(({ company, began, ended, open, first, last, missed, blind }) => {
      const counted = { began, ended, open };
      if (last === null)
        return [company, { ...counted, observed: "never" as const, isSeen: false }];
      // Before we first looked, and since we last did, nobody saw anything.
      const beforeMs = Math.max(0, (first?.getTime() ?? fromMs) - fromMs);
      const sinceMs = Math.max(0, untilMs - last.getTime());
      const isSeen = !blind && sinceMs <= UNTOLD_MS;
      const unseenMs = missed + beforeMs + (sinceMs > UNTOLD_MS ? sinceMs : 0);
      const observed = Math.min(1, Math.max(0, 1 - unseenMs / (untilMs - fromMs)));
      return [company, { ...counted, observed, isSeen }];
    }),
  );
}

/** Between two observations nobody calls it blindness. */
const UNTOLD_MS = 5 * 60_000;
