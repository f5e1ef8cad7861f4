import { askFirstScript } from "@/components/ui/ask-first-script";

/** Where the page's scripts fetch what was typed before they ran. */
export const TAKE = "earlyKeys";
/** On the button that leads to the search: what was typed for it so far. Styled in shell.css. */
export const HEARD = "data-heard";

/**
 * From here on the search hears what is meant for it. Called once.
 * @returns what was typed after Ctrl K; null when the search was not asked for or that is too long ago
 */
export function takeEarlyText(): string | null {
  const text = askFirstScript(TAKE, true);
  return typeof text === "string" ? text : null;
}

/**
 * From here on the rows of the page hear keys.
 * @returns what was pressed outside of fields, in order; nothing when that is too long ago or was told before
 */
export function takeEarlyKeys(): readonly string[] {
  const keys = askFirstScript(TAKE, false);
  return Array.isArray(keys) ? (keys as string[]) : [];
}
