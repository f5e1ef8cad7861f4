import type { BriefFacts } from "@/lib/domain/words/messages/company-content";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { standInIdAt } from "@/lib/server/store/incidents/read-incidents";

/**
 * Numbers for a brief, by company: incidents opened, confirmed ended (however long before that they ended) and
 * open; endpoints without a verdict or removed; and the share of time observed.
 * @param given.fromMs epoch milliseconds on our clock, like `untilMs`; incidents are on the API clock
 * @param given.onlyFor only incidents that are this person's at the end (`isMine`, by their present owner, acknowledger
 * and company, and since when), of companies that they own or stand in for then or that have such incidents; null: all
 * incidents and companies, including those never observed
 * @returns `isSeen`: whether the company was observed at the end
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
    unknown: number;
    removed: number;
    before_ms: number | null;
    since_ms: number | null;
    missed_ms: number;
    is_in_gap: boolean;
  }>(
    `with span as (
       select wanted.company, s.first_observed_at as first, s.observed_at as last,
         $2::timestamptz + shift.by as from_at, $3::timestamptz + shift.by as until_at
       from unnest($1::text[]) as wanted(company)
       left join incident_states s on s.company = wanted.company
       left join company_state c on c.company = wanted.company
       cross join lateral (
         select make_interval(secs => coalesce(c.api_clock_offset_ms, 0) / 1000) as by
       ) shift
     )
     select span.company, counted.began, counted.ended, counted.open, judged.unknown, judged.removed, missed.ms as missed_ms, missed.is_in_gap,
       ${epochMs("coalesce(first, from_at) - from_at")} as before_ms, ${epochMs("until_at - last")} as since_ms
     from span
     cross join lateral (
       select exists (
         select from incident_care where company = span.company
           and ((owner_id = $5 and coalesce(owner_since <= $3::timestamptz, true))
             or ${standInIdAt("$3::timestamptz")} = $5)
       ) as is_theirs
     ) care
     cross join lateral (
       select count(*) filter (where opened_at > from_at and opened_at <= until_at)::int as began,
         count(*) filter (where said_at > from_at and said_at <= until_at)::int as ended,
         count(*) filter (
           where opened_at <= until_at and (said_at is null or said_at > until_at))::int as open
       from (
         select incidents.*, null::timestamptz as said_at
         from incidents where company = span.company and ended_at is null
         union all
         select incidents.*, said.at
         from (
           select incident_id, max(at) as at from incident_events
           where company = span.company and kind in ('ended', 'seen_again') and at > from_at
           group by incident_id
         ) said
         join incidents on company = span.company and id = said.incident_id and ended_at is not null
       ) incident
       where ($4::text[] is null or partner_name = any ($4))
         and ($5::uuid is null or care.is_theirs
           or (acknowledged_by_id = $5 and acknowledged_at <= $3::timestamptz
             and coalesce(acknowledged_until > $3::timestamptz, true))
           or case when owner_since > $3::timestamptz or lent_until <= $3::timestamptz
             then lent_by_id else owner_id end = $5)
     ) counted
     cross join lateral (
       select coalesce(sum(${epochMs("least(gap.until_at, span.until_at) - greatest(gap.from_at, span.from_at)")}), 0) as ms,
         coalesce(bool_or(gap.until_at > span.until_at), false) as is_in_gap
       from gaps gap
       where gap.company = span.company and gap.until_at > span.from_at and gap.from_at < span.until_at
     ) missed
     cross join lateral (
       select count(*) filter (where word = 'unknown')::int as unknown,
         count(*) filter (where word is null and exists (
           select from verdict_changes gone
           where gone.company = span.company and gone.endpoint_id = endpoint.endpoint_id and gone.verdict is null
             and gone.changed_at > span.from_at and gone.changed_at <= span.until_at))::int as removed
       from (
         select e.endpoint_id, case when next.changed_at is not null then next.previous
           when e.removed_at is null then e.verdict end as word
         from endpoints e
         left join lateral (
           select changed_at, previous from verdict_changes
           where company = e.company and endpoint_id = e.endpoint_id and changed_at > span.until_at
           order by changed_at limit 1
         ) next on true
         where e.company = span.company and ($4::text[] is null or e.partner_name = any ($4))
       ) endpoint
     ) judged
     where $5::uuid is null or care.is_theirs or counted.began + counted.ended + counted.open > 0`,
    [[...companies], iso(fromMs), iso(untilMs), partners === "all" ? null : [...partners], onlyFor],
  );
  return new Map<string, BriefFacts & { isSeen: boolean }>(
    rows.map((row) => {
      const { company, began, ended, open, unknown, removed } = row;
      const { before_ms, since_ms, missed_ms, is_in_gap } = row;
      const counted = { began, ended, open, unknown, removed };
      if (since_ms === null) return [company, { ...counted, observed: "never", isSeen: false }];
      // The time before the first and after the last observation counts as unobserved.
      const beforeMs = Math.max(0, before_ms ?? 0);
      const sinceMs = since_ms > NORMAL_PAUSE_MS ? since_ms : 0;
      const unseenMs = missed_ms + beforeMs + sinceMs;
      const observed = Math.min(1, Math.max(0, 1 - unseenMs / (untilMs - fromMs)));
      const isSeen = !is_in_gap && sinceMs === 0 && beforeMs < untilMs - fromMs;
      return [company, { ...counted, observed, isSeen }];
    }),
  );
}

/** Normal time between two observations; not reported as a gap. */
const NORMAL_PAUSE_MS = 5 * 60_000;
