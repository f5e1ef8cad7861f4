import { MINUTE_MS } from "@/lib/domain/time/units";
import {
  carriedIncidents,
  incidentPart,
  withWorsening,
  type CompanyFacts,
  type IncidentPart,
} from "./incident-parts";
import { planGroups, type Carried, type Changes, type Group, type Written } from "./plan-group";
import type { PlannedRule } from "./rule";

export const CAUSE_LIMITED = "limited";

/** Trouble that began within this time of each other's has one cause. */
export const LIMITED_WITHIN_MS = 15 * MINUTE_MS;

/**
 * Plans what a destination is told about a company's partners that are rate limited: one message for those that got into
 * trouble within 15 minutes and for those that follow while they last.
 * @param limited incidents all of whose endpoints were rate limited when they were opened, and when each began, epoch
 * milliseconds
 * @param given.isElsewhere whether a fleet incident's message reports an incident
 * @param given.nowMs on the axis that all companies share
 * @returns `carried`: by incident, on the clock of the company's API
 */
export function planLimited(
  facts: CompanyFacts,
  limited: ReadonlyMap<number, number>,
  given: {
    rules: readonly PlannedRule[];
    changes: Changes;
    waitMs: number;
    written: ReadonlyMap<number, Written>;
    nowMs: number;
    isElsewhere: (incidentId: number) => boolean;
  },
): { groups: Group<IncidentPart>[]; carried: ReadonlyMap<number, Carried>; nextMs: number } {
  const { company, shiftMs } = facts;
  const all = [...limited].flatMap(([incidentId, beganMs]) => {
    const timeline = facts.incidents.get(incidentId);
    const openedMs = timeline?.phases[0]?.fromMs;
    if (timeline === undefined || openedMs === undefined || given.isElsewhere(incidentId))
      return [];
    const part = incidentPart(facts, timeline, {
      ...given,
      cause: CAUSE_LIMITED,
      subject: String(incidentId),
      joinedMs: openedMs - shiftMs,
      knownMs: openedMs - shiftMs,
      aloneMs: null,
    });
    return part === null ? [] : { part, beganMs };
  });
  const parts = withWorsening(togetherIn(all));
  // Others are only shown where the message can be edited.
  const changes = given.changes === "edits" ? "edits" : "none";
  const { groups, nextMs } = planGroups(parts, {
    ...given,
    changes,
    readyMs: null,
    isComplete: true,
  });
  return { groups, carried: carriedIncidents(groups, parts).get(company) ?? new Map(), nextMs };
}

/** Those that began close to another one, and those that were opened while one of these lasted. */
function togetherIn(all: readonly { part: IncidentPart; beganMs: number }[]): IncidentPart[] {
  const isClose = (a: number, b: number) => Math.abs(a - b) <= LIMITED_WITHIN_MS;
  const together = new Set(
    all.filter(
      ({ part, beganMs }) =>
        part.opening?.groupMs != null ||
        all.some((other) => other.part !== part && isClose(other.beganMs, beganMs)),
    ),
  );
  const lasting = [...together].map(({ part }) => part);
  return all
    .filter(
      (one) =>
        together.has(one) ||
        lasting.some(
          ({ joinedMs, endingMs }) =>
            joinedMs <= one.part.joinedMs && one.part.joinedMs < (endingMs ?? Infinity),
        ),
    )
    .map(({ part }) => part);
}
