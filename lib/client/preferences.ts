import { presentZoneName, zoneNamed } from "@/lib/domain/time/present-zone";

/**
 * What this browser prefers, kept in cookies so that the server can draw the first paint with it:
 * no script before paint, no flash. None of these cookies says who somebody is.
 */

export const ZONE_COOKIE = "zone";
export const CLOCK_COOKIE = "clock";
export const START_COOKIE = "start";
const YEAR_SECONDS = 365 * 24 * 3600;

/** The IANA time zone that a cookie names, or UTC when it names none that this runtime knows. */
export function zoneOf(cookie: string | undefined): string {
  return (cookie === undefined ? null : zoneNamed(cookie)) ?? "UTC";
}

/** Whether times are written in the person's own zone or in UTC; a link may ask for one of them. */
export const CLOCKS = ["local", "utc"] as const;
export type ClockChoice = (typeof CLOCKS)[number];

/** The clock that a cookie asks for; anything unknown means the person's own zone. */
export function clockOf(cookie: string | undefined): ClockChoice {
  return CLOCKS.find((choice) => choice === cookie) ?? "local";
}

export function rememberClock(choice: ClockChoice): void {
  remember(CLOCK_COOKIE, choice);
}

/** Where a plain visit begins: a company, by its slug; null: the list of all. Whether somebody may see it is not in it. */
export function startOf(cookie: string | undefined): string | null {
  return cookie === undefined || cookie === "" ? null : cookie;
}

export function rememberStart(slug: string | null): void {
  remember(START_COOKIE, slug ?? "");
}

/** The zone of this browser; remembered so that the next page arrives in it. */
export function browserZone(): string {
  return presentZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone);
}

export function rememberZone(zone: string): void {
  remember(ZONE_COOKIE, zone);
}

/** Keeps a preference for a year. */
export function remember(name: string, value: string) {
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
