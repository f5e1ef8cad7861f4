import { and, eq, gt, inArray, isNull, or, sql } from "drizzle-orm";
import type { Period } from "@/lib/domain/history";
import type { Care } from "@/lib/domain/incidents/mine";
import { timelineOf, type IncidentTimeline } from "@/lib/domain/delivery/incident-timeline";
import { sharedShiftMs } from "@/lib/domain/fleet-incidents/shared-axis";
import { credibleOpeningMs } from "@/lib/domain/incidents/credible-opening";
import type { Database, Orm } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import {
  asRow,
  careOf,
  selected,
  type IncidentRow,
} from "@/lib/server/store/incidents/read-incidents";
import { deadlineFolds } from "@/lib/server/store/schema/deadlines";
import {
  incidentCare,
  incidentEvents,
  incidents,
  incidentStates,
} from "@/lib/server/store/schema/incidents";
import { companies, companyState, gaps } from "@/lib/server/store/schema/record";
import type { RowBudget } from "@/lib/server/store/most-rows";
import { people } from "@/lib/server/store/schema/people";
import { DAY_MS } from "@/lib/domain/time/units";

/**
 * Recorded facts of a company that notifications are derived from. Timestamps are epoch milliseconds on the API
 * clock.
 */
export type DeliveryFacts = {
  /** The last observation; null: none. */
  observedMs: number | null;
  /** The first observation; null: none, or unknown. */
  firstObservedMs: number | null;
  /** Since when reading it was attempted; null: unknown, or unrelated to its first observation. */
  triedFromMs: number | null;
  /** How far the API clock is ahead of ours, milliseconds. */
  offsetMs: number;
  /** Current state. */
  care: Care;
  /** Days of promises that a check up to this time could close are closed; null: it has had no promise. */
  promisesClosedMs: number | null;
  incidents: readonly { row: IncidentRow; timeline: IncidentTimeline }[];
  gaps: readonly (Period & { reason: string })[];
};

/**
 * Incidents that are open, ended since a given time, or whose end is still to be notified; and the gaps since
 * then, until the last observation. All as of one instant: otherwise a check meanwhile would end an incident by its
 * events, and not by its row.
 * @throws Failure `invalid_request` when it needs more rows than are left in the budget
 */
export function readDeliveryFacts(
  orm: Pick<Database["orm"], "transaction">,
  company: string,
  sinceMs: number,
  budget: Pick<RowBudget, "read">,
): Promise<DeliveryFacts> {
  return orm.transaction((tx) => readFacts(tx, company, sinceMs, budget), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

async function readFacts(
  orm: Orm,
  company: string,
  sinceMs: number,
  budget: Pick<RowBudget, "read">,
): Promise<DeliveryFacts> {
  const state = await readState(orm, company);
  if (state.observedMs === null) return { ...state, incidents: [], gaps: [] };
  const found = await budget.read((limit) =>
    selected(orm)
      .where(
        and(
          eq(incidents.company, company),
          or(
            isNull(incidents.endedAt),
            // The end is dated to the last landing, and confirmed up to a day later, or after a gap.
            gt(incidents.endedAt, new Date(sinceMs - DAY_MS)),
            sql`${incidents.id} in (select opening.incident_id from deliveries opening
              where opening.company = ${company} and opening.type = 'incident.opened'
                and not exists (select from deliveries over where over.place = opening.place
                  and over.company = opening.company and over.incident_id = opening.incident_id
                  and over.type = 'incident.ended'))`,
          ),
        ),
      )
      .orderBy(incidents.id)
      .limit(limit),
  );
  const rows = found.map(asRow);
  const { observedMs } = state;
  const [events, gapRows] = await Promise.all([
    readEvents(
      orm,
      company,
      rows.map(({ id }) => id),
    ),
    budget.read((limit) =>
      orm
        .select()
        .from(gaps)
        .where(and(eq(gaps.company, company), gt(gaps.untilAt, new Date(sinceMs))))
        .orderBy(gaps.fromAt)
        .limit(limit),
    ),
  ]);
  return {
    ...state,
    incidents: rows.map((row) => ({
      row,
      timeline: timelineOf(
        {
          id: row.id,
          partner: row.partnerName,
          openedMs: credibleOpeningMs(
            { openedMs: row.openedAt.getTime(), beganMs: row.beganAt.getTime() },
            observedMs,
          ),
          ownerId: row.ownerId,
        },
        events.get(row.id) ?? [],
        sharedShiftMs(state.offsetMs),
        observedMs,
      ),
    })),
    gaps: gapRows.flatMap(({ fromAt, untilAt, reason }) => {
      // One that ends in the future ended while the API's clock was ahead: nothing has to wait for that.
      const [fromMs, untilMs] = [fromAt.getTime(), Math.min(untilAt.getTime(), observedMs)];
      return fromMs < untilMs ? [{ fromMs, untilMs, reason }] : [];
    }),
  };
}

/** What is known of a company besides its incidents and gaps. */
async function readState(
  orm: Orm,
  company: string,
): Promise<Omit<DeliveryFacts, "incidents" | "gaps">> {
  const [row] = await orm
    .select({
      state: incidentStates,
      care: incidentCare,
      triedAt: companies.createdAt,
      asOf: companyState.asOf,
      offsetMs: companyState.apiClockOffsetMs,
      closedUntil: deadlineFolds.closedUntil,
    })
    .from(sql`(select ${company}::text as slug) wanted`)
    .leftJoin(incidentStates, sql`${incidentStates.company} = wanted.slug`)
    .leftJoin(incidentCare, sql`${incidentCare.company} = wanted.slug`)
    .leftJoin(companies, sql`${companies.slug} = wanted.slug`)
    .leftJoin(companyState, eq(companyState.company, companies.slug))
    .leftJoin(deadlineFolds, sql`${deadlineFolds.company} = wanted.slug`);
  const { state = null, care = null, triedAt = null, asOf = null, closedUntil = null } = row ?? {};
  const offsetMs = row?.offsetMs ?? 0;
  const firstObservedMs = state?.firstObservedAt?.getTime() ?? null;
  // Anything read before incidents were recorded doesn't count as the first observation.
  const isFirstKnown =
    state === null ? asOf === null : state.recordedSince?.getTime() === firstObservedMs;
  return {
    offsetMs,
    observedMs: state?.observedAt.getTime() ?? null,
    firstObservedMs,
    triedFromMs: triedAt !== null && isFirstKnown ? triedAt.getTime() + offsetMs : null,
    care: care === null ? NO_CARE : careAt(careOf(care), offsetMs),
    promisesClosedMs: closedUntil?.getTime() ?? null,
  };
}

const NO_CARE: Care = { ownerId: null, ownerSinceMs: null, standIns: [] };

/** @param offsetMs of the API clock from ours, on which care is recorded */
function careAt({ ownerId, ownerSinceMs, standIns }: Care, offsetMs: number): Care {
  return {
    ownerId,
    ownerSinceMs: ownerSinceMs === null ? null : ownerSinceMs + offsetMs,
    standIns: standIns.map(({ id, fromMs, untilMs }) => ({
      id,
      fromMs: fromMs + offsetMs,
      untilMs: untilMs + offsetMs,
    })),
  };
}

/** In one row per incident: these were counted, and a month of many companies has hundreds of thousands of events. */
async function readEvents(orm: Orm, company: string, ids: readonly number[]) {
  const byIncident = new Map<number, Parameters<typeof timelineOf>[1][number][]>();
  if (ids.length === 0) return byIncident;
  type Event = Parameters<typeof timelineOf>[1][number];
  type Listed = [
    Event["seq"],
    number,
    Event["kind"],
    Event["endpointId"],
    Event["byId"],
    Event["detail"],
    Event["text"],
  ];
  const { rows } = await orm.execute<{ id: number; events: Listed[] }>(sql`
    select incident_id as id, json_agg(json_build_array(
      seq, ${sql.raw(epochMs("at"))}, kind, endpoint_id, by_id, detail,
      case when kind = 'acknowledged' or detail->>'to_channels' = 'true' then text end
      ) order by seq) as events
    from ${incidentEvents}
    where company = ${company} and incident_id = any (${sql.param([...ids])}::int[])
    group by incident_id`);
  for (const { id, events } of rows)
    byIncident.set(
      id,
      events.map(([seq, atMs, kind, endpointId, byId, detail, text]) => ({
        seq,
        atMs,
        kind,
        endpointId,
        byId,
        detail,
        text,
      })),
    );
  return byIncident;
}

/** The last checks of a company, epoch milliseconds on its API's clock. */
export type LastChecks = {
  observedMs: number;
  /** The last one with events. */
  eventfulMs: number;
};

/** The last checks of all companies. */
export async function readLastChecks(orm: Orm): Promise<ReadonlyMap<string, LastChecks>> {
  const rows = await orm
    .select({
      company: incidentStates.company,
      observedAt: incidentStates.observedAt,
      eventfulAt: incidentStates.eventfulAt,
    })
    .from(incidentStates)
    .prepare("read_last_checks")
    .execute();
  return new Map(
    rows.map(({ company, observedAt, eventfulAt }) => [
      company,
      { observedMs: observedAt.getTime(), eventfulMs: (eventfulAt ?? observedAt).getTime() },
    ]),
  );
}

/**
 * For each company, a text that changes with what people do and with its incidents: acts and events of open ones, who
 * looks after it, and its promises.
 */
export async function readMarks(orm: Orm): Promise<ReadonlyMap<string, string>> {
  const { rows } = await orm.execute<{ company: string; mark: string }>(sql`
    select state.company, concat_ws(' ', fold.version, care.owner_id, care.owner_since,
        care.stand_in_id, care.stand_in_from, care.stand_in_until, care.later_stand_ins, open.events) as mark
    from ${incidentStates} state
    left join incident_care care on care.company = state.company
    left join deadline_folds fold on fold.company = state.company
    left join (
      select incidents.company, string_agg(concat(incidents.id, ':', last.seq), ' ' order by incidents.id) as events
      from ${incidents} incidents
      cross join lateral (
        select max(seq) as seq from ${incidentEvents} event
        where event.company = incidents.company and event.incident_id = incidents.id
      ) last
      where incidents.ended_at is null
      group by incidents.company
    ) open on open.company = state.company`);
  return new Map(rows.map(({ company, mark }) => [company, mark]));
}

/** Names of people who acknowledged, owned or did anything else to any of these incidents, by id. */
export async function readNames(
  orm: Orm,
  { incidents: recorded }: DeliveryFacts,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(
    recorded.flatMap(({ timeline: { phases, moments } }) => [
      ...phases.flatMap(({ acknowledgedBy, ownerId }) =>
        [acknowledgedBy ?? [], ownerId ?? []].flat(),
      ),
      ...moments.flatMap(({ events }) => events.flatMap(({ byId }) => byId ?? [])),
    ]),
  );
  if (ids.size === 0) return new Map();
  const rows = await orm
    .select({ id: people.id, name: people.name })
    .from(people)
    .where(inArray(people.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
