import type { QuietHours, Rule } from "@/lib/domain/delivery/rule";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";

/** What a person's alerts depend on. */
export type Alerts = Rule & { only_mine: boolean };

/** A change that makes alerts quieter; one of them. */
export type Quieter =
  | { from_verdict: Alerts["from_verdict"] }
  | { after_minutes: number }
  | { only_mine: true }
  | { quiet: QuietHours };

/** Minutes that trouble lasts before it is sent; what passes by then needs no one. */
const AFTER_MINUTES = [15, 60] as const;
const NIGHT = { from: "22:00", until: "07:00" } as const;

/**
 * Changes that may make alerts quieter, mildest first.
 * @param timeZone IANA name, for quiet hours
 */
export function quieterThan(alerts: Alerts, timeZone: string): Quieter[] {
  const after = AFTER_MINUTES.find((minutes) => minutes > alerts.after_minutes);
  const worse = TROUBLES.at(TROUBLES.indexOf(alerts.from_verdict) + 1);
  return [
    ...(after === undefined ? [] : [{ after_minutes: after }]),
    ...(worse === undefined ? [] : [{ from_verdict: worse }]),
    ...(alerts.only_mine ? [] : [{ only_mine: true } as const]),
    ...(alerts.quiet === null
      ? [{ quiet: { days: [...WEEKDAYS], ...NIGHT, time_zone: timeZone } }]
      : []),
  ];
}

/** At least this share of the messages goes away, else a change isn't worth it. */
const WORTH = 0.2;

/** Whether a change would make alerts quieter by enough. @param before number of messages, `after` with the change */
export function isQuieter(before: number, after: number): boolean {
  return before > 0 && before - after >= before * WORTH;
}

/** Messages a day, with one decimal below ten. @param days length of the period, more than 0 */
export function perDay(messages: number, days: number): number {
  const rate = messages / days;
  return rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate);
}
