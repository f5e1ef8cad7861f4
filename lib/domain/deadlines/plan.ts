import { groupBy } from "@/lib/domain/collections/group-by";
import type { Period } from "@/lib/domain/history";
import { mapSteps, type Steps } from "@/lib/domain/steps";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { deadlineDays, nextDeadlineDay, type DeadlineDay } from "./calendar";
import type { Deadline } from "./deadline";
import { overruling } from "./holding";
import { closesFromMs } from "./outcome";

/** A deadline with its days of a period and the one after it, ascending. */
export type PlannedDeadline = { deadline: Deadline; days: readonly DeadlineDay[] };

/** A company's days of a period: worked out once, because calendars are slow. */
export type DeadlinePlan = {
  within: Period;
  all: readonly PlannedDeadline[];
  of: PlannedFor;
  /** The first instant after another at which a snapshot closes a day; Infinity: none in the period. */
  nextClosingMs(afterMs: number): number;
};

/** The deadlines that include an endpoint, without the days that a narrower one overrules. */
export type PlannedFor = (endpoint: { id: string; partner: string }) => readonly PlannedDeadline[];

/** Plans all days whose closing may fall into a period, with a pause after each deadline. */
export function* planDeadlines(
  deadlines: readonly Deadline[],
  within: Period,
): Steps<DeadlinePlan> {
  const all = yield* mapSteps(deadlines, (deadline) => ({
    deadline,
    days: daysOf(deadline, within),
  }));
  const closings = all
    .flatMap(({ days }) => days.map(closesFromMs))
    .filter((ms) => ms <= within.untilMs)
    .toSorted((a, b) => a - b);
  return {
    within,
    all,
    of: plannedFor(all),
    nextClosingMs: (afterMs) => closings.find((ms) => ms > afterMs) ?? Infinity,
  };
}

/** Finds the deadlines of each endpoint among a company's, with their days. */
export function plannedFor(all: readonly PlannedDeadline[]): PlannedFor {
  const byEndpoint = groupBy(all, ({ deadline }) => deadline.endpointId);
  const wider = all.filter(({ deadline }) => deadline.endpointId === null);
  const byPartner = groupBy(wider, ({ deadline }) => deadline.partner);
  const ofCompany = wider.filter(({ deadline }) => deadline.partner === null);
  const joined = new Map<string, readonly PlannedDeadline[]>();
  return ({ id, partner }) => {
    const own = byEndpoint.get(id);
    if (own === undefined && ofCompany.length === 0) return byPartner.get(partner) ?? NONE;
    const key = own === undefined ? partner : `${id}\0${partner}`;
    const before = joined.get(key);
    if (before !== undefined) return before;
    const found = inForce([...(own ?? []), ...(byPartner.get(partner) ?? []), ...ofCompany]);
    joined.set(key, found);
    return found;
  };
}

function inForce(planned: readonly PlannedDeadline[]): readonly PlannedDeadline[] {
  const isOverruled = overruling(planned.map(({ deadline }) => deadline));
  return planned.map(({ deadline, days }) => ({
    deadline,
    days: days.filter((day) => !isOverruled(deadline, day)),
  }));
}

/** A day's allowance and settling may end long after it was due. */
function daysOf(deadline: Deadline, { fromMs, untilMs }: Period): readonly DeadlineDay[] {
  const lagMs = closesFromMs({ limitMs: deadline.allowanceMinutes * MINUTE_MS });
  const days = deadlineDays(deadline, { fromMs: fromMs - lagMs, untilMs });
  const next = nextDeadlineDay(deadline, untilMs);
  return next === null || days.some(({ date }) => date === next.date) ? days : [...days, next];
}

const NONE: readonly PlannedDeadline[] = [];
