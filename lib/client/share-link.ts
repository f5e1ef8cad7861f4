import type { ClockChoice } from "./preferences";

/**
 * The address of a page as it is passed on: all that was chosen on it, and the zone that its times were
 * read in when that is UTC.
 * @param href the page's own, absolute
 * @param given.atMs epoch milliseconds of what the sender saw; null for a link that shows only now
 */
export function shareLink(
  href: string,
  { atMs, clock }: { atMs: number | null; clock: ClockChoice },
): string {
  const link = new URL(href);
  link.hash = "";
  link.searchParams.delete("at");
  link.searchParams.delete("tz");
  if (clock === "utc") link.searchParams.set("tz", "utc");
  // Colons may stand in a query as they are, and a person can read them there.
  const at = atMs === null ? "" : `at=${new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z")}`;
  const query = [link.searchParams.toString(), at].filter(Boolean).join("&");
  link.search = "";
  return query === "" ? link.href : `${link.href}?${query}`;
}
