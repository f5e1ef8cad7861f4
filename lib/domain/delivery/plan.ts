import { stretchAt, type Stretch } from "@/lib/domain/history";
import { compareTroubles, type Trouble } from "@/lib/domain/incidents/incident";
import { isMine } from "@/lib/domain/incidents/mine";
import { everyWeek, quietWithin } from "@/lib/domain/quiet/planned-quiet";
import { isAmong, type QuietHours, type Rule } from "./rule";
import { phaseAt, type IncidentTimeline, type Phase } from "./incident-timeline";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Weekly hours that last longer than this last all week. */
const WEEK_AND_MORE_MS = 9 * 86_400_000;

/** A rule that reaches one place. */
export type PlannedRule = Rule & {
  /** What fell due before isn't told by itself, epoch milliseconds. */
  sinceMs: number;
  /** Only what this person owns or is on, and only companies that they look after; null: whatever. */
  onlyFor: string | null;
};

/** Who looks after a company, and who stands in from one moment until another. Instants are epoch milliseconds. */
export type Care = {
  /** Null: the administrators do. */
  ownerId: string | null;
  standIn: (Stretch & { id: string }) | null;
};

/** A stretch in which we couldn't see a company that is worth telling. Instants are epoch milliseconds. */
export type Blindness = {
  /** Null: from the beginning, we had never seen it before. */
  fromMs: number | null;
  /** From when on it is worth telling. */
  toldFromMs: number;
  /** Null: we still can't. */
  untilMs: number | null;
  /** Whether this place was told of it, so that it is told that we see again, whatever its rules are by now. */
  wasTold: boolean;
};

/**
 * One message that is due. `key` tells it from all others of its company and place.
 * `toldIn`: the key of the message that tells it among others; it isn't sent by itself.
 */
export type Planned = {
  key: string;
  dueMs: number;
  toldIn: string | null;
} & (
  | { tells: "opened" | "worse" | "reminder" | "ended"; timeline: IncidentTimeline; phase: Phase }
  | { tells: "blind" | "seen_again"; blindness: Blindness }
  | { tells: "summary" }
);

/**
 * All that one place is to be told of one company, by what is recorded until a moment. Pure: the same record gives the
 * same messages, however often and from wherever it is asked, so that a rehearsal is what would have been sent, and
 * what was lost on the way is found again.
 *
 * - An incident is opened once, when a rule wants it; in quiet hours, or where a rule is newer, one summary tells of
 *   all that are still open.
 * - What was opened is ended, whatever the rules are by then; it is told when it gets worse than was told, whoever is
 *   on it; reminders are for what nobody is on.
 * - While we can't see, only that is told, and then that we can, with all that had happened.
 * @param given.rules those that reach the place; none: nothing new is opened
 * @param given.gaps all stretches that nobody looked in, told or not
 * @param given.untilMs the last observation, epoch milliseconds on the API's clock
 * @param given.nowMs that clock now: what is said of our own sight doesn't wait for an observation
 * @param given.openings when incidents were opened to the place before, by id
 * @returns in the order in which they are due
 */
export function planCompany(given: {
  company: string;
  care: Care;
  timelines: readonly IncidentTimeline[];
  rules: readonly PlannedRule[];
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
  const toldAgain = new Map(
    ofSight.flatMap(({ tells, key, dueMs }) => (tells === "seen_again" ? [[dueMs, key]] : [])),
  );
  const ofIncidents = timelines
    .flatMap((timeline) => {
      const own = rules.filter(({ partners }) => isAmong(timeline.partner, partners));
      const openedMs = openings.get(timeline.incidentId) ?? null;
      return planTimeline(timeline, own, { gaps, toldAgain, openedMs, untilMs });
    })
    .filter(({ dueMs }) => dueMs <= untilMs);
  const summaries = new Map(
    ofIncidents.flatMap(({ toldIn, dueMs }): [string, Planned][] =>
      toldIn?.startsWith(SUMMARY) === true
        ? [[toldIn, { tells: "summary", key: toldIn, dueMs, toldIn: null }]]
        : [],
    ),
  );
  return [...ofSight, ...summaries.values(), ...ofIncidents].toSorted((a, b) => a.dueMs - b.dueMs);
}

/** Of an incident's reminders the last one is enough: those before it were sent while they were due, or came to nothing. */
export function withoutMissedReminders(planned: readonly Planned[]): Planned[] {
  const lastOf = new Map(
    planned.flatMap((one) => (one.tells === "reminder" ? [[one.timeline.incidentId, one]] : [])),
  );
  return planned.filter(
    (one) => one.tells !== "reminder" || lastOf.get(one.timeline.incidentId) === one,
  );
}

const SUMMARY = "summary:";

/** Stands where the key of a blindness has its beginning. A company is seen for the first time only once. */
export const NEVER_SEEN = "never";

/**
 * The stretch in which a company was tried and not seen, before it was seen for the first time.
 * @param given.triedFromMs since when it was tried, epoch milliseconds as all of these; null: it isn't known
 * @param given.firstSeenMs null: it wasn't seen yet
 * @returns null: it isn't worth telling, or not yet
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
  // A clock that was set back meanwhile keeps nothing untold.
  const isLong = firstSeenMs === null ? Math.abs(lastedMs) > blindAfterMs : lastedMs > blindAfterMs;
  if (!isLong) return null;
  const toldFromMs = Math.min(triedFromMs + blindAfterMs, firstSeenMs ?? nowMs);
  return { fromMs: null, toldFromMs, untilMs: firstSeenMs, wasTold: false };
}

/** @param rules those of the company */
function planBlindness(blindness: Blindness, rules: readonly PlannedRule[], care: Care): Planned[] {
  const { fromMs, toldFromMs, untilMs, wasTold } = blindness;
  const heard = rules.flatMap(({ sinceMs, onlyFor }) =>
    caredFor(care, onlyFor).map((span) => ({ ...span, fromMs: Math.max(sinceMs, span.fromMs) })),
  );
  if (!wasTold && heard.length === 0) return [];
  const heardMs = Math.max(toldFromMs, Math.min(...heard.map((span) => span.fromMs)));
  const blindMs = wasTold ? toldFromMs : afterQuiet(heardMs, rules);
  const isHeard = heard.some((span) => blindMs < Math.min(span.untilMs, untilMs ?? Infinity));
  if (!wasTold && !isHeard) return [];
  const told = { toldIn: null, blindness };
  const since = fromMs ?? NEVER_SEEN;
  const blind: Planned = { ...told, tells: "blind", key: `blind:${since}`, dueMs: blindMs };
  if (untilMs === null) return [blind];
  const dueMs = afterQuiet(untilMs, rules);
  return [blind, { ...told, tells: "seen_again", key: `seen_again:${since}`, dueMs }];
}

/** When a company is somebody's, as owner or in the owner's place. @param personId null: of whomever */
function caredFor({ ownerId, standIn }: Care, personId: string | null): Stretch[] {
  if (personId === null || personId === ownerId) return [{ fromMs: -Infinity, untilMs: Infinity }];
  return personId === standIn?.id ? [standIn] : [];
}

/** When a timeline is told; `toldAgain`: the messages that tell we see again, by when they are due. */
type Circumstances = {
  gaps: readonly Stretch[];
  toldAgain: ReadonlyMap<number, string>;
  /** Null: it was not opened to this place yet. */
  openedMs: number | null;
  /** The last observation. */
  untilMs: number;
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
  const planned: Planned[] = [opening];
  let worst = opening.phase.verdict;
  for (const phase of followed) {
    if (!isWorse(phase.verdict, worst)) continue;
    const dueMs = afterQuiet(phase.fromMs, rules);
    const then = phaseAt(phases, dueMs);
    // By the end of quiet hours it may be better again, or over.
    if (rules.length === 0 || then === undefined || !isWorse(then.verdict, worst)) continue;
    worst = then.verdict;
    planned.push({
      tells: "worse",
      key: keyOf(timeline, `worse:${String(worst)}`),
      dueMs,
      toldIn: null,
      timeline,
      phase: then,
    });
  }
  planned.push(...remindersOf(timeline, rules, openedMs, circumstances));
  const ending = followed.find(({ isOpen }) => !isOpen);
  if (ending !== undefined) {
    planned.push({
      tells: "ended",
      key: keyOf(timeline, "ended"),
      dueMs: afterQuiet(ending.fromMs, rules),
      toldIn: null,
      timeline,
      phase: ending,
    });
  }
  return planned;
}

type Opening = Extract<Planned, { timeline: IncidentTimeline }>;

function openingOf(
  timeline: IncidentTimeline,
  rules: readonly PlannedRule[],
  circumstances: Circumstances,
): Opening | null {
  const { openedMs, toldAgain } = circumstances;
  const opening = (dueMs: number, toldIn: string | null): Opening | null => {
    const phase = phaseAt(timeline.phases, dueMs) ?? timeline.phases[0];
    if (phase === undefined) return null;
    return { tells: "opened", key: keyOf(timeline, "opened"), dueMs, toldIn, timeline, phase };
  };
  if (openedMs !== null) return opening(openedMs, null);
  const wanted = rules.flatMap((rule) => firstWanted(timeline, rule, circumstances) ?? []);
  const [first] = wanted.toSorted(
    (a, b) => a.dueMs - b.dueMs || Number(a.isHeld) - Number(b.isHeld),
  );
  if (first === undefined) return null;
  const { dueMs, isHeld } = first;
  return opening(dueMs, isHeld ? `${SUMMARY}${dueMs}` : (toldAgain.get(dueMs) ?? null));
}

/**
 * When a rule wants an incident told.
 * @returns `isHeld`: quiet hours, or that the rule is newer, held it until then; null: it doesn't
 */
function firstWanted(
  { phases }: IncidentTimeline,
  rule: PlannedRule,
  { gaps }: Circumstances,
): { dueMs: number; isHeld: boolean } | null {
  const reached = phases.find(({ verdict }) => reaches(verdict, rule.from_verdict));
  if (reached === undefined) return null;
  const readyMs = reached.fromMs + rule.after_minutes * MINUTE_MS;
  const first = { atMs: Math.max(readyMs, rule.sinceMs), isHeld: rule.sinceMs >= readyMs };
  return nextWanted(phases, first, gaps, rule);
}

/** The first moment from one on at which a rule wants it told, we can see, and it isn't quiet. */
function nextWanted(
  phases: readonly Phase[],
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
      isHeld = false;
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
  { gaps, untilMs }: Circumstances,
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
    const next = nextWanted(timeline.phases, from, gaps, rule, true);
    if (next === null || next.dueMs > lastDueMs) break;
    const phase = phaseAt(timeline.phases, next.dueMs);
    if (phase === undefined) break;
    planned.push({
      tells: "reminder",
      key: keyOf(timeline, `reminder:${next.dueMs}`),
      dueMs: next.dueMs,
      toldIn: next.isHeld ? `${SUMMARY}${next.dueMs}` : null,
      timeline,
      phase,
    });
    lastMs = next.dueMs;
  }
  return planned;
}

/** Of one incident: every quarter of an hour over a month and more. */
const MOST_REMINDERS = 3_000;

function wants(rule: PlannedRule, phase: Phase, isReminder: boolean): boolean {
  const { isOpen, verdict, acknowledgedBy, ownerId } = phase;
  if (!isOpen || !reaches(verdict, rule.from_verdict)) return false;
  if ((rule.unacknowledged_only || isReminder) && acknowledgedBy !== null) return false;
  if (rule.onlyFor === null) return true;
  // New incidents go to the owner of their company: what becomes of that later doesn't tell of earlier ones.
  const company = { companyOwnerId: null, standInId: null };
  return isMine(rule.onlyFor, { ownerId, acknowledgedById: acknowledgedBy, ...company });
}

function reaches(verdict: Trouble | null, from: Trouble): boolean {
  return verdict !== null && compareTroubles(verdict, from) >= 0;
}

function isWorse(verdict: Trouble | null, than: Trouble | null): boolean {
  return verdict !== null && (than === null || compareTroubles(verdict, than) > 0);
}

/** The first moment from one on that isn't quiet by every rule. */
function afterQuiet(atMs: number, rules: readonly PlannedRule[]): number {
  if (rules.length === 0) return atMs;
  const endMs = Math.min(...rules.map(({ quiet }) => quietEndMs(quiet, atMs)));
  // Hours that never end hold nothing back for good.
  return Number.isFinite(endMs) ? endMs : atMs;
}

/** When the quiet hours are over that a moment lies in; the moment itself when it lies in none. */
function quietEndMs(quiet: QuietHours | null, atMs: number): number {
  if (quiet === null) return atMs;
  const { untilMs, stretches } = quietAround(quiet, atMs);
  const now = stretches.find((stretch) => stretch.fromMs <= atMs && atMs < stretch.untilMs);
  if (now === undefined) return atMs;
  return now.untilMs >= untilMs ? Infinity : now.untilMs;
}

type Around = Stretch & { stretches: readonly Stretch[] };
/** Time zones are slow, and one question follows another. */
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

/** Whether what has this key reminds of an incident. */
export function isReminderKey(key: string): boolean {
  return /^incident:\d+:reminder:/.test(key);
}
