import { Failure } from "@/lib/contracts/failure";
import type { Incident } from "@/lib/contracts/incidents";
import type { SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { confidenceNow } from "@/lib/domain/confidence";
import { isWhollyResting } from "@/lib/domain/incidents/incident";
import { isMine } from "@/lib/domain/incidents/mine";
import { nextSyncMs } from "@/lib/domain/incidents/next-sync";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { judge, momentOf, type Moment } from "@/lib/domain/judge";
import type { Confidence } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import { companyNamed } from "@/lib/server/operations/connections/external-id";
import { holds } from "@/lib/server/auth/access";
import type { Auth } from "@/lib/server/auth/auth";
import type { Clock } from "@/lib/server/clock";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import type { Database } from "@/lib/server/store/database";
import type { Grantee } from "@/lib/server/store/people/grantee";
import { handsOf, type IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import { NO_INCIDENT } from "./words";

/** Dependencies of the incident operations. */
export type IncidentsRuntime = Parameters<typeof syncStatusView>[0] & {
  database: Database;
  clock: Clock;
  auth: Pick<Auth, "access">;
  readonly connections: readonly { company: string; name: string; externalId?: string }[];
};

/** A company as of its latest snapshot. */
export type Seen = {
  view: SyncStatusView;
  moment: Moment;
  confidence: Confidence;
  /** The row of an endpoint, by its id; undefined when it isn't listed. */
  rowOf: (endpointId: string) => SyncStatusRow | undefined;
  /** Verdict of an endpoint at that moment, by its id; null when it isn't listed. */
  judged: (endpointId: string) => Judgement | null;
  /** Number of endpoints per partner. */
  endpointCounts: ReadonlyMap<string, number>;
};

export function seeCompany(runtime: IncidentsRuntime, company: string): Seen {
  const view = syncStatusView(runtime, company);
  const nowMs = runtime.clock.nowMs();
  const moment = momentOf(view, nowMs);
  // Only a few of thousands of endpoints are members.
  const rows = new Map(view.rows.map((row) => [row.id, row]));
  const endpointCounts = new Map<string, number>();
  for (const { partner_name: name } of view.rows)
    endpointCounts.set(name, (endpointCounts.get(name) ?? 0) + 1);
  return {
    view,
    moment,
    confidence: confidenceNow(view.source, nowMs),
    rowOf: (endpointId) => rows.get(endpointId),
    judged(endpointId) {
      const row = rows.get(endpointId);
      return row === undefined ? null : judge(row, moment);
    },
    endpointCounts,
  };
}

/** `seeCompany` for several incidents, which sees each company once. */
export function seeingCompanies(runtime: IncidentsRuntime): (company: string) => Seen {
  const seen = new Map<string, Seen>();
  return (company) => {
    const before = seen.get(company) ?? seeCompany(runtime, company);
    seen.set(company, before);
    return before;
  };
}

/**
 * An incident as JSON.
 * @param seen its company's latest snapshot
 * @param personId the caller
 */
export function incidentView(
  { auth, clock, connections }: Pick<IncidentsRuntime, "auth" | "clock" | "connections">,
  row: IncidentRow,
  seen: Seen,
  personId: string,
): Incident {
  const { company } = row;
  const name = connectedName(connections, company) ?? company;
  const isOpen = row.endedAt === null;
  const owner = ownerOf(auth, row, clock.nowMs());
  return {
    id: row.id,
    company: companyNamed(connections, { slug: company, name }),
    partner_name: row.partnerName,
    state: isOpen ? "open" : "ended",
    began_at: row.beganAt.toISOString(),
    opened_at: row.openedAt.toISOString(),
    ended_at: row.endedAt?.toISOString() ?? null,
    ending: row.ending,
    ...(row.ending === "eased" && isWhollyResting(row.members) && { is_resting: true }),
    verdict: isOpen ? row.verdict : null,
    worst_verdict: row.worstVerdict,
    flaps: row.flaps,
    not_observed_since: isOpen && seen.confidence === "blind" ? seenAt(seen) : null,
    acknowledged: acknowledgementOf(row, clock.nowMs(), personId),
    told_at: isoOrNull(row.told?.atMs ?? null),
    owner:
      owner === null ? null : { id: owner.id, name: owner.name, is_you: owner.id === personId },
    is_mine: isMine(personId, handsOf(row, clock.nowMs())),
    members: row.members.map((member) => ({
      endpoint_id: member.endpointId,
      endpoint_key: member.endpointKey,
      verdict: member.verdict,
      began_at: iso(member.beganMs),
      joined_at: iso(member.joinedMs),
      ended_at: member.endedMs === null ? null : iso(member.endedMs),
      ending: member.ending,
      received_at: member.receivedMs == null ? null : iso(member.receivedMs),
      ...(member.isResting === true && { is_resting: true }),
    })),
    endpoint_count: seen.endpointCounts.get(row.partnerName) ?? 0,
    ...aheadOf(row, seen),
    api_clock_offset_ms: seen.view.source.api_clock_offset_ms,
  };
}

/**
 * The owner of an incident: a temporary owner's time ends at its set end, or once that person loses
 * the permission.
 * @param nowMs our clock
 * @returns null: the administrators
 */
export function ownerOf(
  auth: IncidentsRuntime["auth"],
  row: IncidentRow,
  nowMs: number,
): Grantee | null {
  const { company, owner, lender, standIns } = row;
  const { ownerId } = handsOf(row, nowMs);
  const present = [owner, lender, ...standIns].find((one) => one !== null && one.id === ownerId);
  const mayOwn = (one: Grantee | null) =>
    one !== null && holds(auth.access, one, "handle-incidents", company);
  return [present ?? null, lender].find(mayOwn) ?? null;
}

/** When the snapshot was taken, on the API's clock. */
function seenAt({ view: { as_of: asOf, source } }: Seen): string | null {
  return asOf === null ? null : iso(Date.parse(asOf) + source.api_clock_offset_ms);
}

/** Forecast for the members in trouble, as far as the snapshot shows them. */
function aheadOf(
  { endedAt, members }: IncidentRow,
  { judged, moment, confidence }: Seen,
): Pick<Incident, "due_at" | "next_sync_at"> {
  if (endedAt !== null || confidence === "blind") return { due_at: null, next_sync_at: null };
  const open = members.flatMap(({ endpointId, endedMs }) =>
    endedMs === null ? (judged(endpointId) ?? []) : [],
  );
  const lateMs = Math.max(...open.map(({ terms }) => terms.latenessMs ?? -Infinity));
  return {
    due_at: lateMs > 0 ? iso(moment.atMs - lateMs) : null,
    next_sync_at: isoOrNull(nextSyncMs(open, moment.atMs)),
  };
}

/** @param nowMs our clock, which acknowledgements use */
export function acknowledgementOf(
  row: Pick<
    IncidentRow,
    "acknowledgedById" | "acknowledgedByName" | "acknowledgedAt" | "acknowledgedUntil"
  >,
  nowMs: number,
  personId: string,
): Incident["acknowledged"] {
  const { acknowledgedById: byId, acknowledgedAt: at, acknowledgedUntil: until } = row;
  if (byId === null || at === null || (until !== null && until.getTime() <= nowMs)) return null;
  return {
    by: row.acknowledgedByName ?? "",
    by_id: byId,
    is_you: byId === personId,
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
  };
}

const MAX_ID = 2_147_483_647;

/** @throws Failure `not_found` for an invalid incident number */
export function incidentId(given: string | undefined): number {
  const id = /^[1-9]\d{0,9}$/.test(given ?? "") ? Number(given) : Number.NaN;
  if (!(id <= MAX_ID)) throw noSuchIncident();
  return id;
}

export function noSuchIncident(): Failure {
  return new Failure("not_found", NO_INCIDENT);
}
