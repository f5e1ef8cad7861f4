import type { DayOutcome } from "@/lib/domain/deadlines/deadline";
import { SETTLING_MS } from "@/lib/domain/deadlines/outcome";
import { periodAt, type Period } from "@/lib/domain/history";
import { carePeriods, type Care } from "@/lib/domain/incidents/mine";
import type { Follows } from "./plan";
import { afterQuiet, quietEndMs } from "./quiet-hours";
import { isAmong, type PlannedRule } from "./rule";

/** A feed of a promise. */
type Feed = { endpointId: string; endpointKey: string; partner: string };

/** While a feed's promise was at risk. Epoch milliseconds on the API's clock. */
export type RiskPeriod = Feed & {
  fromMs: number;
  /** The check that showed it differently; null: it was at risk at the last one. */
  untilMs: number | null;
  /** Start of the attempt that counts; null: none was scheduled. */
  attemptMs: number | null;
  /** How long it usually takes, milliseconds; null: unknown. */
  usualMs: number | null;
  /** When the day was due, by the last check that showed it at risk. */
  dueMs: number;
};

/** A closed day of a feed. */
export type JudgedFeed = Feed & {
  outcome: DayOutcome;
  /** The check that closed it. */
  closedMs: number;
};

/**
 * What the last complete check showed of a feed. `open`: it usually gets its data in time; `unknown`: that can't be told,
 * or it is being checked.
 */
export type ShownFeed = {
  endpointId: string;
  state: "open" | "met" | "unknown";
  /** When the day was due by that check, epoch milliseconds on the API's clock. */
  dueMs: number;
};

/** A day of a promise, as far as messages are about it. Epoch milliseconds on the API's clock. */
export type PromiseDay = {
  promiseId: string;
  /** "2026-11-26", in the promise's zone. */
  date: string;
  dueMs: number;
  /** End of the allowance. */
  limitMs: number;
  risks: readonly RiskPeriod[];
  /** Of a day that was announced: the feeds that were at risk. Empty while no check has seen the promise's last change. */
  shown: readonly ShownFeed[];
  /** At least the missed feeds and, of a day that was at risk, those that were or that weren't checked. */
  judged: readonly JudgedFeed[];
  /** Whether all feeds that could be judged are. */
  isClosed: boolean;
};

/**
 * A feed in a message. `open`: the promise was changed, and it isn't at risk any more; `unknown`: the promise was changed,
 * and whether it is at risk isn't known; `not_judged`: the promise didn't apply to it any more when it was due.
 */
export type PromisedFeed = Feed & {
  state: "at_risk" | "open" | "unknown" | DayOutcome | "not_judged";
  attemptMs: number | null;
  usualMs: number | null;
};

/**
 * A message about a day of a promise. `ended`: it was announced as at risk, and is neither met nor missed. `key` is
 * unique within its company and destination.
 */
export type PlannedPromise = {
  key: string;
  dueMs: number;
  tells: "at_risk" | "missed" | "met" | "ended";
  day: PromiseDay;
  /** Those that ask for attention first. */
  feeds: readonly PromisedFeed[];
};

/** What a destination was warned of: when first, and all partners and endpoints that were named. */
export type WrittenWarning = {
  dueMs: number;
  partners: readonly string[];
  endpointIds: readonly string[];
  /** Its message as it is now: by when, whether it calls any feed at risk, and how often it was written. */
  last: { promisedMs: number; isAtRisk: boolean; times: number };
};

type Given = {
  company: string;
  care: Care;
  days: readonly PromiseDay[];
  rules: readonly PlannedRule[];
  follows: Follows;
  gaps: readonly Period[];
  isBlind: boolean;
  untilMs: number;
  nowMs: number;
  waitMs: number;
  written: ReadonlyMap<string, WrittenWarning> | null;
};

/**
 * Plans the messages for one destination about a company's promises, from what is recorded up to an instant. Pure.
 * - A day is announced as at risk at most once, once it has been at risk for `waitMs`, while it still is, and before it
 *   is due. Where messages are edited, feeds that join are added, and a promise that is put off or brought forward.
 * - A day that was announced has one ending, once it is closed, whatever the rules are by then. One that wasn't is
 *   reported only if it was missed. It is met if some feeds met it, none missed it, and all were checked.
 * - Quiet hours and times without observation hold messages back.
 * @param given.rules those that reach the destination
 * @param given.gaps all periods without observation
 * @param given.isBlind whether the company can't be seen now
 * @param given.untilMs the last observation, epoch milliseconds on the API's clock
 * @param given.nowMs current time on that clock
 * @param given.written what the destination was warned of, by `keyOfPromise`; null: of all that was due, for a rehearsal
 * @returns `due`: in order of due time. `nextMs`: when another becomes due if nothing changes, on the API's clock: with the
 * next observation while a day is open; infinite: none does
 */
export function planPromises(given: Given): { due: PlannedPromise[]; nextMs: number } {
  const rules = given.rules.filter(
    ({ companies, promises }) => isAmong(given.company, companies) && promises !== "none",
  );
  const knownMs = given.isBlind ? given.untilMs : Math.max(given.nowMs, given.untilMs);
  const planned = given.days
    .flatMap((day) => planDay(day, rules, given))
    .toSorted((a, b) => a.dueMs - b.dueMs);
  const isAnyOpen = given.days.some(({ isClosed }) => !isClosed);
  const next = planned.find(({ dueMs }) => dueMs > knownMs);
  return {
    due: planned.filter(({ dueMs }) => dueMs <= knownMs),
    nextMs: isAnyOpen ? -Infinity : (next?.dueMs ?? Infinity),
  };
}

/** Identifies a day of a promise among a company's messages. */
export function keyOfPromise({ promiseId, date }: Pick<PromiseDay, "promiseId" | "date">): string {
  return `promise:${promiseId}:${date}`;
}

const keyOfWarning = (day: PromiseDay) => `${keyOfPromise(day)}:at_risk`;

function planDay(day: PromiseDay, rules: readonly PlannedRule[], given: Given): PlannedPromise[] {
  const warnings = warningsOf(day, rules, given);
  const [first] = warnings;
  const warned =
    given.written === null
      ? first === undefined
        ? null
        : { dueMs: first.dueMs, ...namedBy(first), last: lastOf(first) }
      : (given.written.get(keyOfPromise(day)) ?? null);
  const ending = day.isClosed ? endingOf(day, rules, warned, given) : null;
  return ending === null ? warnings : [...warnings, ending];
}

const lastOf = ({ day }: PlannedPromise): WrittenWarning["last"] => ({
  promisedMs: day.dueMs,
  isAtRisk: true,
  times: 1,
});
const namedBy = ({ feeds }: PlannedPromise): Pick<WrittenWarning, "partners" | "endpointIds"> => ({
  partners: [...new Set(feeds.map(({ partner }) => partner))],
  endpointIds: feeds.map(({ endpointId }) => endpointId),
});

function warningsOf(
  day: PromiseDay,
  rules: readonly PlannedRule[],
  given: Given,
): PlannedPromise[] {
  const early = rules.filter(({ promises }) => promises === "at_risk");
  const covered = day.risks.filter(({ partner }) =>
    early.some(({ partners }) => isAmong(partner, partners)),
  );
  const isRehearsal = given.written === null;
  const warned = given.written?.get(keyOfPromise(day));
  const warnedMs = warned?.dueMs ?? null;
  const current = covered.filter(({ untilMs }) => untilMs === null);
  // What was announced stays in the message, whatever the rules are by now.
  const named = day.risks.filter(
    ({ untilMs, endpointId }) => untilMs === null && warned?.endpointIds.includes(endpointId),
  );
  const isOver = given.nowMs >= day.dueMs || current.length === 0;
  if (!isRehearsal && warnedMs === null && isOver) return [];
  const firstOf = new Map<string, number>();
  // A warning that is written late is about what is still at risk.
  for (const risk of isRehearsal || warnedMs !== null ? covered : current) {
    const ms = Math.min(
      ...early
        .filter(({ partners }) => isAmong(risk.partner, partners))
        .map((rule) => firstWanted(risk, rule, day, given)),
    );
    if (ms < (firstOf.get(risk.endpointId) ?? Infinity)) firstOf.set(risk.endpointId, ms);
  }
  const joinedMs = [...new Set(firstOf.values())].toSorted((a, b) => a - b);
  const openedMs = warnedMs ?? joinedMs[0];
  if (openedMs === undefined) return [];
  const later =
    given.follows === "edits" ? joinedMs.filter((ms) => ms > openedMs && isNews(ms)) : [];
  const joined = current.filter(
    ({ endpointId }) => (firstOf.get(endpointId) ?? Infinity) <= given.nowMs,
  );
  const editing = early.length > 0 ? early : rules;
  const moved =
    warned === undefined ? null : movedOf(day, warned, union(named, joined), editing, given);
  const warnings = [openedMs, ...later].map((dueMs): PlannedPromise => ({
    key: dueMs === openedMs ? keyOfWarning(day) : `${keyOfWarning(day)}:${dueMs}`,
    dueMs,
    tells: "at_risk",
    day,
    feeds: (isRehearsal
      ? covered.filter((risk) => isWithin(dueMs, risk))
      : union(named, current)
    ).map(({ endpointId, endpointKey, partner, attemptMs, usualMs }) => ({
      endpointId,
      endpointKey,
      partner,
      state: "at_risk" as const,
      attemptMs,
      usualMs,
    })),
  }));
  return moved === null ? warnings : [...warnings, moved];

  /**
   * An edit that is planned late is replaced by the next one. By names, because instants on our clock, such as the end of
   * quiet hours, move on the API's.
   */
  function isNews(ms: number): boolean {
    if (isRehearsal) return true;
    if (isOver || ms !== joinedMs.findLast((one) => one <= given.nowMs)) return false;
    return current.some(
      ({ endpointId }) =>
        (firstOf.get(endpointId) ?? Infinity) <= ms &&
        warned?.endpointIds.includes(endpointId) !== true,
    );
  }
}

const union = (...lists: readonly (readonly RiskPeriod[])[]) => [...new Set(lists.flat())];

/**
 * A warning that is edited, because its promise was changed since: it is due at another time, or at risk again although
 * the warning says that it isn't any more.
 * @param atRisk what is at risk and was announced, or joins
 * @param rules those whose quiet hours hold it
 * @returns null: what it says still holds, what the change made of it isn't seen yet, or the risk is too young
 */
function movedOf(
  day: PromiseDay,
  { endpointIds, last }: WrittenWarning,
  atRisk: readonly RiskPeriod[],
  rules: readonly PlannedRule[],
  { follows, nowMs, waitMs }: Given,
): PlannedPromise | null {
  const hasChanged = last.promisedMs !== day.dueMs || (!last.isAtRisk && atRisk.length > 0);
  if (follows !== "edits" || day.isClosed || nowMs >= day.dueMs || !hasChanged) return null;
  const named = new Set([...atRisk.map(({ endpointId }) => endpointId), ...endpointIds]);
  const shown = day.shown.filter(({ endpointId }) => named.has(endpointId));
  const isSeen =
    shown.length > 0 && [...shown, ...atRisk].every(({ dueMs }) => dueMs === day.dueMs);
  const isSettled = atRisk.every(({ fromMs }) => fromMs + waitMs <= nowMs);
  if (!isSeen || !isSettled) return null;
  // An ended period of a feed may come after its open one.
  const risks = new Map([...day.risks, ...atRisk].map((risk) => [risk.endpointId, risk]));
  const late = new Set(atRisk.map(({ endpointId }) => endpointId));
  const states = new Map(shown.map(({ endpointId, state }) => [endpointId, state]));
  return {
    key: `${keyOfWarning(day)}:changed:${last.times}`,
    dueMs: afterQuiet(nowMs, rules),
    tells: "at_risk",
    day,
    feeds: [...named].flatMap((id): PromisedFeed[] => {
      const risk = risks.get(id);
      if (risk === undefined) return [];
      const { endpointId, endpointKey, partner, attemptMs, usualMs } = risk;
      if (late.has(id))
        return [{ endpointId, endpointKey, partner, state: "at_risk", attemptMs, usualMs }];
      const state = states.get(id) ?? "unknown";
      return [{ endpointId, endpointKey, partner, state, attemptMs: null, usualMs: null }];
    }),
  };
}

/** @returns the first instant at which a rule wants a risk announced; Infinity: none */
function firstWanted(
  risk: RiskPeriod,
  rule: PlannedRule,
  { dueMs }: PromiseDay,
  { care, gaps, waitMs }: Given,
): number {
  const overMs = Math.min(risk.untilMs ?? Infinity, dueMs);
  let atMs = Math.max(risk.fromMs + waitMs, rule.sinceMs);
  while (atMs < overMs) {
    const caredMs = firstCared(rule, care, atMs);
    const seenMs = periodAt(gaps, caredMs)?.untilMs ?? caredMs;
    const wantedMs = quietEndMs(rule.quiet, seenMs);
    if (wantedMs === atMs) return atMs;
    atMs = wantedMs;
  }
  return Infinity;
}

function isWithin(ms: number, { fromMs, untilMs }: RiskPeriod): boolean {
  return fromMs <= ms && ms < (untilMs ?? Infinity);
}

/** The first instant from another on at which the company is among those that a rule is for; Infinity: none. */
function firstCared({ onlyFor }: PlannedRule, care: Care, atMs: number): number {
  if (onlyFor === null) return atMs;
  const later = carePeriods(care, onlyFor).filter(({ untilMs }) => untilMs > atMs);
  return Math.min(...later.map(({ fromMs }) => Math.max(fromMs, atMs)));
}

/** @param warned null: the day wasn't announced */
function endingOf(
  day: PromiseDay,
  rules: readonly PlannedRule[],
  warned: WrittenWarning | null,
  { care, gaps }: Given,
): PlannedPromise | null {
  const closedMs = Math.max(day.limitMs + SETTLING_MS, ...day.judged.map((one) => one.closedMs));
  const covering = rules.filter(
    (rule) => rule.sinceMs <= closedMs && firstCared(rule, care, closedMs) === closedMs,
  );
  const covers = ({ partner }: Feed) =>
    warned?.partners.includes(partner) === true ||
    covering.some(({ partners }) => isAmong(partner, partners));
  const judged = new Map(day.judged.map((one) => [one.endpointId, one]));
  const announced = new Map(
    warned === null ? [] : day.risks.filter(covers).map((risk) => [risk.endpointId, risk]),
  );
  const missed = day.judged.filter((one) => one.outcome === "missed" && covers(one));
  if (missed.length === 0 && warned === null) return null;
  const unchecked = day.judged.filter(
    (one) => warned !== null && one.outcome === "not_observed" && covers(one),
  );
  const named = new Map(
    [...announced.values(), ...missed, ...unchecked].map((one) => [one.endpointId, one]),
  );
  const feeds = [...named.values()].map(({ endpointId, endpointKey, partner }): PromisedFeed => ({
    endpointId,
    endpointKey,
    partner,
    state: judged.get(endpointId)?.outcome ?? "not_judged",
    attemptMs: null,
    usualMs: null,
  }));
  const isMet = feeds.some(({ state }) => state === "met") && unchecked.length === 0;
  const dueMs = afterQuiet(closedMs, covering);
  return {
    key: `${keyOfPromise(day)}:ended`,
    dueMs: periodAt(gaps, dueMs)?.untilMs ?? dueMs,
    tells: missed.length > 0 ? "missed" : isMet ? "met" : "ended",
    day,
    feeds: feeds.toSorted((a, b) => URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state)),
  };
}

const URGENCY: readonly PromisedFeed["state"][] = [
  "missed",
  "at_risk",
  "unknown",
  "open",
  "not_observed",
  "not_judged",
  "excused",
  "met",
];
