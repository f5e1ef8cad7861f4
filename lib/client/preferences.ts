import { presentZoneName, zoneNamed } from "@/lib/domain/time/present-zone";

/**
 * Preferences of this browser, in cookies so that the server can use them for the first paint: no script before paint,
 * no flash. None of these cookies identifies a person.
 */

export const ZONE_COOKIE = "zone";
export const CLOCK_COOKIE = "clock";
export const START_COOKIE = "start";
const YEAR_SECONDS = 365 * 24 * 3600;

/** The IANA time zone in a cookie, or UTC if this runtime doesn't know it. */
export function zoneOf(cookie: string | undefined): string {
  return (cookie === undefined ? null : zoneNamed(cookie)) ?? "UTC";
}

/** Whether times are shown in the person's zone or in UTC; a link may set it. */
export const CLOCKS = ["local", "utc"] as const;
export type ClockChoice = (typeof CLOCKS)[number];

/** The clock in a cookie; any unknown value means the person's zone. */
export function clockOf(cookie: string | undefined): ClockChoice {
  return CLOCKS.find((choice) => choice === cookie) ?? "local";
}

export function rememberClock(choice: ClockChoice): void {
  remember(CLOCK_COOKIE, choice);
}

/** Start page of a visit: a company, by its slug; null: the list of all. It doesn't imply access. */
export function startOf(cookie: string | undefined): string | null {
  return cookie === undefined || cookie === "" ? null : cookie;
}

export function rememberStart(slug: string | null): void {
  remember(START_COOKIE, slug ?? "");
}

let ownZone: string | null = null;

/**
 * The zone of this browser when it was first asked for; remembered so that the server can use it for the next page.
 * Looking it up takes a millisecond, and React asks in every render.
 */
export function browserZone(): string {
  ownZone ??= presentZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone);
  return ownZone;
}

export function rememberZone(zone: string): void {
  remember(ZONE_COOKIE, zone);
}

/** Stores a preference for a year. */
export function remember(name: string, value: string) {
  document.cookie = preferenceCookie(name, value, window.location.protocol);
}

/** The text that sets a preference's cookie, Secure over HTTPS. @param protocol of the page */
export function preferenceCookie(name: string, value: string, protocol: string): string {
  const secure = protocol === "https:" ? "; Secure" : "";
  return `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}
