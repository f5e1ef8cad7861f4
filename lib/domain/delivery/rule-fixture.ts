import type { Rule } from "./rule";

/** A rule about all companies and partners, at once and without an end. */
export const EVERYTHING = {
  companies: "all",
  partners: "all",
  from_verdict: "late",
  after_minutes: 0,
  unacknowledged_only: false,
  remind_every_minutes: null,
  quiet: null,
  brief: null,
} as const satisfies Rule;
