import type { Trouble } from "@/lib/domain/incidents/incident";
import type { Weekday } from "@/lib/domain/quiet/planned-quiet";

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

/** Quiet hours with the clock that instants are on: `aheadMs`: milliseconds ahead of ours; default 0. */
export type ClockedQuietHours = QuietHours & { aheadMs?: number };

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

/**
 * Rules for instants of another clock, such as a company's API's: people make rules, and keep quiet hours, by ours.
 * @param aheadMs how far that clock is ahead of ours, milliseconds
 */
export function rulesOnClock(
  rules: readonly PlannedRule[],
  aheadMs: number,
): readonly PlannedRule[] {
  if (aheadMs === 0) return rules;
  return rules.map((rule) => ({
    ...rule,
    sinceMs: rule.sinceMs + aheadMs,
    quiet: rule.quiet === null ? null : { ...rule.quiet, aheadMs },
  }));
}

/** Whether a rule's companies or partners include this name. */
export function isAmong(name: string, names: "all" | readonly string[]): boolean {
  return names === "all" || names.includes(name);
}

/** The rules that cover a partner of a company. @param partner null: any */
export function rulesFor<R extends Pick<Rule, "companies" | "partners">>(
  rules: readonly R[],
  company: string,
  partner: string | null,
): R[] {
  return rules.filter(
    ({ companies, partners }) =>
      isAmong(company, companies) && (partner === null || isAmong(partner, partners)),
  );
}

/** Wall-clock times as `HH:MM`, `until` also `24:00`; an `until` that isn't after `from` is on the next day. */
export type QuietHours = {
  days: readonly Weekday[];
  from: string;
  until: string;
  time_zone: string;
};

export type BriefTimes = { days: readonly Weekday[]; at: string; time_zone: string };
