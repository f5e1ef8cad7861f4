import type { CompanyIncident } from "@/lib/domain/fleet-incidents/fleet-incident";
import { sharedShiftMs } from "@/lib/domain/fleet-incidents/shared-axis";
import type { Period } from "@/lib/domain/history";
import { credibleOpeningMs } from "@/lib/domain/incidents/credible-opening";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";

/**
 * What fleet incidents are derived from. Instants are epoch milliseconds on one axis for all companies: that of their
 * APIs, less `shiftMs`.
 */

/** How a company is observed. */
export type FleetCompany = {
  company: string;
  /** When it was disconnected; null: it is connected. */
  leftMs: number | null;
  /** The last observation. */
  observedMs: number;
  /** How long after its last observation it is blind. */
  blindAfterMs: number;
  /** See `sharedShiftMs`. */
  shiftMs: number;
};

export type PartnerIncident = CompanyIncident & { partner: string };

/** All companies with incident detection. @param gapPolls a gap is recorded after this many polls */
export async function readFleetCompanies(
  { pool }: Pick<Database, "pool">,
  { gapPolls, pollSeconds }: { gapPolls: number; pollSeconds: number },
): Promise<FleetCompany[]> {
  const { rows } = await pool.query<{
    company: string;
    left: number | null;
    observed: number;
    rhythm: number | null;
    offset: number | null;
  }>({
    name: "read_fleet_companies",
    text: `select s.company, ${epochMs("c.left_at")} as left, ${epochMs("s.observed_at")} as observed,
       cs.rhythm_seconds as rhythm, cs.api_clock_offset_ms as offset
     from incident_states s left join companies c on c.slug = s.company
       left join company_state cs on cs.company = s.company
     order by s.company`,
  });
  return rows.map(({ company, left, observed, rhythm, offset }) => {
    const shiftMs = sharedShiftMs(offset ?? 0);
    return {
      company,
      leftMs: left,
      observedMs: observed - shiftMs,
      blindAfterMs: gapPolls * (rhythm ?? pollSeconds) * 1000,
      shiftMs,
    };
  });
}

/**
 * Incidents of some companies that were open in a period, or are in an open fleet incident; without those of fleet
 * incidents that have ended. Later ends are left out.
 */
export async function readPartnerIncidents(
  { pool }: Pick<Database, "pool">,
  companies: readonly FleetCompany[],
  { fromMs, untilMs }: Period,
): Promise<PartnerIncident[]> {
  const { rows } = await pool.query<{
    company: string;
    id: number;
    partner: string;
    began: number;
    opened: number;
    closed: number | null;
  }>({
    name: "read_partner_incidents",
    text: `with wanted as (select * from unnest($1::text[], $2::timestamptz[]) as w(company, from_at)),
     ended as (
       select e.company, e.incident_id, min(e.at) as at
       from wanted w join incident_events e on e.company = w.company and e.at > w.from_at
         and e.kind in ('ended', 'seen_again')
       where ${IS_END} group by 1, 2
       union
       -- Recorded late.
       select e.company, e.incident_id, min(e.at)
       from fleet_incidents f join fleet_members m on m.fleet_id = f.id and m.left_at is null
         join incident_events e on e.company = m.company and e.incident_id = m.incident_id
       where f.closed_at is null and ${IS_END} group by 1, 2
     ),
     found as (
       select company, id, null::timestamptz as closed_at from incidents
       where company = any ($1) and ended_at is null
       union all
       select company, incident_id, at from ended
     )
     select i.company, i.id, i.partner_name as partner, ${epochMs("i.began_at")} as began,
       ${epochMs("i.opened_at")} as opened, ${epochMs("found.closed_at")} as closed
     from found join incidents i on i.company = found.company and i.id = found.id
     where not exists (
       select from fleet_members m join fleet_incidents f on f.id = m.fleet_id
       where m.company = i.company and m.incident_id = i.id and f.closed_at is not null)`,
    values: [
      companies.map(({ company }) => company),
      companies.map(({ shiftMs }) => iso(fromMs + shiftMs)),
    ],
  });
  const byCompany = new Map(companies.map((one) => [one.company, one]));
  return rows.flatMap(({ company, id, partner, ...at }) => {
    const { shiftMs = 0, leftMs = null, observedMs = Infinity } = byCompany.get(company) ?? {};
    const beganMs = at.began - shiftMs;
    const openedMs = credibleOpeningMs({ openedMs: at.opened - shiftMs, beganMs }, observedMs);
    if (openedMs > untilMs) return [];
    const endedMs = at.closed === null ? Infinity : Math.min(at.closed - shiftMs, observedMs);
    // An incident of a company that was disconnected isn't followed any more.
    const closedMs = Math.min(endedMs, leftMs ?? Infinity);
    return {
      company,
      id,
      partner,
      beganMs,
      openedMs,
      closedMs: closedMs > untilMs ? null : closedMs,
    };
  });
}

/** SQL: whether an event `e` ended its incident. */
const IS_END = `(e.kind = 'ended'
  or (e.kind = 'seen_again' and e.detail -> 'changes' @> '[{"kind": "ended"}]'))`;

/** When some companies were blind, from a time on. */
export async function readBlindness(
  { pool }: Pick<Database, "pool">,
  companies: readonly FleetCompany[],
  fromMs: number,
): Promise<Map<string, Period[]>> {
  const { rows } = await pool.query<{ company: string; from: number; until: number }>(
    `select g.company, ${epochMs("g.from_at")} as from, ${epochMs("g.until_at")} as until
     from unnest($1::text[], $2::timestamptz[]) as w(company, from_at)
       join gaps g on g.company = w.company and g.until_at > w.from_at
     order by g.company, g.from_at`,
    [
      companies.map(({ company }) => company),
      companies.map(({ shiftMs }) => iso(fromMs + shiftMs)),
    ],
  );
  const blind = new Map(companies.map(({ company }) => [company, [] as Period[]]));
  const byCompany = new Map(companies.map((one) => [one.company, one]));
  for (const { company, from, until } of rows) {
    const { shiftMs = 0, blindAfterMs = 0 } = byCompany.get(company) ?? {};
    const period = { fromMs: from - shiftMs + blindAfterMs, untilMs: until - shiftMs };
    if (period.untilMs > period.fromMs) blind.get(company)?.push(period);
  }
  // Whether it is blind since its last observation is known as soon as it is.
  for (const { company, observedMs, blindAfterMs } of companies)
    blind.get(company)?.push({ fromMs: observedMs + blindAfterMs, untilMs: Infinity });
  return blind;
}

/**
 * When companies had an endpoint of a partner that was neither paused nor removed.
 * @param partner see `partnerKey`
 */
export async function readPartnerCoverage(
  { pool }: Pick<Database, "pool">,
  companies: readonly FleetCompany[],
  partner: string,
  { fromMs, untilMs }: Period,
): Promise<Map<string, Period[]>> {
  const connected = companies.filter(({ leftMs }) => leftMs === null);
  const { rows } = await pool.query<{
    company: string;
    before: string | null;
    changes: [number, string | null][] | null;
  }>(
    `select e.company,
       coalesce(before.verdict, case
         when before.changed_at is not null or e.first_seen_at > w.from_at then null
         -- Its earlier changes aren't kept.
         when changed.changes is null and e.removed_at is null then e.verdict
         else changed.previous end) as before,
       changed.changes
     from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as w(company, from_at, until_at)
     join endpoints e on e.company = w.company and normalize(e.partner_name, nfc) = $4
     left join lateral (
       select changed_at, verdict from verdict_changes
       where company = e.company and endpoint_id = e.endpoint_id and changed_at <= w.from_at
       order by changed_at desc limit 1
     ) before on true
     cross join lateral (
       select json_agg(json_build_array(${epochMs("changed_at")}, verdict) order by changed_at) as changes,
         (array_agg(previous order by changed_at))[1] as previous
       from verdict_changes
       where company = e.company and endpoint_id = e.endpoint_id
         and changed_at > w.from_at and changed_at <= w.until_at
     ) changed`,
    [
      connected.map(({ company }) => company),
      connected.map(({ shiftMs }) => iso(fromMs + shiftMs)),
      connected.map(({ shiftMs }) => iso(untilMs + shiftMs)),
      partner,
    ],
  );
  const shifts = new Map(connected.map(({ company, shiftMs }) => [company, shiftMs]));
  const has = new Map<string, Period[]>();
  for (const { company, before, changes } of rows) {
    const periods = has.get(company) ?? [];
    has.set(company, periods);
    let sinceMs = counts(before) ? -Infinity : null;
    for (const [changedMs, verdict] of changes ?? []) {
      const atMs = changedMs - (shifts.get(company) ?? 0);
      if (sinceMs !== null && !counts(verdict)) periods.push({ fromMs: sinceMs, untilMs: atMs });
      if (counts(verdict)) sinceMs ??= atMs;
      else sinceMs = null;
    }
    if (sinceMs !== null) periods.push({ fromMs: sinceMs, untilMs: Infinity });
  }
  return has;
}

/** Whether an endpoint counts while its verdict is this. @param verdict null: removed */
const counts = (verdict: string | null) => verdict !== null && verdict !== "paused";
