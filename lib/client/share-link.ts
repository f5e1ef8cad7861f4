import type { ClockChoice } from "./preferences";

/**
 * The address of a page for sharing: with everything selected on it, and the zone of its times if that is UTC.
 * @param href the page's own address, absolute
 * @param given.atMs epoch milliseconds of the sender's view; null for a link to the current state
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
  // Colons are allowed in a query, and more readable than their encoding.
  const at = atMs === null ? "" : `at=${new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z")}`;
  const query = [link.searchParams.toString(), at].filter(Boolean).join("&");
  link.search = "";
  return query === "" ? link.href : `${link.href}?${query}`;
}
