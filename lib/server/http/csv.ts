import type { StreamedResponse } from "./handler-response";

/**
 * Characters that start a formula in spreadsheets, including full-width and compatibility forms.
 */
const SIGN = "[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u2212]";
/** Characters that some of them ignore at the start: whitespace, invisible characters, quotes. */
const DROPPED = "[\\s\\p{C}\\p{Z}\"'`\u2018\u2019\u201C\u201D]";
/**
 * Starts of cells in programs that split at these instead of commas, whatever quotes are around.
 */
const SEPARATOR = "[;\\t\\r\\n]";

const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|${DROPPED}*${SIGN})`, "u");
/** Runs without a separator, so that each character is scanned once. */
const FORMULA_INSIDE = new RegExp(`(${SEPARATOR})(?=(?:(?!${SEPARATOR})${DROPPED})*${SIGN})`, "gu");

/** Numbers stay numbers; null is an empty cell. */
type Cells = readonly (string | number | null)[];

/**
 * A table as CSV (RFC 4180: CRLF, quoted where needed), safe to open in a spreadsheet: text that
 * would be a formula gets a leading apostrophe. So does text after a semicolon, a tab or a line end
 * within a cell: where those are separators, our quotes are in the middle of a cell and have no
 * effect.
 */
export function csv(rows: readonly Cells[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/**
 * A CSV download, streamed while it is generated.
 * @param name of the file, without its extension
 * @param pieces parts of the table in order; the first starts with the header row
 */
export function csvFile(
  name: string,
  pieces: AsyncGenerator<string, void, void>,
): StreamedResponse {
  return {
    status: 200,
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
    },
    pieces,
  };
}

/** Rows that are converted to text at once. */
const ROWS_AT_ONCE = 500;

/** A table, in memory or generated on demand, as pieces of CSV text. */
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

/** The text that a cell was written from; unchanged if it wasn't neutralised. */
export function plainText(cellText: string): string {
  const inside = cellText.startsWith("'") ? cellText.slice(1) : cellText;
  const plain = inside.replaceAll(/([;\t\r\n])'/g, "$1");
  return [plain, inside].find((text) => neutralised(text) === cellText) ?? cellText;
}

function neutralised(value: string): string {
  const inside = value.replaceAll(FORMULA_INSIDE, "$1'");
  return FORMULA.test(value) ? `'${inside}` : inside;
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const harmless = neutralised(value);
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
