/** What a spreadsheet takes for the begin of a formula, in the widths and forms that some of them fold. */
const SIGN = "[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212]";
/** What some of them drop before they look: blanks, what cannot be seen, quotes. */
const DROPPED = "[\\s\\p{C}\\p{Z}\"'`\u2018\u2019\u201C\u201D]";
/** Where a program that splits at these instead of at commas begins a cell, whatever quotes stand around it. */
const SEPARATOR = "[;\\t\\r\\n]";

const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|${DROPPED}*${SIGN})`, "u");
/** Runs without a separator, so that no character is looked at for two of them. */
const FORMULA_INSIDE = new RegExp(`(${SEPARATOR})(?=(?:(?!${SEPARATOR})${DROPPED})*${SIGN})`, "gu");

/**
 * A table as CSV (RFC 4180: CRLF, quoted where needed), safe to open in a spreadsheet: text that would be
 * taken for a formula gets an apostrophe in front. So does what stands behind a semicolon, a tab or the end
 * of a line inside a text: where those separate cells, our quotes stand in the middle of one and mean nothing.
 * @param rows numbers stay numbers; null is an empty cell
 */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const inside = value.replaceAll(FORMULA_INSIDE, "$1'");
  const harmless = FORMULA.test(value) ? `'${inside}` : inside;
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
