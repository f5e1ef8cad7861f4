import type { Trouble } from "@/lib/domain/incidents/incident";
import type { Weekday } from "@/lib/domain/quiet/planned-quiet";

/** Whom an incident reaches, from when on, and when not. */
export type Rule = {
  /** Slugs; `all` includes companies that are yet to come. */
  companies: "all" | readonly string[];
  /** Names; `all` includes partners that are yet to come. */
  partners: "all" | readonly string[];
  /** The mildest verdict that is told. */
  from_verdict: Trouble;
  /** For how long the incident must have been open and that bad. */
  after_minutes: number;
  /** Not while somebody is on it. */
  unacknowledged_only: boolean;
  /** Again and again while it is open and nobody is on it; null: never. */
  remind_every_minutes: number | null;
  quiet: QuietHours | null;
  brief: BriefTimes | null;
};

/** Whether a rule's companies or partners are meant to hold one. */
export function isAmong(name: string, names: "all" | readonly string[]): boolean {
  return names === "all" || names.includes(name);
}

/** Wall-clock times as `HH:MM`, until also `24:00`; an `until` that isn't after `from` is on the next day. */
export type QuietHours = {
  days: readonly Weekday[];
  from: string;
  until: string;
  time_zone: string;
};

export type BriefTimes = { days: readonly Weekday[]; at: string; time_zone: string };
