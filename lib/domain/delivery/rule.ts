import { compareTroubles, type Trouble } from "@/lib/domain/incidents/incident";
import type { Weekday } from "@/lib/domain/time/weekdays";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";

/** Which messages about promises a rule sends: `at_risk` includes those that are missed. */
export const RULE_PROMISES = ["none", "missed", "at_risk"] as const;
export type RulePromises = (typeof RULE_PROMISES)[number];

/** Which incidents and promises a rule covers, and when they are sent. */
export type Rule = {
  /** Slugs; `all` includes future companies. */
  companies: "all" | readonly string[];
  /** Names; `all` includes future partners. */
  partners: "all" | readonly string[];
  /** The mildest verdict that is reported. */
  from_verdict: Trouble;
  /** How long the incident must have been open and at least that bad. */
  after_minutes: number;
  /** Not while the incident is acknowledged. */
  unacknowledged_only: boolean;
  /** Interval of reminders while it is open and unacknowledged; null: none. */
  remind_every_minutes: number | null;
  promises: RulePromises;
  quiet: QuietHours | null;
  brief: BriefTimes | null;
};

/** Quiet hours with the clock that instants are on. */
export type ClockedQuietHours = QuietHours & {
  /** Milliseconds ahead of ours; default 0. */
  aheadMs?: number;
  /** The hours that these were made of; absent: they weren't put on another clock. */
  madeOf?: QuietHours;
};

/** A rule, for one destination. */
export type PlannedRule = Omit<Rule, "quiet"> & {
  quiet: ClockedQuietHours | null;
  /** As people named it. */
  name: string;
  /** Nothing due before this instant is sent individually, epoch milliseconds. */
  sinceMs: number;
  /** Limits incidents to this person's (`isMine`), and companies to those they own or stand in for; null: no limit. */
  onlyFor: string | null;
};

/** A clock, such as that of a company's API. */
export type OtherClock = {
  /** How far it is ahead of ours, milliseconds. */
  aheadMs: number;
  /** What it shows, epoch milliseconds; at least the last observation. */
  nowMs: number;
};

/** The clocks of several instances differ by less. */
export const MAX_SKEW_MS = MINUTE_MS;
/** How long ago something began whose beginning isn't known; longer than openings wait. */
const UNKNOWN_START_MS = HOUR_MS;

/**
 * When something began, on another clock. What lies ahead of now was written before our clock was set back, and can't
 * hold messages back until then: it counts as having begun an hour ago, so that what happens meanwhile is sent in time.
 * @param startMs on our clock
 */
export function startOnClock(startMs: number, { aheadMs, nowMs }: OtherClock): number {
  const onClockMs = startMs + aheadMs;
  return onClockMs > nowMs + MAX_SKEW_MS ? nowMs - UNKNOWN_START_MS : onClockMs;
}

/** Rules for instants of another clock: people make rules, and keep quiet hours, by ours. */
export function rulesOnClock(
  rules: readonly PlannedRule[],
  clock: OtherClock,
): readonly PlannedRule[] {
  const { aheadMs } = clock;
  return rules.map((rule) => ({
    ...rule,
    sinceMs: startOnClock(rule.sinceMs, clock),
    quiet:
      rule.quiet === null || aheadMs === 0
        ? rule.quiet
        : { ...rule.quiet, aheadMs, madeOf: rule.quiet.madeOf ?? rule.quiet },
  }));
}

/** Whether a rule's companies or partners include this name. */
export function isAmong(name: string, names: "all" | readonly string[]): boolean {
  return names === "all" || names.includes(name);
}

/** Whether a rule covers a partner of a company. @param partner null: any */
export function covers(
  { companies, partners }: Pick<Rule, "companies" | "partners">,
  company: string,
  partner: string | null,
): boolean {
  return isAmong(company, companies) && (partner === null || isAmong(partner, partners));
}

/** Whether a rule covers an incident. @param incident.worst the worst verdict that it has had; null: not known */
export function coversIncident(
  rule: Pick<Rule, "companies" | "partners" | "from_verdict">,
  { company, partner, worst }: { company: string; partner: string; worst: Trouble | null },
): boolean {
  const isBadEnough = worst === null || compareTroubles(worst, rule.from_verdict) >= 0;
  return isBadEnough && covers(rule, company, partner);
}

/** The rules that cover a partner of a company. @param partner null: any */
export function rulesFor<R extends Pick<Rule, "companies" | "partners">>(
  rules: readonly R[],
  company: string,
  partner: string | null,
): R[] {
  return rules.filter((rule) => covers(rule, company, partner));
}

/** Wall-clock times as `HH:MM`, `until` also `24:00`; an `until` that isn't after `from` is on the next day. */
export type QuietHours = {
  days: readonly Weekday[];
  from: string;
  until: string;
  time_zone: string;
};

export type BriefTimes = { days: readonly Weekday[]; at: string; time_zone: string };
