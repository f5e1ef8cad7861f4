import { and, asc, desc, eq, gt, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Told, Trouble } from "@/lib/domain/incidents/incident";
import {
  companyHandsAt,
  goesToStandIn,
  standInsOf,
  type Care,
  type Hands,
} from "@/lib/domain/incidents/mine";
import { totalOf, type Part } from "@/lib/server/store/counted-page";
import type { Database, Orm } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { holderOf, type Grantee } from "@/lib/server/store/people/grantee";
import { incidentCare, incidentEvents, incidents } from "@/lib/server/store/schema/incidents";
import { people } from "@/lib/server/store/schema/people";

/** An incident with the people responsible for it. */
export type IncidentRow = typeof incidents.$inferSelect & {
  /** With current permissions, even if they may no longer own it. */
  owner: Grantee | null;
  /** Who handed it over and gets it back; null: not handed over. */
  lender: Grantee | null;
  /** Its company's stand-ins, present and later ones, in any order; none where it isn't open and handed over. */
  standIns: readonly Grantee[];
  /** Current name of the person who acknowledged it. */
  acknowledgedByName: string | null;
  /** The last note that the customer was told; null: there is none. */
  told: Told | null;
  /** Ownership of its company; null: none set. */
  care: typeof incidentCare.$inferSelect | null;
};
export type IncidentEventRow = typeof incidentEvents.$inferSelect;

/** Filters; null applies no filter. */
export type IncidentFilters = {
  state: "open" | "ended" | null;
  partner: string | null;
  /** Current verdict, or worst verdict of ended incidents; `unknown`: we can't tell. */
  verdict: Trouble | "unknown" | null;
  /** Of `unknown`: the companies that we can't see now. */
  unseen: readonly string[];
  isUnacknowledged: boolean;
  /** See `isMine`. */
  mine: Mine | null;
};

/** A person, and the companies in which they may own incidents. */
export type Mine = { personId: string; companies: readonly string[] };

const acknowledger = alias(people, "acknowledger");
const lender = alias(people, "lender");
const standIn = alias(people, "stand_in");

/** SQL: whether an event is a note that the customer was told. */
export const TOLD = sql`${incidentEvents.kind} = 'noted' and ${incidentEvents.detail} -> 'told_customer' = 'true'::jsonb`;

/** SQL: see `IncidentRow`. */
function standInsAhead(orm: Orm) {
  const { id, name, issuer, claims, isDisabled, grants } = holderOf(orm, standIn);
  return sql<Grantee[]>`(select coalesce(json_agg(json_build_object('id', ${id}, 'name', ${name},
      'issuer', ${issuer}, 'claims', ${claims}, 'isDisabled', ${isDisabled}, 'grants', ${grants})), '[]')
    from people ${standIn}
    where ${incidents.lentUntil} is not null and ${incidents.endedAt} is null
      and (${id} = ${incidentCare.standInId}
        or ${incidentCare.laterStandIns} @> jsonb_build_array(jsonb_build_object('id', ${id}))))`;
}

/** Query for incidents with the people responsible; map its rows with `asRow`. */
export const selected = (orm: Orm) =>
  orm
    .select({
      incident: incidents,
      owner: holderOf(orm),
      lender: holderOf(orm, lender),
      standIns: standInsAhead(orm),
      acknowledgedByName: acknowledger.name,
      told: sql<Told | null>`(select json_build_object('by', ${incidentEvents.byName}, 'atMs', ${sql.raw(epochMs("at"))})
        from ${incidentEvents}
        where ${incidentEvents.company} = ${incidents.company} and ${incidentEvents.incidentId} = ${incidents.id} and ${TOLD}
        order by ${incidentEvents.at} desc, ${incidentEvents.seq} desc limit 1)`,
      care: incidentCare,
    })
    .from(incidents)
    .leftJoin(people, eq(people.id, incidents.ownerId))
    .leftJoin(lender, eq(lender.id, incidents.lentById))
    .leftJoin(acknowledger, eq(acknowledger.id, incidents.acknowledgedById))
    .leftJoin(incidentCare, eq(incidentCare.company, incidents.company));

type Selected = Awaited<ReturnType<typeof selected>>[number];
/** A row of `selected` as an incident with the people responsible. */
export const asRow = ({
  incident,
  owner,
  lender: lentBy,
  standIns,
  acknowledgedByName,
  told,
  care,
}: Selected): IncidentRow => ({
  ...incident,
  owner,
  lender: lentBy,
  standIns,
  acknowledgedByName,
  told,
  care,
});

/** Who is responsible for an incident at a given time on our clock. */
export function handsOf(
  row: Pick<
    IncidentRow,
    | "endedAt"
    | "ownerId"
    | "lentById"
    | "lentUntil"
    | "acknowledgedById"
    | "acknowledgedAt"
    | "acknowledgedUntil"
    | "care"
  >,
  nowMs: number,
): Hands {
  const { acknowledgedAt, acknowledgedUntil, care } = row;
  const isBack = row.lentUntil !== null && row.lentUntil.getTime() <= nowMs;
  const isOn =
    acknowledgedAt !== null && (acknowledgedUntil === null || acknowledgedUntil.getTime() > nowMs);
  const companyHands = companyHandsOf(care, nowMs);
  // An ended incident goes back to its lender only.
  const isStandIns = row.endedAt === null && goesToStandIn(row.lentById, companyHands);
  const backWith = isStandIns ? companyHands.standInId : row.lentById;
  return {
    ownerId: isBack ? backWith : row.ownerId,
    acknowledgedById: isOn ? row.acknowledgedById : null,
    ...companyHands,
  };
}

type CareColumns = Omit<typeof incidentCare.$inferSelect, "company">;

/** Who is responsible for a company at a given time on our clock. @param care null: none set */
export function companyHandsOf(
  care: CareColumns | null,
  nowMs: number,
): Pick<Hands, "companyOwnerId" | "standInId"> {
  if (care === null) return { companyOwnerId: null, standInId: null };
  // The row has the current owner, even where `owner_since` is ahead of our clock; as in `isLookedAfterBy`.
  return companyHandsAt({ ...careOf(care), ownerSinceMs: null }, nowMs);
}

/** A row of `incident_care` in the domain's form. */
export function careOf({
  ownerId,
  ownerSince,
  standInId,
  standInFrom,
  standInUntil,
  laterStandIns,
}: CareColumns): Care {
  const isSet = standInId !== null && standInFrom !== null && standInUntil !== null;
  const present = isSet
    ? [{ id: standInId, fromMs: standInFrom.getTime(), untilMs: standInUntil.getTime() }]
    : [];
  const later = laterStandIns.map(({ id, from, until }) => ({
    id,
    fromMs: Date.parse(from),
    untilMs: Date.parse(until),
  }));
  return {
    ownerId,
    ownerSinceMs: ownerSince?.getTime() ?? null,
    standIns: standInsOf([...present, ...later]),
  };
}

/**
 * SQL equivalent of `standInAt`, for rows of `incident_care`.
 * @param at SQL of the instant, on our clock
 */
export const standInIdAt = (at: string) =>
  `coalesce(
    case when stand_in_from <= ${at} and stand_in_until > ${at} then stand_in_id end,
    (select (later ->> 'id')::uuid from jsonb_array_elements(later_stand_ins) with ordinality as one(later, place)
      where (later ->> 'from')::timestamptz <= ${at} and (later ->> 'until')::timestamptz > ${at}
      order by place limit 1))`;

/** SQL: whether it is acknowledged at a given time on our clock. */
const isAcknowledged = (nowMs: number) =>
  sql`(${incidents.acknowledgedAt} is not null and (${incidents.acknowledgedUntil} is null or ${incidents.acknowledgedUntil} > ${new Date(nowMs).toISOString()}::timestamptz))`;

/**
 * SQL: owner at a given time on our clock. An expired hand-over counts as returned even before that is
 * recorded.
 */
export const ownerAt = (nowMs: number) =>
  sql`case when ${incidents.lentUntil} <= ${new Date(nowMs).toISOString()}::timestamptz then ${incidents.lentById} else ${incidents.ownerId} end`;

/** SQL equivalent of `isMine`, for counting and paging in the database. */
const isMine = ({ personId, companies }: Mine, nowMs: number) =>
  sql`${isIn(companies)} and (${ownerAt(nowMs)} = ${personId} or (${incidents.acknowledgedById} = ${personId} and ${isAcknowledged(nowMs)}) or ${isLookedAfterBy(personId, nowMs)})`;

const isLookedAfterBy = (personId: string, nowMs: number) => {
  const standInId = sql.raw(standInIdAt(`'${new Date(nowMs).toISOString()}'::timestamptz`));
  return sql`exists (select from ${incidentCare} where ${incidentCare.company} = ${incidents.company} and (${incidentCare.ownerId} = ${personId} or ${standInId} = ${personId}))`;
};

/** SQL: whether an incident is of one of these companies. */
export const isIn = (companies: readonly string[]) =>
  sql`${incidents.company} = any (${sql.param([...companies])}::text[])`;

type Key = { company: string; id: number };

/** SQL: whether an incident is one of these. */
export const areThese = (some: readonly Key[]) =>
  areAmong(sql`(${incidents.company}, ${incidents.id})`, some);

/** SQL: whether an event is of one of these incidents. */
export const areEventsOf = (some: readonly Key[]) =>
  areAmong(sql`(${incidentEvents.company}, ${incidentEvents.incidentId})`, some);

const areAmong = (key: SQL, some: readonly Key[]) =>
  sql`${key} in (select * from unnest(
    ${sql.param(some.map(({ company }) => company))}::text[],
    ${sql.param(some.map(({ id }) => id))}::int[]))`;

/** Worst first; incidents without a verdict last. */
const badness = sql`array_position(array['failing', 'stale', 'late'], coalesce(${incidents.verdict}, ''))`;

/** The order of open incidents. */
export const WORST_FIRST = [
  asc(badness),
  asc(incidents.beganAt),
  asc(incidents.company),
  asc(incidents.id),
];

/**
 * Incidents of some companies: open ones first, worst first; then ended ones, latest first.
 * @param nowMs our clock, epoch milliseconds
 */
export async function listIncidents(
  { orm }: Pick<Database, "orm">,
  {
    companies,
    filters,
    nowMs,
    offset,
    limit,
  }: {
    companies: readonly string[];
    filters: IncidentFilters;
    nowMs: number;
  } & Part,
): Promise<{ rows: IncidentRow[]; total: number }> {
  const where = matching(companies, filters, nowMs);
  const rows = await selected(orm)
    .where(where)
    .orderBy(...LISTED)
    .limit(limit)
    .offset(offset);
  const total = await totalOf({ offset, limit }, rows, () => orm.$count(incidents, where));
  return { rows: rows.map(asRow), total };
}

/** The ids of all incidents of a company's list, in its order, so that they can be read in parts while some change. */
export async function readIncidentIds(
  { orm }: Pick<Database, "orm">,
  company: string,
  { filters, nowMs, limit }: { filters: IncidentFilters; nowMs: number; limit: number },
): Promise<number[]> {
  const rows = await orm
    .select({ id: incidents.id })
    .from(incidents)
    .where(matching([company], filters, nowMs))
    .orderBy(...LISTED)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Incidents of a company by id, in that order. */
export async function readIncidentsById(
  { orm }: Pick<Database, "orm">,
  company: string,
  ids: readonly number[],
): Promise<IncidentRow[]> {
  const rows = await selected(orm).where(areThese(ids.map((id) => ({ company, id }))));
  const found = new Map(rows.map((row) => [row.incident.id, asRow(row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Number of incidents of a company's list. */
export function countListed(
  { orm }: Pick<Database, "orm">,
  company: string,
  { filters, nowMs }: { filters: IncidentFilters; nowMs: number },
): Promise<number> {
  return orm.$count(incidents, matching([company], filters, nowMs));
}

/** Open ones first, worst first; then ended ones, latest first. */
const LISTED = [
  asc(sql`${incidents.endedAt} is not null`),
  desc(incidents.endedAt),
  ...WORST_FIRST,
];

function matching(
  companies: readonly string[],
  filters: IncidentFilters,
  nowMs: number,
): SQL | undefined {
  return and(
    isIn(companies),
    filters.state === null
      ? undefined
      : filters.state === "open"
        ? isNull(incidents.endedAt)
        : isNotNull(incidents.endedAt),
    filters.partner === null ? undefined : eq(incidents.partnerName, filters.partner),
    filters.verdict === null ? undefined : hasVerdict(filters.verdict, filters.unseen),
    filters.isUnacknowledged
      ? sql`${incidents.endedAt} is null and not ${isAcknowledged(nowMs)}`
      : undefined,
    filters.mine === null ? undefined : isMine(filters.mine, nowMs),
  );
}

/** SQL: whether we can't tell an open incident's state. @param unseen companies that we can't see now */
const isUnknown = (unseen: readonly string[]) =>
  sql`${incidents.verdict} is null and (${incidents.calmMs} is null or ${isIn(unseen)})`;

function hasVerdict(verdict: Trouble | "unknown", unseen: readonly string[]): SQL {
  return verdict === "unknown"
    ? sql`${incidents.endedAt} is null and ${isUnknown(unseen)}`
    : sql`case when ${incidents.endedAt} is null then ${incidents.verdict} else ${incidents.worstVerdict} end = ${verdict}`;
}

/**
 * Number of incidents by kind; keys as in the API response.
 * @param companies the companies counted; `everywhere`: the companies for the count of all unacknowledged
 * incidents; `unseen`: those of them that we can't see now
 * @param nowMs our clock, epoch milliseconds
 */
export async function countIncidents(
  { orm }: Pick<Database, "orm">,
  {
    companies,
    everywhere,
    mine,
    unseen,
    nowMs,
  }: {
    companies: readonly string[];
    everywhere: readonly string[];
    mine: Mine;
    unseen: readonly string[];
    nowMs: number;
  },
) {
  const isOpen = isNull(incidents.endedAt);
  const isUnacknowledged = and(isOpen, sql`not ${isAcknowledged(nowMs)}`);
  const some = (which: SQL | undefined) => sql<number>`count(*) filter (where ${which})::int`;
  const open = (only: SQL) => some(and(isOpen, only));
  const WEEK_MS = 7 * 24 * 3_600_000;
  const hasEndedInWeek = gt(incidents.endedAt, new Date(nowMs - WEEK_MS));
  const [counts] = await orm
    .select({
      open: some(isOpen),
      unacknowledged: some(isUnacknowledged),
      mine: open(isMine(mine, nowMs)),
      failing: open(eq(incidents.verdict, "failing")),
      stale: open(eq(incidents.verdict, "stale")),
      late: open(eq(incidents.verdict, "late")),
      cannot_tell: open(isUnknown(unseen)),
      ended_last_7_days: some(hasEndedInWeek),
      everywhere: sql<number>`(${orm
        .select({ amount: sql`count(*)::int` })
        .from(incidents)
        .where(and(isIn(everywhere), isUnacknowledged))})`,
    })
    .from(incidents)
    .where(and(isIn(companies), or(isOpen, hasEndedInWeek)));
  if (counts === undefined) throw new Error("nothing was counted");
  const { everywhere: unacknowledgedEverywhere, ...ofThese } = counts;
  return { counts: ofThese, unacknowledgedEverywhere };
}

/** Open incidents by company and current verdict; `unknown`: no verdict now. Omits zero counts. */
export function countOpen({
  orm,
}: Pick<Database, "orm">): Promise<
  { company: string; verdict: Trouble | "unknown"; open: number }[]
> {
  const verdict = sql<Trouble | "unknown">`coalesce(${incidents.verdict}, 'unknown')`;
  return orm
    .select({ company: incidents.company, verdict, open: sql<number>`count(*)::int` })
    .from(incidents)
    .where(isNull(incidents.endedAt))
    .groupBy(incidents.company, incidents.verdict);
}

/** @returns null: no such incident */
export async function readIncident(
  orm: Orm,
  company: string,
  id: number,
): Promise<IncidentRow | null> {
  const [row] = await selected(orm).where(
    and(eq(incidents.company, company), eq(incidents.id, id)),
  );
  return row === undefined ? null : asRow(row);
}

/** Events of an incident, in order. */
export function readTimeline(
  { orm }: Pick<Database, "orm">,
  company: string,
  id: number,
): Promise<IncidentEventRow[]> {
  return orm
    .select()
    .from(incidentEvents)
    .where(and(eq(incidentEvents.company, company), eq(incidentEvents.incidentId, id)))
    .orderBy(asc(incidentEvents.seq));
}
