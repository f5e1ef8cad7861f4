import { stretchAt, type Stretch } from "@/lib/domain/history";
import { compareTroubles, type Trouble } from "@/lib/domain/incidents/incident";
import {
  careStretches,
  companyHandsAt,
  isMine,
  type Care,
  type Hands,
} from "@/lib/domain/incidents/mine";
import { everyWeek, quietWithin } from "@/lib/domain/quiet/planned-quiet";
import { isAmong, type QuietHours, type Rule } from "./rule";
import { phaseAt, type IncidentTimeline, type Phase } from "./incident-timeline";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Weekly hours that last longer than this never end. */
const WEEK_AND_MORE_MS = 9 * 86_400_000;

/** A rule, for one destination. */
export type PlannedRule = Rule & {
  /** As people named it. */
  name: string;
  /** Nothing due before this instant is sent individually, epoch milliseconds. */
  sinceMs: number;
  /** Limits incidents to this person's (`isMine`), and companies to those they own or stand in for; null: no limit. */
  onlyFor: string | null;
};

/**
 * Which changes of an incident a destination gets between its opening and its ending:
 * - `every`: each
 * - `edits`: all that happened within `EDIT_EVERY_MS` in one, which replaces the message before
 * - `worse`: the first time that it gets worse; everything else comes with the next message
 */
export type Follows = "every" | "edits" | "worse";

/** A message is edited at most once in this time. */
export const EDIT_EVERY_MS = 10_000;

/** A period of blindness long enough to report. Instants are epoch milliseconds. */
export type Blindness = {
  /** Null: the company has never been seen. */
  fromMs: number | null;
  /** When it is due to be reported. */
  reportedFromMs: number;
  /** Null: still blind. */
  untilMs: number | null;
  /** Whether it was reported to this destination; if so, recovery is reported too, whatever the rules are by then. */
  wasReported: boolean;
};

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
      tells: "opened" | "changed" | "worse" | "reminder" | "ended";
      timeline: IncidentTimeline;
      phase: Phase;
    }
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
 * @param given.openings when incidents were opened to the destination before, by id
 * @returns in order of due time
 */
export function planCompany(given: {
  company: string;
  care: Care;
  timelines: readonly IncidentTimeline[];
  rules: readonly PlannedRule[];
  follows: Follows;
  followsFromMs: number;
  blindnesses: readonly Blindness[];
  gaps: readonly Stretch[];
  untilMs: number;
  nowMs: number;
  openings: ReadonlyMap<number, number>;
}): Planned[] {
  const { company, timelines, untilMs, nowMs, openings, blindnesses, gaps } = given;
  const rules = given.rules.filter((rule) => isAmong(company, rule.companies));
  const ofSight = blindnesses
    .flatMap((blindness) => planBlindness(blindness, rules, given.care))
    .filter(({ dueMs }) => dueMs <= nowMs);
  const recoveries = new Map(
    ofSight.flatMap(({ tells, key, dueMs }) => (tells === "seen_again" ? [[dueMs, key]] : [])),
  );
  const { follows, followsFromMs } = given;
  const isBlind = blindnesses.some((blindness) => blindness.untilMs === null);
  // What people do is known before the next observation.
  const knownMs = isBlind ? untilMs : Math.max(nowMs, untilMs);
  const ofIncidents = timelines.flatMap((timeline) => {
    const own = rules.filter(({ partners }) => isAmong(timeline.partner, partners));
    const openedMs = openings.get(timeline.incidentId) ?? null;
    const phases = phasesWithCare(timeline.phases, given.care);
    const circumstances = { phases, gaps, recoveries, openedMs, untilMs, follows, followsFromMs };
    return planTimeline(timeline, own, circumstances).filter(
      ({ tells, dueMs }) => dueMs <= (tells === "changed" ? knownMs : untilMs),
    );
  });
  const summaries = new Map(
    ofIncidents.flatMap(({ includedIn, dueMs }): [string, Planned][] =>
      includedIn?.startsWith(SUMMARY) === true
        ? [[includedIn, { tells: "summary", key: includedIn, dueMs, includedIn: null }]]
        : [],
    ),
  );
  return [...ofSight, ...summaries.values(), ...ofIncidents].toSorted((a, b) => a.dueMs - b.dueMs);
}

/** Keeps only the last reminder of each incident: earlier ones were either sent in time or are obsolete. */
export function withoutMissedReminders(planned: readonly Planned[]): Planned[] {
  const lastOf = new Map(
    planned.flatMap((one) => (one.tells === "reminder" ? [[one.timeline.incidentId, one]] : [])),
  );
  return planned.filter(
    (one) => one.tells !== "reminder" || lastOf.get(one.timeline.incidentId) === one,
  );
}

const SUMMARY = "summary:";

/** Takes the place of the start time in the key of a blindness that has none. A company is first seen only once. */
export const NEVER_SEEN = "never";

/**
 * The period in which a new company was polled without ever being seen.
 * @param given.triedFromMs when polling started, epoch milliseconds like all instants here; null: unknown
 * @param given.firstSeenMs null: not seen yet
 * @returns null if it is too short to report, or not long enough yet
 */
export function neverSeen({
  triedFromMs,
  firstSeenMs,
  blindAfterMs,
  nowMs,
}: {
  triedFromMs: number | null;
  firstSeenMs: number | null;
  blindAfterMs: number;
  nowMs: number;
}): Blindness | null {
  if (triedFromMs === null) return null;
  const lastedMs = (firstSeenMs ?? nowMs) - triedFromMs;
  // Also report it if the clock was set back meanwhile.
  const isLong = firstSeenMs === null ? Math.abs(lastedMs) > blindAfterMs : lastedMs > blindAfterMs;
  if (!isLong) return null;
  const reportedFromMs = Math.min(triedFromMs + blindAfterMs, firstSeenMs ?? nowMs);
  return { fromMs: null, reportedFromMs, untilMs: firstSeenMs, wasReported: false };
}

/** @param rules those of the company */
function planBlindness(blindness: Blindness, rules: readonly PlannedRule[], care: Care): Planned[] {
  const { fromMs, reportedFromMs, untilMs, wasReported } = blindness;
  const covered = rules.flatMap(({ sinceMs, onlyFor }) =>
    (onlyFor === null ? [ALWAYS] : careStretches(care, onlyFor)).map((span) => ({
      ...span,
      fromMs: Math.max(sinceMs, span.fromMs),
    })),
  );
  if (!wasReported && covered.length === 0) return [];
  const coveredFromMs = Math.max(reportedFromMs, Math.min(...covered.map((span) => span.fromMs)));
  const blindMs = wasReported ? reportedFromMs : afterQuiet(coveredFromMs, rules);
  const isCovered = covered.some((span) => blindMs < Math.min(span.untilMs, untilMs ?? Infinity));
  if (!wasReported && !isCovered) return [];
  const common = { includedIn: null, blindness };
  const since = fromMs ?? NEVER_SEEN;
  const blind: Planned = { ...common, tells: "blind", key: `blind:${since}`, dueMs: blindMs };
  if (untilMs === null) return [blind];
  const dueMs = afterQuiet(untilMs, rules);
  return [blind, { ...common, tells: "seen_again", key: `seen_again:${since}`, dueMs }];
}

const ALWAYS: Stretch = { fromMs: -Infinity, untilMs: Infinity };

/** A phase with the company's owner and stand-in; they don't change within it. */
type PhaseWithCare = Phase &
  Pick<Hands, "companyOwnerId" | "standInId"> & {
    /** Only the company's owner or stand-in changed: the incident itself is as in the phase before. */
    isSameIncident: boolean;
  };

/** The phases, split where the company's owner or stand-in changes. */
function phasesWithCare(phases: readonly Phase[], care: Care): PhaseWithCare[] {
  const changesMs = [care.ownerSinceMs, care.standIn?.fromMs, care.standIn?.untilMs]
    .flatMap((ms) => ms ?? [])
    .toSorted((a, b) => a - b);
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
  gaps: readonly Stretch[];
  recoveries: ReadonlyMap<number, string>;
  /** Null: not opened to this destination yet. */
  openedMs: number | null;
  /** The last observation. */
  untilMs: number;
  follows: Follows;
  followsFromMs: number;
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
  const { phases } = timeline;
  const followed = phases.filter(({ fromMs }) => fromMs > openedMs);
  const planned: Planned[] = [
    opening,
    ...(circumstances.follows === "worse"
      ? worseningOf(timeline, rules, opening)
      : changesOf(timeline, rules, openedMs, circumstances)),
    ...remindersOf(timeline, rules, openedMs, circumstances),
  ];
  const ending = followed.find(({ isOpen }) => !isOpen);
  if (ending !== undefined) {
    planned.push({
      tells: "ended",
      key: keyOf(timeline, "ended"),
      dueMs: afterQuiet(ending.fromMs, rules),
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
    const key = keyOf(timeline, `worse:${String(phase.verdict)}`);
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
    const seenMs = stretchAt(gaps, slotMs)?.untilMs ?? slotMs;
    const dueMs = afterQuiet(seenMs, rules);
    const phase = phaseAt(phases, dueMs);
    if (dueMs >= endMs || phase === undefined) continue;
    const key = keyOf(timeline, id);
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
    return { tells: "opened", key: keyOf(timeline, "opened"), dueMs, includedIn, timeline, phase };
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
  { phases, gaps }: Circumstances,
): { dueMs: number; isHeld: boolean } | null {
  const reached = phases.find(({ verdict }) => reaches(verdict, rule.from_verdict));
  if (reached === undefined) return null;
  const readyMs = reached.fromMs + rule.after_minutes * MINUTE_MS;
  const first = { atMs: Math.max(readyMs, rule.sinceMs), isHeld: rule.sinceMs >= readyMs };
  return nextWanted(phases, first, gaps, rule);
}

/** The first instant from `from` on at which a rule wants it reported, the company isn't blind and it isn't quiet. */
function nextWanted(
  phases: readonly PhaseWithCare[],
  from: { atMs: number; isHeld: boolean },
  gaps: readonly Stretch[],
  rule: PlannedRule,
  isReminder = false,
): { dueMs: number; isHeld: boolean } | null {
  let { atMs, isHeld } = from;
  for (;;) {
    const wantedMs = phases
      .map((phase, index) => ({ phase, untilMs: phases[index + 1]?.fromMs ?? Infinity }))
      .find(({ phase, untilMs }) => untilMs > atMs && wants(rule, phase, isReminder));
    if (wantedMs === undefined) return null;
    if (wantedMs.phase.fromMs > atMs) {
      atMs = wantedMs.phase.fromMs;
      isHeld = wantedMs.phase.isSameIncident;
    }
    const gap = stretchAt(gaps, atMs);
    const seenMs = gap === null ? atMs : gap.untilMs;
    const quietUntilMs = quietEndMs(rule.quiet, seenMs);
    if (quietUntilMs === seenMs && seenMs === atMs) return { dueMs: atMs, isHeld };
    isHeld ||= quietUntilMs > seenMs;
    atMs = quietUntilMs;
    if (!Number.isFinite(atMs)) return null;
  }
}

function remindersOf(
  timeline: IncidentTimeline,
  rules: readonly PlannedRule[],
  openedMs: number,
  { phases, gaps, untilMs }: Circumstances,
): Planned[] {
  const planned: Planned[] = [];
  const often = rules.flatMap((rule) =>
    rule.remind_every_minutes === null
      ? []
      : [{ rule, everyMs: rule.remind_every_minutes * MINUTE_MS }],
  );
  const [most] = often.toSorted((a, b) => a.everyMs - b.everyMs);
  const endMs = timeline.phases.find(({ isOpen }) => !isOpen)?.fromMs ?? Infinity;
  const lastDueMs = Math.min(untilMs, endMs - 1);
  if (most === undefined) return [];
  const { rule, everyMs } = most;
  const skipped = Math.max(0, Math.ceil((rule.sinceMs - openedMs) / everyMs) - 1);
  let lastMs = openedMs + skipped * everyMs;
  while (planned.length < MOST_REMINDERS) {
    const from = { atMs: lastMs + everyMs, isHeld: false };
    if (from.atMs > lastDueMs) break;
    const next = nextWanted(phases, from, gaps, rule, true);
    if (next === null || next.dueMs > lastDueMs) break;
    const phase = phaseAt(timeline.phases, next.dueMs);
    if (phase === undefined) break;
    planned.push({
      tells: "reminder",
      key: keyOf(timeline, `reminder:${next.dueMs}`),
      dueMs: next.dueMs,
      includedIn: next.isHeld ? `${SUMMARY}${next.dueMs}` : null,
      timeline,
      phase,
    });
    lastMs = next.dueMs;
  }
  return planned;
}

/** Per incident: one every 15 minutes for a month. */
const MOST_REMINDERS = 3_000;

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

/** The first instant from `atMs` on at which at least one rule isn't in its quiet hours. */
function afterQuiet(atMs: number, rules: readonly PlannedRule[]): number {
  if (rules.length === 0) return atMs;
  const endMs = Math.min(...rules.map(({ quiet }) => quietEndMs(quiet, atMs)));
  // Quiet hours that never end don't hold messages back.
  return Number.isFinite(endMs) ? endMs : atMs;
}

/** When the quiet hours around an instant end; the instant itself if it isn't quiet. */
function quietEndMs(quiet: QuietHours | null, atMs: number): number {
  if (quiet === null) return atMs;
  const { untilMs, stretches } = quietAround(quiet, atMs);
  const now = stretches.find((stretch) => stretch.fromMs <= atMs && atMs < stretch.untilMs);
  if (now === undefined) return atMs;
  return now.untilMs >= untilMs ? Infinity : now.untilMs;
}

type Around = Stretch & { stretches: readonly Stretch[] };
/** Time zone computations are slow, and calls for the same hours follow each other. */
const around = new WeakMap<QuietHours, Around>();

function quietAround(quiet: QuietHours, atMs: number): Around {
  const known = around.get(quiet);
  if (known !== undefined && known.fromMs <= atMs && atMs <= known.untilMs - WEEK_AND_MORE_MS)
    return known;
  const { time_zone: timeZone, ...hours } = quiet;
  const span = { fromMs: atMs, untilMs: atMs + 4 * WEEK_AND_MORE_MS };
  const found = { ...span, stretches: quietWithin(everyWeek({ ...hours, timeZone }), span) };
  around.set(quiet, found);
  return found;
}

function keyOf({ incidentId }: IncidentTimeline, what: string): string {
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
