import type { Period } from "@/lib/domain/history";
import { compareTroubles, type Trouble } from "@/lib/domain/incidents/incident";
import type { Care } from "@/lib/domain/incidents/mine";
import { sentFor, type Cause, type WrittenMessage } from "./cause";
import type { IncidentTimeline } from "./incident-timeline";
import { momentsOfIncident } from "./plan";
import type { Carried, Part } from "./plan-group";
import { afterQuiet } from "./quiet-hours";
import { rulesFor, rulesOnClock, type PlannedRule } from "./rule";

/** What planning needs to know about a company for one destination. Its instants are on its API's clock. */
export type CompanyFacts = {
  /** Slug. */
  company: string;
  care: Care;
  gaps: readonly Period[];
  incidents: ReadonlyMap<number, IncidentTimeline>;
  /** How far its clock is ahead of the axis that all companies share, milliseconds. */
  shiftMs: number;
  /** What its clock shows, epoch milliseconds; at least the last observation. */
  nowMs: number;
  /** How long openings wait that wait longer than others, by id. */
  longerWaits: ReadonlyMap<number, number>;
  /** What was written about its incidents for the destination, by id. */
  written: ReadonlyMap<number, { opening: WrittenMessage | null; ending: WrittenMessage | null }>;
};

/** An incident in a group. Its instants are on the axis that all companies share. */
export type IncidentPart = Part & {
  company: string;
  incidentId: number;
  timeline: IncidentTimeline;
  /** See `CompanyFacts`. */
  shiftMs: number;
};

/**
 * An incident as a part of a group.
 * @param given.joinedMs see `Part`, like `knownMs` and `aloneMs`; instants are on the shared axis
 * @returns null: a group of another cause reported it
 */
export function incidentPart(
  facts: CompanyFacts,
  timeline: IncidentTimeline,
  given: Pick<Part, "subject" | "joinedMs" | "knownMs" | "aloneMs"> & {
    cause: Cause;
    rules: readonly PlannedRule[];
    waitMs: number;
  },
): IncidentPart | null {
  const { company, shiftMs } = facts;
  const { incidentId, phases } = timeline;
  const written = facts.written.get(incidentId);
  const opening = sentFor(given.cause, written?.opening ?? null, shiftMs);
  const ending = sentFor(given.cause, written?.ending ?? null, shiftMs);
  if (opening === "elsewhere" || ending === "elsewhere") return null;
  const waitMs = facts.longerWaits.get(incidentId) ?? given.waitMs;
  const moments = momentsOfIncident(timeline, {
    ...facts,
    ...given,
    rules: rulesOnClock(given.rules, { aheadMs: shiftMs, nowMs: facts.nowMs }),
    waitMs,
  });
  const { subject, joinedMs, knownMs, aloneMs } = given;
  const closedMs = phases.find(({ isOpen }) => !isOpen)?.fromMs ?? null;
  const rules = rulesFor(given.rules, company, timeline.partner);
  return {
    id: `${company} ${incidentId}`,
    company,
    incidentId,
    timeline,
    shiftMs,
    subject,
    joinedMs,
    knownMs,
    aloneMs: aloneMs === null ? null : afterQuiet(aloneMs, rules),
    wantedMs: Math.min(moments.wantedMs - shiftMs, opening?.dueMs ?? Infinity),
    openingMs: moments.openingMs - shiftMs,
    closedMs: closedMs === null ? null : closedMs - shiftMs,
    endingMs: moments.endingMs === null ? null : moments.endingMs - shiftMs,
    worseMs: [],
    changesMs: phases.map(({ fromMs }) => fromMs - shiftMs),
    rules,
    opening,
    ending,
  };
}

/** Marks the instants at which one of them got worse than all had been. */
export function withWorsening(parts: readonly IncidentPart[]): IncidentPart[] {
  const instants = parts
    .flatMap(({ id, timeline, shiftMs }) =>
      timeline.phases.map(({ fromMs, verdict }) => ({ id, atMs: fromMs - shiftMs, verdict })),
    )
    .toSorted((a, b) => a.atMs - b.atMs);
  const worse = new Map<string, number[]>();
  let worst: Trouble | null = null;
  for (const { id, atMs, verdict } of instants) {
    if (verdict === null || (worst !== null && compareTroubles(verdict, worst) <= 0)) continue;
    if (worst !== null) worse.set(id, [...(worse.get(id) ?? []), atMs]);
    worst = verdict;
  }
  return parts.map((part) => ({ ...part, worseMs: worse.get(part.id) ?? [] }));
}

/** When incidents are reported by groups, by company and id, on the clock of their company's API. */
export type CarriedIncidents = ReadonlyMap<string, ReadonlyMap<number, Carried>>;

/**
 * When parts are reported by groups, by company and what `keyOf` says, on the clock of their company's API.
 * @param groups those of one cause
 * @param all parts that the groups were planned from
 */
export function carriedBy<P extends Pick<IncidentPart, "id" | "company" | "shiftMs">, K>(
  groups: readonly { carried: ReadonlyMap<string, Carried> }[],
  all: readonly P[],
  keyOf: (part: P) => K,
): Map<string, Map<K, Carried>> {
  const byId = new Map(all.map((part) => [part.id, part]));
  const found = new Map<string, Map<K, Carried>>();
  for (const [id, { fromMs, untilMs }] of groups.flatMap(({ carried }) => [...carried])) {
    const part = byId.get(id);
    if (part === undefined) continue;
    const { company, shiftMs } = part;
    const own = found.get(company) ?? new Map<K, Carried>();
    found.set(company, own);
    own.set(keyOf(part), { fromMs: fromMs + shiftMs, untilMs: untilMs + shiftMs });
  }
  return found;
}

/** @param groups those of one cause */
export function carriedIncidents(
  groups: readonly { carried: ReadonlyMap<string, Carried> }[],
  all: readonly IncidentPart[],
): Map<string, Map<number, Carried>> {
  return carriedBy(groups, all, ({ incidentId }) => incidentId);
}
