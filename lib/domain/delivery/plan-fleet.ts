import { visiblyOpenedMs, type Joining } from "@/lib/domain/fleet-incidents/visible";
import type { FleetMember } from "@/lib/domain/fleet-incidents/fleet-incident";
import type { IncidentTimeline } from "./incident-timeline";
import { rulesFor, type PlannedRule } from "./rule";
import {
  carriedIncidents,
  incidentPart,
  withWorsening,
  type CarriedIncidents,
  type CompanyFacts,
  type IncidentPart,
} from "./incident-parts";
import { planGroups, type Changes, type Group, type Written } from "./plan-group";

/** A fleet incident in truth, over all companies. Instants are epoch milliseconds on the axis that all companies share. */
export type RecordedFleet = {
  id: string;
  openedMs: number;
  /** Null: it is open. */
  closedMs: number | null;
  members: readonly FleetMember[];
};

export const causeOfFleet = ({ id }: Pick<RecordedFleet, "id">) => `partner:${id}`;

/**
 * Plans what a destination is told about a fleet incident, over the companies that it may be told of: no message, count
 * or time comes from another.
 * @param companies those that the destination may be told of, by slug
 * @param given.rules those that reach the destination
 * @param given.unread companies that the destination may be told of, and that can't be read
 * @param given.written see `planGroups`
 * @param given.nowMs on the axis that all companies share
 */
export function planFleet(
  fleet: RecordedFleet,
  companies: ReadonlyMap<string, CompanyFacts>,
  given: {
    rules: readonly PlannedRule[];
    changes: Changes;
    waitMs: number;
    unread: ReadonlySet<string>;
    written: ReadonlyMap<number, Written>;
    nowMs: number;
  },
): { groups: Group<IncidentPart>[]; carried: CarriedIncidents; nextMs: number } {
  const { waitMs, nowMs } = given;
  const members = fleet.members.flatMap((member) => {
    const facts = companies.get(member.company);
    const timeline = facts?.incidents.get(member.id);
    const openedMs = timeline?.phases[0]?.fromMs;
    if (facts === undefined || timeline === undefined || openedMs === undefined) return [];
    return { ...member, facts, timeline, openedMs: openedMs - facts.shiftMs };
  });
  const covered = members.filter(
    ({ company, timeline }) => rulesFor(given.rules, company, timeline.partner).length > 0,
  );
  const parts = withWorsening(
    members.flatMap(({ facts, timeline, ...member }) => {
      const part = incidentPart(facts, timeline, {
        ...given,
        cause: causeOfFleet(fleet),
        subject: member.company,
        joinedMs: joinedMs(member, fleet),
        knownMs: Math.max(member.joinedMs, fleet.openedMs),
        aloneMs: leftOpenMs(member, timeline) ?? (member.leftMs === null ? fleet.closedMs : null),
      });
      return part ?? [];
    }),
  );
  const readyMs = visiblyOpenedMs(covered.length > 0 ? covered : members, fleet) + waitMs;
  const isComplete = !fleet.members.some(({ company }) => given.unread.has(company));
  const { groups, nextMs } = planGroups(parts, { ...given, readyMs, isComplete, nowMs });
  return { groups, carried: carriedIncidents(groups, parts), nextMs };
}

/** Those that opened it joined when another company opened it: what counts is when their own incident was opened. */
function joinedMs(member: Joining, { openedMs }: RecordedFleet): number {
  return member.joinedMs === openedMs ? member.openedMs : member.joinedMs;
}

/** When an incident that lasts left it, because its company was disconnected for a while; null: it didn't. */
function leftOpenMs(
  { leftMs, shiftMs = 0 }: FleetMember,
  { phases }: IncidentTimeline,
): number | null {
  if (leftMs === null) return null;
  const endedMs = phases.find(({ isOpen }) => !isOpen)?.fromMs ?? Infinity;
  return endedMs - shiftMs > leftMs ? leftMs : null;
}
