import { periodAt, type Period } from "@/lib/domain/history";
import { compareTroubles, type Trouble } from "@/lib/domain/incidents/incident";
import { companyHandsAt, isMine, type Care, type Hands } from "@/lib/domain/incidents/mine";
import { dueOfBlindness, sinceOf, type Blindness, type Moments } from "./blindness";
import { afterQuiet, quietEndMs } from "./quiet-hours";
import { rulesFor, type PlannedRule } from "./rule";
import { phaseAt, type IncidentTimeline, type Phase } from "./incident-timeline";
import type { Carried } from "./plan-group";
import { MINUTE_MS } from "@/lib/domain/time/units";

/**
 * Which changes of an incident a destination gets between its opening and its ending:
 * - `every`: each
 * - `edits`: all that happened within `EDIT_EVERY_MS` in one, which replaces the message before
 * - `worse`: the first time that it gets worse; everything else comes with the next message
 */
export type Follows = "every" | "edits" | "worse";

/** A message is edited at most once in this time. */
export const EDIT_EVERY_MS = 10_000;

/**
 * One message that is due. `key` is unique within its company and destination.
 * `includedIn`: the key of the summary that includes this message, which then isn't sent individually.
 */
export type Planned = {
  key: string;
  dueMs: number;
  includedIn: string | null;
} & (
  | {
      tells: "opened" | "changed" | "worse" | "ended";
      timeline: IncidentTimeline;
      phase: Phase;
    }
  | { tells: "reminder"; timeline: IncidentTimeline; phase: Phase; everyMs: number }
  | { tells: "blind" | "seen_again"; blindness: Blindness }
  | { tells: "summary" }
);

/**
 * Plans all messages for one destination about one company, from what is recorded up to an instant. Pure: the same
 * record always gives the same messages, so a rehearsal shows exactly what would have been sent, and messages lost on
 * the way are planned again.
 * - An incident is opened once, when a rule wants it. After quiet hours, or under a newer rule, one summary lists all
 *   that are still open. So does one for a person who gets a company with open incidents.
 * - An opened incident is also closed, whatever the rules are by then. It is followed in between (`Follows`), even if it
 *   is acknowledged; reminders are only for unacknowledged incidents. What changed in quiet hours is one change at their
 *   end.
 * - While the company is blind, only the blindness is reported, then the recovery with everything that happened
 *   meanwhile.
 * @param given.followsFromMs changes before this instant aren't sent, epoch milliseconds
 * @param given.rules those that reach the destination; none: nothing new is opened
 * @param given.gaps all periods without observation, reported or not
 * @param given.untilMs the last observation, epoch milliseconds on the API's clock
 * @param given.nowMs current time on that clock: messages about blindness don't wait for an observation
 * @param given.waitMs how long an opening waits at least, from when the incident was opened, or the company is blind
 * @param given.longerWaits of openings that wait longer, by incident
 * @param given.openings when incidents were opened to the destination before, by id
 * @param given.opening incidents whose opening a message about several includes that is only planned yet: nothing is
 * planned of them, so that no ending is written before it
 * @param given.followed what the destination was sent about incidents, by id
 * @param given.carried when incidents, by id, and blindnesses, by `sinceOf`, are reported by messages about several
 * @returns `due`: in order of due time. `nextMs`: when another becomes due if nothing changes and the company isn't blind,
 * on the API's clock; infinite: none does, negative: what waits for `opening`
 */
export function planCompany(given: {
  company: string;
  care: Care;
  timelines: readonly IncidentTimeline[];
  rules: readonly PlannedRule[];
  follows: Follows;
  followsFromMs: number;
  blindnesses: readonly Blindness[];
  gaps: readonly Period[];
  untilMs: number;
  nowMs: number;
  waitMs: number;
  longerWaits: ReadonlyMap<number, number>;
  openings: ReadonlyMap<number, number>;
  opening: ReadonlySet<number>;
  followed: ReadonlyMap<number, Followed>;
  carried: ReadonlyMap<number | string, Carried>;
}): { due: Planned[]; nextMs: number } {
  const { company, timelines, untilMs, nowMs, openings, blindnesses, gaps } = given;
  const rules = rulesFor(given.rules, company, null);
  const isOwn = (one: Planned) => {
    const by = "blindness" in one ? sinceOf(one.blindness) : timelineIdOf(one);
    const carried = given.carried.get(by);
    return carried === undefined || one.dueMs < carried.fromMs || one.dueMs >= carried.untilMs;
  };
  const ofVisibility = blindnesses
    .flatMap((blindness) => planBlindness(blindness, rules, given))
    .filter((one) => one.dueMs <= nowMs && isOwn(one));
  const recoveries = new Map(
    ofVisibility.flatMap(({ tells, key, dueMs }) => (tells === "seen_again" ? [[dueMs, key]] : [])),
  );
  const { follows, followsFromMs } = given;
  const isBlind = blindnesses.some((blindness) => blindness.untilMs === null);
  // What people do is known before the next observation.
  const knownMs = isBlind ? untilMs : Math.max(nowMs, untilMs);
  const common = { gaps, recoveries, untilMs, follows, followsFromMs };
  const ofTimelines = timelines.flatMap((timeline) => {
    const own = rulesFor(rules, company, timeline.partner);
    const openedMs = openings.get(timeline.incidentId) ?? null;
    const phases = phasesWithCare(timeline.phases, given.care);
    const waitMs = given.longerWaits.get(timeline.incidentId) ?? given.waitMs;
    const { dueMs: remindedMs } = given.followed.get(timeline.incidentId) ?? NOT_FOLLOWED;
    return planTimeline(timeline, own, {
      ...common,
      phases,
      openedMs,
      remindedMs,
      waitMs,
    }).map((one) => ({
      one,
      isDue: one.dueMs <= dueUntilMs(one, { untilMs, knownMs, waitMs }),
    }));
  });
  const own = ofTimelines.flatMap(({ one, isDue }) => (isDue && isOwn(one) ? one : []));
  const ofIncidents = own.filter((one) => !given.opening.has(timelineIdOf(one)));
  const later = ofTimelines.flatMap(({ one, isDue }) => (isDue ? [] : one.dueMs));
  if (ofIncidents.length < own.length) later.push(-Infinity);
  const summaries = new Map(
    ofIncidents.flatMap(({ includedIn, dueMs }): [string, Planned][] =>
      includedIn?.startsWith(SUMMARY) === true
        ? [[includedIn, { tells: "summary", key: includedIn, dueMs, includedIn: null }]]
        : [],
    ),
  );
  const due = [...ofVisibility, ...summaries.values(), ...ofIncidents].toSorted(
    (a, b) => a.dueMs - b.dueMs,
  );
  return { due, nextMs: Math.min(Infinity, ...later) };
}

/**
 * Until when messages are due: what happened since the last observation isn't known. What people did is, and an opening
 * doesn't wait for another observation once it has waited.
 */
function dueUntilMs(
  planned: Planned,
  { untilMs, knownMs, waitMs }: { untilMs: number; knownMs: number; waitMs: number },
): number {
  if (planned.tells === "changed") return knownMs;
  const openedMs = planned.tells === "opened" ? planned.timeline.phases[0]?.fromMs : undefined;
  return openedMs === undefined ? untilMs : Math.max(untilMs, Math.min(knownMs, openedMs + waitMs));
}

/** @param given.rules those that reach the destination */
export function momentsOfIncident(
  timeline: IncidentTimeline,
  given: {
    company: string;
    care: Care;
    rules: readonly PlannedRule[];
    gaps: readonly Period[];
    waitMs: number;
  },
): Moments {
  const own = rulesFor(given.rules, given.company, timeline.partner);
  const phases = phasesWithCare(timeline.phases, given.care);
  const firstMs = (waitMs: number) =>
    Math.min(
      ...own.map(
        (rule) => firstWanted(rule, { phases, gaps: given.gaps, waitMs })?.dueMs ?? Infinity,
      ),
    );
  const ending = phases.find(({ isOpen }) => !isOpen);
  return {
    wantedMs: firstMs(0),
    openingMs: firstMs(given.waitMs),
    endingMs: ending === undefined ? null : afterQuiet(ending.fromMs, own),
  };
}

function timelineIdOf(planned: Planned): number {
  return "timeline" in planned ? planned.timeline.incidentId : NaN;
}

/** What a destination was sent about an incident. */
export type Followed = {
  /** When its opening or last reminder was written, epoch milliseconds on our clock. */
  remindedMs: number;
  /** When the last of them was due, epoch milliseconds on the API's clock. */
  dueMs: number;
  /** The last event that a change was written for; 0: none. */
  seq: number;
};

const NOT_FOLLOWED: Followed = { remindedMs: -Infinity, dueMs: -Infinity, seq: 0 };

/**
 * The last reminder is the one that was written last, not the one with the latest time: both clocks may have been set.
 * @param before what was written before the message; null: nothing
 * @param message.writtenMs epoch milliseconds on our clock
 * @param message.dueMs epoch milliseconds on the API's clock
 */
export function followedBy(
  before: Followed | null,
  message: { key: string; writtenMs: number; dueMs: number },
): Followed {
  const { remindedMs, dueMs, seq } = before ?? NOT_FOLLOWED;
  const isReminder = message.key.endsWith(":opened") || repeatedOf(message.key) === "reminder";
  return {
    remindedMs: isReminder ? message.writtenMs : remindedMs,
    dueMs: isReminder ? message.dueMs : dueMs,
    seq: Math.max(seq, eventOf(message.key) ?? 0),
  };
}

/**
 * Whether a change comes before one that was sent. What happened at the same instant is one change, so other changes may
 * be planned once people's actions are placed elsewhere among what was observed.
 */
export function isOutOfOrder(planned: Planned, followed: ReadonlyMap<number, Followed>): boolean {
  if (planned.tells !== "changed") return false;
  const { seq } = followed.get(planned.timeline.incidentId) ?? NOT_FOLLOWED;
  return (eventOf(planned.key) ?? Infinity) < seq;
}

/**
 * Keeps only the last reminder of each incident: earlier ones were either sent in time or are obsolete. It isn't sent
 * within half its interval after the one before, either: when it is due moves with the API's clock, if it comes at the end
 * of quiet hours or of an acknowledgement, so it may be the same one. Nor is one sent of an incident that is acknowledged
 * or over by now: once the API's clock has been set, it may look open and unacknowledged at an earlier instant.
 * @param given.nowMs on the API's clock
 * @param given.aheadMs how far that clock is ahead of ours, milliseconds
 * @param given.followed by incident id
 */
export function withoutMissedReminders(
  planned: readonly Planned[],
  given: { nowMs: number; aheadMs: number; followed: ReadonlyMap<number, Followed> },
): Planned[] {
  const lastOf = new Map(
    planned.flatMap((one) => (one.tells === "reminder" ? [[one.timeline.incidentId, one]] : [])),
  );
  return planned.filter((one) => {
    if (one.tells !== "reminder") return true;
    const { incidentId, phases } = one.timeline;
    if (lastOf.get(incidentId) !== one || phases.some(({ isOpen }) => !isOpen)) return false;
    const now = phaseAt(phases, given.nowMs) ?? one.phase;
    return now.acknowledgedBy === null && !wasReminded(one, given);
  });
}

/**
 * By our clock or by the API's, either of which may have been set since. What lies in the future of a clock that was set
 * back is ignored.
 */
function wasReminded(
  { timeline, dueMs, everyMs }: Extract<Planned, { tells: "reminder" }>,
  {
    nowMs,
    aheadMs,
    followed,
  }: { nowMs: number; aheadMs: number; followed: ReadonlyMap<number, Followed> },
): boolean {
  const last = followed.get(timeline.incidentId) ?? NOT_FOLLOWED;
  const isSoonAfter = (lastMs: number, shiftMs: number) =>
    lastMs <= nowMs - shiftMs + MINUTE_MS && dueMs - shiftMs <= lastMs + everyMs / 2;
  return isSoonAfter(last.remindedMs, aheadMs) || isSoonAfter(last.dueMs, 0);
}

const SUMMARY = "summary:";

/** @param rules those of the company */
function planBlindness(
  blindness: Blindness,
  rules: readonly PlannedRule[],
  given: { care: Care; waitMs: number },
): Planned[] {
  const due = dueOfBlindness(blindness, rules, given);
  if (due === null) return [];
  const { blindMs, seenAgainMs } = due;
  const common = { includedIn: null, blindness };
  const since = sinceOf(blindness);
  const blind: Planned = { ...common, tells: "blind", key: `blind:${since}`, dueMs: blindMs };
  if (seenAgainMs === null) return [blind];
  const key = `seen_again:${since}`;
  return [blind, { ...common, tells: "seen_again", key, dueMs: seenAgainMs }];
}

/** A phase with the company's owner and stand-in; they don't change within it. */
type PhaseWithCare = Phase &
  Pick<Hands, "companyOwnerId" | "standInId"> & {
    /** Only the company's owner or stand-in changed: the incident itself is as in the phase before. */
    isSameIncident: boolean;
  };

/** The phases, split where the company's owner or stand-in changes. */
function phasesWithCare(phases: readonly Phase[], care: Care): PhaseWithCare[] {
  const standInsMs = care.standIns.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]);
  const changesMs = [...new Set([care.ownerSinceMs ?? [], standInsMs].flat())].toSorted(
    (a, b) => a - b,
  );
  return phases.flatMap((phase, index) => {
    const untilMs = phases[index + 1]?.fromMs ?? Infinity;
    const within = changesMs.filter((ms) => phase.fromMs < ms && ms < untilMs);
    return [phase.fromMs, ...within].map((fromMs) => ({
      ...phase,
      ...companyHandsAt(care, fromMs),
      fromMs,
      isSameIncident: fromMs !== phase.fromMs,
    }));
  });
}

/** State that decides when a timeline is reported; `recoveries`: recovery messages by due time. */
type Circumstances = {
  /** Of the timeline. */
  phases: readonly PhaseWithCare[];
  gaps: readonly Period[];
  recoveries: ReadonlyMap<number, string>;
  /** Null: not opened to this destination yet. */
  openedMs: number | null;
  /** When its opening or last reminder was due; -Infinity: none was sent. */
  remindedMs: number;
  /** The last observation. */
  untilMs: number;
  follows: Follows;
  followsFromMs: number;
  waitMs: number;
};

/** @param rules those of its company and partner */
function planTimeline(
  timeline: IncidentTimeline,
  rules: readonly PlannedRule[],
  circumstances: Circumstances,
): Planned[] {
  const opening = openingOf(timeline, rules, circumstances);
  if (opening === null) return [];
  const { dueMs: openedMs } = opening;
  const planned: Planned[] = [
    opening,
    ...(circumstances.follows === "worse"
      ? worseningOf(timeline, rules, opening)
      : changesOf(timeline, rules, openedMs, circumstances)),
    ...remindersOf(timeline, rules, openedMs, circumstances),
  ];
  const ending = timeline.phases.find(({ isOpen }) => !isOpen);
  // What was opened is ended, and at once, also when the API's clock was set back in between.
  const isTold = circumstances.openedMs !== null;
  if (ending !== undefined && (isTold || ending.fromMs > openedMs)) {
    const endedMs = Math.min(Math.max(ending.fromMs, openedMs), circumstances.untilMs);
    planned.push({
      tells: "ended",
      key: keyOfIncident(timeline, "ended"),
      dueMs: afterQuiet(endedMs, rules),
      includedIn: null,
      timeline,
      phase: ending,
    });
  }
  return planned;
}

type Opening = Extract<Planned, { timeline: IncidentTimeline }>;

/** The first time that it is worse than when it was opened to the destination. */
function worseningOf(
  timeline: IncidentTimeline,
  rules: readonly PlannedRule[],
  opening: Opening,
): Planned[] {
  if (rules.length === 0) return [];
  const { phases } = timeline;
  for (const { fromMs, verdict } of phases) {
    if (fromMs <= opening.dueMs || !isWorse(verdict, opening.phase.verdict)) continue;
    const dueMs = afterQuiet(fromMs, rules);
    const phase = phaseAt(phases, dueMs);
    // The incident may have improved or ended by the end of quiet hours.
    if (phase === undefined || !isWorse(phase.verdict, opening.phase.verdict)) continue;
    const key = keyOfIncident(timeline, `worse:${String(phase.verdict)}`);
    return [{ tells: "worse", key, dueMs, includedIn: null, timeline, phase }];
  }
  return [];
}

/** Changes after it was opened to the destination; those due after the ending come with it. */
function changesOf(
  timeline: IncidentTimeline,
  rules: readonly PlannedRule[],
  openedMs: number,
  { gaps, follows, followsFromMs }: Circumstances,
): Planned[] {
  if (rules.length === 0) return [];
  const { phases, moments } = timeline;
  const endMs = phases.find(({ isOpen }) => !isOpen)?.fromMs ?? Infinity;
  const changes = new Map<string, Planned>();
  for (const { id, atMs } of moments) {
    if (atMs <= openedMs || atMs < followsFromMs) continue;
    const slotMs =
      follows === "every" ? atMs : Math.ceil((atMs + 1) / EDIT_EVERY_MS) * EDIT_EVERY_MS;
    const seenMs = periodAt(gaps, slotMs)?.untilMs ?? slotMs;
    const dueMs = afterQuiet(seenMs, rules);
    const phase = phaseAt(phases, dueMs);
    if (dueMs >= endMs || phase === undefined) continue;
    const key = keyOfIncident(timeline, id);
    const change: Planned = { tells: "changed", key, dueMs, includedIn: null, timeline, phase };
    // Those held until the same instant are one change, under the key of the last of them.
    changes.set(follows === "every" && dueMs === atMs ? key : String(dueMs), change);
  }
  return [...changes.values()];
}

function openingOf(
  timeline: IncidentTimeline,
  rules: readonly PlannedRule[],
  circumstances: Circumstances,
): Opening | null {
  const { openedMs, recoveries } = circumstances;
  const opening = (dueMs: number, includedIn: string | null): Opening | null => {
    const phase = phaseAt(timeline.phases, dueMs) ?? timeline.phases[0];
    if (phase === undefined) return null;
    return {
      tells: "opened",
      key: keyOfIncident(timeline, "opened"),
      dueMs,
      includedIn,
      timeline,
      phase,
    };
  };
  if (openedMs !== null) return opening(openedMs, null);
  const wanted = rules.flatMap((rule) => firstWanted(rule, circumstances) ?? []);
  const [first] = wanted.toSorted(
    (a, b) => a.dueMs - b.dueMs || Number(a.isHeld) - Number(b.isHeld),
  );
  if (first === undefined) return null;
  const { dueMs, isHeld } = first;
  return opening(dueMs, isHeld ? `${SUMMARY}${dueMs}` : (recoveries.get(dueMs) ?? null));
}

/**
 * When a rule first wants an incident reported.
 * @returns `isHeld`: quiet hours, the rule's creation or a new owner or stand-in of the company delayed it until then;
 * null: never
 */
function firstWanted(
  rule: PlannedRule,
  { phases, gaps, waitMs }: Pick<Circumstances, "phases" | "gaps" | "waitMs">,
): { dueMs: number; isHeld: boolean } | null {
  const reached = phases.find(({ verdict }) => reaches(verdict, rule.from_verdict));
  if (reached === undefined) return null;
  const openedMs = phases[0]?.fromMs ?? reached.fromMs;
  const readyMs = Math.max(reached.fromMs + rule.after_minutes * MINUTE_MS, openedMs + waitMs);
  const first = { atMs: Math.max(readyMs, rule.sinceMs), isHeld: rule.sinceMs >= readyMs };
  return nextWanted(phases, first, gaps, rule);
}

/** The first instant from `from` on at which a rule wants it reported, the company isn't blind and it isn't quiet. */
function nextWanted(
  phases: readonly PhaseWithCare[],
  from: { atMs: number; isHeld: boolean; index?: number },
  gaps: readonly Period[],
  rule: PlannedRule,
  isReminder = false,
): { dueMs: number; isHeld: boolean; index: number } | null {
  let { atMs, isHeld, index = 0 } = from;
  for (;;) {
    let phase = phases[index];
    while (
      phase !== undefined &&
      ((phases[index + 1]?.fromMs ?? Infinity) <= atMs || !wants(rule, phase, isReminder))
    )
      phase = phases[(index += 1)];
    if (phase === undefined) return null;
    if (phase.fromMs > atMs) {
      atMs = phase.fromMs;
      isHeld = phase.isSameIncident;
    }
    const gap = periodAt(gaps, atMs);
    const seenMs = gap === null ? atMs : gap.untilMs;
    const quietUntilMs = quietEndMs(rule.quiet, seenMs);
    if (quietUntilMs === seenMs && seenMs === atMs) return { dueMs: atMs, isHeld, index };
    isHeld ||= quietUntilMs > seenMs;
    atMs = quietUntilMs;
    if (!Number.isFinite(atMs)) return null;
  }
}

/** Those up to the last observation, and the one after it. */
function remindersOf(
  timeline: IncidentTimeline,
  rules: readonly PlannedRule[],
  openedMs: number,
  { phases, gaps, remindedMs, untilMs }: Circumstances,
): Planned[] {
  const planned: Planned[] = [];
  const often = rules.flatMap((rule) =>
    rule.remind_every_minutes === null
      ? []
      : [{ rule, everyMs: rule.remind_every_minutes * MINUTE_MS }],
  );
  const [most] = often.toSorted((a, b) => a.everyMs - b.everyMs);
  const endMs = timeline.phases.find(({ isOpen }) => !isOpen)?.fromMs ?? Infinity;
  const lastDueMs = endMs - 1;
  if (most === undefined) return [];
  const { rule, everyMs } = most;
  const skipped = Math.max(0, Math.ceil((rule.sinceMs - openedMs) / everyMs) - 1);
  // A rule that was changed counts from the last one; one in the future was sent before the API's clock was set back.
  const countedMs = remindedMs > untilMs ? -Infinity : remindedMs;
  let lastMs = Math.max(openedMs + skipped * everyMs, countedMs);
  let index = 0;
  while (planned.length < MAX_REMINDERS) {
    const from = { atMs: lastMs + everyMs, isHeld: false, index };
    if (from.atMs > lastDueMs) break;
    const next = nextWanted(phases, from, gaps, rule, true);
    if (next === null || next.dueMs > lastDueMs) break;
    const phase = phaseAt(timeline.phases, next.dueMs);
    if (phase === undefined) break;
    planned.push({
      tells: "reminder",
      key: keyOfIncident(timeline, `reminder:${next.dueMs}`),
      dueMs: next.dueMs,
      includedIn: next.isHeld ? `${SUMMARY}${next.dueMs}` : null,
      timeline,
      phase,
      everyMs,
    });
    if (next.dueMs > untilMs) break;
    lastMs = next.dueMs;
    ({ index } = next);
  }
  return planned;
}

/** Per incident: one every 15 minutes for a month. */
const MAX_REMINDERS = 3_000;

function wants(rule: PlannedRule, phase: PhaseWithCare, isReminder: boolean): boolean {
  const { isOpen, verdict, acknowledgedBy, ...hands } = phase;
  if (!isOpen || !reaches(verdict, rule.from_verdict)) return false;
  if ((rule.unacknowledged_only || isReminder) && acknowledgedBy !== null) return false;
  return (
    rule.onlyFor === null || isMine(rule.onlyFor, { ...hands, acknowledgedById: acknowledgedBy })
  );
}

function reaches(verdict: Trouble | null, from: Trouble): boolean {
  return verdict !== null && compareTroubles(verdict, from) >= 0;
}

function isWorse(verdict: Trouble | null, than: Trouble | null): boolean {
  return verdict !== null && (than === null || compareTroubles(verdict, than) > 0);
}

/** Key of a message about an incident. */
export function keyOfIncident({ incidentId }: IncidentTimeline, what: string): string {
  return `incident:${incidentId}:${what}`;
}

/** Messages that an incident can have many of. */
export type Repeated = "reminder" | "update";

/** Which of them a message key belongs to; null: neither. */
export function repeatedOf(key: string): Repeated | null {
  const [, kind] = /^incident:\d+:(reminder|event|expiry):/.exec(key) ?? [];
  if (kind === undefined) return null;
  return kind === "reminder" ? "reminder" : "update";
}

/** The event that the key of a change names; null: none. */
function eventOf(key: string): number | null {
  const [, seq] = /^incident:\d+:event:(\d+)$/.exec(key) ?? [];
  return seq === undefined ? null : Number(seq);
}
