import type { FleetIncident } from "@/lib/contracts/fleet-incidents";
import {
  fleetAt,
  troubleSince,
  troubleSteps,
  visibleFleet,
  type MemberIncident,
  type VisibleFleet,
} from "@/lib/domain/fleet-incidents/visible";
import { hasRight } from "@/lib/domain/rights";
import { iso } from "@/lib/domain/time/instant";
import {
  fleetActText,
  fleetAloneText,
  fleetBlindText,
  fleetDisconnectedText,
  fleetEndedText,
  fleetJoinedText,
  fleetLeftText,
  fleetOpenedText,
  fleetSeenText,
} from "@/lib/domain/words/fleet/fleet-words";
import { eventText, spokenEnding } from "@/lib/domain/words/incident-words";
import { canSee, type Person } from "@/lib/server/auth/person";
import { idMember, type Connected } from "@/lib/server/operations/connections/external-id";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import type { IncidentEventRow } from "@/lib/server/store/incidents/read-incidents";
import type { FleetRow } from "@/lib/server/store/fleet-incidents/read-fleet-incidents";

/** Slugs of the companies whose part in fleet incidents a person may see. */
export function seenBy({ connections }: Connected, person: Pick<Person, "grants">): string[] {
  return connections.map(({ company }) => company).filter((company) => canSee(person, company));
}

/** A fleet incident over visible companies, with what it was made from. */
export type SeenFleet = { row: FleetRow; fleet: VisibleFleet };

/** @param atMs epoch milliseconds; null: now. @returns null: fewer than two of its companies are visible */
export function seeFleet(
  row: FleetRow | null,
  { grants }: Person,
  atMs: number | null = null,
): SeenFleet | null {
  if (row === null) return null;
  const then = atMs === null ? row : fleetAt(row.truth, row.members, atMs);
  if (then === null) return null;
  const fleet = visibleFleet(then.truth, then.members, hasRight(grants, "view", null));
  return fleet === null ? null : { row: { ...row, ...then }, fleet };
}

/** Without its steps and timeline. */
export function fleetHead(
  { row, fleet }: SeenFleet,
  { connections }: Connected,
): Omit<FleetIncident, "steps" | "timeline"> {
  return {
    id: row.id,
    partner_name: fleet.partner,
    began_at: iso(fleet.beganMs),
    opened_at: iso(fleet.openedMs),
    ended_at: isoOrNull(fleet.endedMs),
    ending: fleet.ending,
    ended: fleet.ended,
    companies: fleet.companies.map(({ company, incidentId, state, endedMs, ending }) => ({
      company,
      ...idMember(connections, company),
      incident_id: incidentId,
      state,
      ended_at: isoOrNull(endedMs),
      ending,
    })),
  };
}

/**
 * @param events of its visible members
 * @param atMs leaves out what people did later; null: now
 */
export function fleetView(
  seen: SeenFleet,
  events: readonly IncidentEventRow[],
  { connections }: Connected,
  atMs: number | null = null,
): FleetIncident {
  const nameOf = (company: string) => connectedName(connections, company) ?? company;
  const acts = events.filter(({ at }) => atMs === null || at.getTime() <= atMs);
  const timeline = [...historyOf(seen, nameOf), ...acts.map((event) => actOf(event, nameOf))];
  return {
    ...fleetHead(seen, { connections }),
    steps: troubleSteps(seen.row.members).map(({ atMs: ms, companies }) => ({
      at: iso(ms),
      companies,
    })),
    timeline: timeline
      .toSorted(
        (a, b) =>
          Date.parse(a.at) - Date.parse(b.at) || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind),
      )
      .map((event) => ({
        ...event,
        ...(event.company !== null && idMember(connections, event.company)),
      })),
  };
}

type TimelineEvent = FleetIncident["timeline"][number];

/** Events of the same moment. */
const ORDER: readonly TimelineEvent["kind"][] = [
  "opened",
  "joined",
  "seen_again",
  "acknowledged",
  "unacknowledged",
  "owned",
  "noted",
  "blind",
  "left",
  "alone",
  "ended",
];

/** When it opened, changed and ended, from the incidents in it. */
function historyOf(
  { row: { truth, members }, fleet }: SeenFleet,
  nameOf: (company: string) => string,
): TimelineEvent[] {
  const event = (
    kind: TimelineEvent["kind"],
    atMs: number,
    company: string | null,
    text: string,
  ) => ({
    at: iso(atMs),
    kind,
    company,
    by: null,
    text,
  });
  const since = troubleSince(members, truth);
  const founders = [...since].filter(([, sinceMs]) => sinceMs <= fleet.openedMs);
  const history = [event("opened", fleet.openedMs, null, fleetOpenedText(founders.length))];
  const met = new Set(founders.map(([company]) => company));
  const isFirst = (member: MemberIncident) =>
    member.joinedMs === truth.openedMs || since.get(member.company) === member.joinedMs;
  let changedMs = fleet.endedMs ?? -Infinity;
  for (const member of members.toSorted((a, b) => a.joinedMs - b.joinedMs || a.id - b.id)) {
    const { company, joinedMs, leftMs, isResting } = member;
    const ending = member.ending && spokenEnding(member.ending, isResting);
    const name = nameOf(company);
    if (!met.has(company) || !isFirst(member))
      history.push(event("joined", joinedMs, company, fleetJoinedText(name, met.has(company))));
    met.add(company);
    if (leftMs === null) continue;
    changedMs = Math.max(changedMs, leftMs);
    // Without an ending, it wasn't followed any more.
    const text = ending === null ? fleetDisconnectedText(name) : fleetLeftText(name, ending);
    history.push(event("left", leftMs, company, text));
  }
  if (fleet.endedMs === null) return history;
  for (const { company, state } of fleet.companies) {
    const isStaying = members.some((one) => one.company === company && one.leftMs === null);
    if (state === "alone" && isStaying)
      history.push(event("alone", changedMs, company, fleetAloneText(nameOf(company))));
  }
  return [...history, event("ended", changedMs, null, fleetEndedText(fleet.ended))];
}

/** What a person did about a company's incident, or that we lost sight of the company. */
function actOf(event: IncidentEventRow, nameOf: (company: string) => string): TimelineEvent {
  const { company, kind, at, byName } = event;
  return {
    at: at.toISOString(),
    kind: kind as TimelineEvent["kind"],
    company,
    by: byName,
    text: actText(event, nameOf(company)),
  };
}

function actText(event: IncidentEventRow, name: string): string {
  const { kind, byId, text } = event;
  if (kind === "blind") return fleetBlindText(name);
  if (kind === "seen_again") return fleetSeenText(name);
  if (kind === "noted") return text ?? "";
  const told = eventText(event, (endpointId) => endpointId);
  if (byId === null) return `${name}: ${told ?? ""}`;
  return kind === "owned"
    ? `${told ?? ""} at ${name}`
    : fleetActText(kind as "acknowledged", name, told);
}

const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));
