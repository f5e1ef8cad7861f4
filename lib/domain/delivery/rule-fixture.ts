import type { PlannedRule, QuietHours, Rule } from "./rule";

/** A rule for all companies and partners, without delay or end. */
export const EVERYTHING = {
  companies: "all",
  partners: "all",
  from_verdict: "late",
  after_minutes: 0,
  unacknowledged_only: false,
  remind_every_minutes: null,
  promises: "none",
  quiet: null,
  brief: null,
} as const satisfies Rule;

/** A rule for promises at risk, for all time. */
export const PROMISES_AT_RISK: PlannedRule = {
  ...EVERYTHING,
  promises: "at_risk",
  name: "Promises",
  sinceMs: -Infinity,
  onlyFor: null,
};

/** Quiet hours of every day, in UTC. */
export function quietDaily(from: string, until: string): QuietHours {
  return { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from, until, time_zone: "UTC" };
}
