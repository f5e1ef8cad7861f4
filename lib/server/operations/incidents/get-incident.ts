import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { IncidentEvidence, IncidentView, TimelineEvent } from "@/lib/contracts/incidents";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { judge } from "@/lib/domain/judge";
import { eventText } from "@/lib/domain/words/incident-words";
import { canSee, type Person } from "@/lib/server/auth/person";
import { nameOf } from "@/lib/server/operations/connections/external-id";
import { readIncidentDeliveries } from "@/lib/server/store/delivery/outbox";
import {
  readIncident,
  readTimeline,
  type IncidentEventRow,
  type IncidentRow,
} from "@/lib/server/store/incidents/read-incidents";
import { deliveredEvents } from "./delivered-events";
import {
  incidentId,
  incidentView,
  noSuchIncident,
  seeCompany,
  type IncidentsRuntime,
  type Seen,
} from "./incident-view";

/**
 * An incident with its timeline: `GET /api/companies/[company]/incidents/[id]`.
 * @throws Failure `not_found`
 */
export async function getIncident(
  runtime: IncidentsRuntime,
  { company, id: given, person }: { company: string; id: string | undefined; person: Person },
): Promise<IncidentView> {
  const id = incidentId(given);
  const { database } = runtime;
  const [row, events, deliveries] = await Promise.all([
    readIncident(database.orm, company, id),
    readTimeline(database, company, id),
    readIncidentDeliveries(database.orm, company, id),
  ]);
  if (row === null) throw noSuchIncident();
  const seen = seeCompany(runtime, company);
  return {
    ...incidentView(runtime, row, seen, person.id),
    timeline: [
      ...events.map((event) => timelineEvent(event, keysOf(row))),
      ...deliveredEvents(deliveries),
    ].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    evidence: evidenceOf(runtime, row, events, seen, person),
  };
}

/** Looks up the display name of a member. */
function keysOf({ members }: Pick<IncidentRow, "members">): (endpointId: string) => string {
  const keys = new Map(members.map(({ endpointId, endpointKey }) => [endpointId, endpointKey]));
  return (endpointId) => keys.get(endpointId) ?? endpointId;
}

/** A timeline event as JSON. */
export function timelineEvent(
  event: IncidentEventRow,
  keyOf: (endpointId: string) => string,
): TimelineEvent {
  const { seq, at, kind, byId, byName, endpointId, detail } = event;
  return {
    seq,
    at: at.toISOString(),
    kind: kind as TimelineEvent["kind"],
    by: byName,
    by_id: byId,
    text: eventText(event, keyOf),
    endpoint_id: endpointId,
    endpoint_key: endpointId === null ? null : keyOf(endpointId),
    until: detail.until ?? null,
    told_customer: detail.told_customer === true,
  };
}

const hasRun = (row: SyncStatusRow | undefined) => (row?.last_sync_status ?? null) !== null;

/**
 * Evidence of whose problem it is; other companies are limited to those that the person may see.
 */
function evidenceOf(
  runtime: IncidentsRuntime,
  row: IncidentRow,
  events: readonly IncidentEventRow[],
  seen: Seen,
  person: Person,
): IncidentEvidence {
  const inTrouble = row.members.flatMap(({ endpointId, endedMs }) => {
    const judgement = endedMs === null ? seen.judged(endpointId) : null;
    return judgement !== null && isTrouble(judgement.word) ? [{ endpointId, judgement }] : [];
  });
  const elsewhere: IncidentEvidence["elsewhere"] = {
    affected: [],
    unaffected: 0,
    not_observed: 0,
  };
  for (const connection of runtime.connections) {
    const { company } = connection;
    if (company === row.company || !canSee(person, company)) continue;
    const other = seeCompany(runtime, company);
    const isHit = troubles(other, row.partnerName).get(row.partnerName);
    if (isHit === undefined) continue;
    if (other.confidence === "blind") elsewhere.not_observed += 1;
    else if (isHit) elsewhere.affected.push(nameOf(connection));
    else elsewhere.unaffected += 1;
  }
  const others = [...troubles(seen)].filter(([partner]) => partner !== row.partnerName);
  return {
    confidence: seen.confidence,
    not_observed_seconds: Math.round(unseenMs(events) / 1000),
    in_trouble: inTrouble.length,
    with_runs: inTrouble.filter(({ endpointId }) => hasRun(seen.rowOf(endpointId))).length,
    rate_limited: inTrouble.filter(({ judgement }) => judgement.overlays.rateLimited).length,
    elsewhere,
    other_partners: {
      affected: others.filter(([, isHit]) => isHit).length,
      total: others.length,
    },
  };
}

/** Whether any endpoint of each partner is in trouble. @param only this partner; null: all */
function troubles({ view, moment }: Seen, only: string | null = null): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const row of view.rows) {
    if (only !== null && row.partner_name !== only) continue;
    const before = found.get(row.partner_name) ?? false;
    found.set(row.partner_name, before || isTrouble(judge(row, moment).word));
  }
  return found;
}

/** Total unobserved time, milliseconds. */
function unseenMs(events: readonly IncidentEventRow[]): number {
  let [sumMs, fromMs]: [number, number | null] = [0, null];
  for (const { kind, at } of events) {
    if (kind === "blind") fromMs = at.getTime();
    if (kind !== "seen_again" || fromMs === null) continue;
    sumMs += Math.max(0, at.getTime() - fromMs);
    fromMs = null;
  }
  return sumMs;
}
