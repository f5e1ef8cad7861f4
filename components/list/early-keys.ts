import { callEarlyScript } from "@/components/ui/early/call-early-script";

/** The function on `window` through which hydrated components take early keys. */
export const TAKE = "takeEarlyKeys";
/** On the search button: the text typed for the search so far. Styled in shell.css. */
export const PENDING_SEARCH = "data-pending-search";

/**
 * Takes the text for the search; from then on the search handles its own keys. Called once.
 * @returns text typed after Ctrl K; null when the search wasn't opened, or too long ago
 */
export function takeEarlyText(): string | null {
  const text = callEarlyScript(TAKE, true);
  return typeof text === "string" ? text : null;
}

/**
 * Takes the keys for the page's list; from then on the list handles its own keys.
 * @returns keys pressed outside of fields, in order; empty when too long ago or taken before
 */
export function takeEarlyKeys(): readonly string[] {
  const keys = callEarlyScript(TAKE, false);
  return Array.isArray(keys) ? (keys as string[]) : [];
}
