import { inOwnOrder } from "./in-own-order";

/**
 * Text that a person or client entered, as it is kept: trimmed, without null characters and without bidirectional
 * control characters, which would reorder the text around it.
 * @returns the empty string if nothing of it can be seen
 */
export function enteredText(text: string): string {
  const kept = inOwnOrder(text.replaceAll("\0", "")).trim();
  return VISIBLE.test(kept) ? kept : "";
}

/** Same, of a name or another text on one line: line breaks, tabs and runs of blanks become one blank. */
export function enteredLine(text: string): string {
  return enteredText(text.replaceAll(/[\p{Cc}\s]+/gu, " "));
}

const VISIBLE = /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u;
