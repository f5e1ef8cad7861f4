import type { StreamedAnswer } from "./answer";

/** What a spreadsheet takes for the begin of a formula, in the widths and forms that some of them fold. */
const SIGN = "[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212]";
/** What some of them drop before they look: blanks, what cannot be seen, quotes. */
const DROPPED = "[\\s\\p{C}\\p{Z}\"'`\u2018\u2019\u201C\u201D]";
/** Where a program that splits at these instead of at commas begins a cell, whatever quotes stand around it. */
const SEPARATOR = "[;\\t\\r\\n]";

const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|${DROPPED}*${SIGN})`, "u");
/** Runs without a separator, so that no character is looked at for two of them. */
const FORMULA_INSIDE = new RegExp(`(${SEPARATOR})(?=(?:(?!${SEPARATOR})${DROPPED})*${SIGN})`, "gu");

/** Numbers stay numbers; null is an empty cell. */
type Cells = readonly (string | number | null)[];

/**
 * A table as CSV (RFC 4180: CRLF, quoted where needed), safe to open in a spreadsheet: text that would be
 * taken for a formula gets an apostrophe in front. So does what stands behind a semicolon, a tab or the end
 * of a line inside a text: where those separate cells, our quotes stand in the middle of one and mean nothing.
 */
export function csv(rows: readonly Cells[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/**
 * The answer that a browser keeps as a file of a table, sent as it is made.
 * @param name of the file, without its ending
 * @param pieces parts of the table in their order, the first of which begins with the names of the columns
 */
export function csvFile(name: string, pieces: AsyncGenerator<string, void, void>): StreamedAnswer {
  return {
    status: 200,
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
    },
    pieces,
  };
}

/** Rows of a table that are made into text at once. */
const ROWS_AT_ONCE = 500;

/** A table whose rows are in memory, or are made when they are asked for, as pieces of its text. */
export async function* csvPieces(
  names: readonly string[],
  rows: Iterable<Cells>,
): AsyncGenerator<string, void, void> {
  let piece: Cells[] = [names];
  for (const row of rows) {
    piece.push(row);
    if (piece.length < ROWS_AT_ONCE) continue;
    yield csv(piece);
    piece = [];
  }
  if (piece.length > 0) yield csv(piece);
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const inside = value.replaceAll(FORMULA_INSIDE, "$1'");
  const harmless = FORMULA.test(value) ? `'${inside}` : inside;
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
