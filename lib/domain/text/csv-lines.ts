import { OPEN_QUOTE, repeatedColumn } from "./csv-words";

/** A line of a CSV file. `line`: where it starts, from 1. */
export type CsvLine = { line: number; cells: string[] };

/** Why a CSV file can't be read, in a sentence. `line`: from 1. */
export type CsvProblem = { problem: string; line: number };

/** Longest text of a file in a sentence about it, characters. */
export const SHOWN_CHARACTERS = 100;

/**
 * The lines of a CSV file that aren't empty (RFC 4180, with commas or semicolons, with or without a byte order mark).
 * A quote within an unquoted cell is text.
 * @returns `openQuote`: line of the first quote that isn't closed at the end of its cell, from 1
 */
export function csvLines(text: string): { lines: CsvLine[]; openQuote: number | null } {
  const plain = text.replace(/^\uFEFF/, "");
  const [first = ""] = plain.split("\n");
  const separator = first.includes(";") && !first.includes(",") ? ";" : ",";
  const lines: CsvLine[] = [];
  let [cells, cell]: [string[], string] = [[], ""];
  let state: "unquoted" | "quoted" | "closed" = "unquoted";
  let [line, startsAt, quoteAt] = [1, 1, 1];
  const endCell = () => {
    cells.push(cell);
    [cell, state] = ["", "unquoted"];
  };
  const endLine = () => {
    endCell();
    if (cells.some((one) => one.trim() !== "")) lines.push({ line: startsAt, cells });
    cells = [];
    startsAt = line;
  };
  for (let at = 0; at < plain.length; at += 1) {
    const char = plain.charAt(at);
    if (char === "\n") line += 1;
    if (state === "quoted") {
      if (char !== '"') cell += char;
      else if (plain.charAt(at + 1) === '"') {
        cell += char;
        at += 1;
      } else state = "closed";
    } else if (char === separator) endCell();
    else if (char === "\n") endLine();
    else if (char === "\r") continue;
    else if (state === "closed" && char.trim() !== "") return { lines, openQuote: quoteAt };
    else if (char === '"' && cell.trim() === "") [state, quoteAt] = ["quoted", line];
    else cell += char;
  }
  const openQuote = state === "quoted" ? quoteAt : null;
  endLine();
  return { lines, openQuote };
}

/** A CSV file with column names in its first line: trimmed, in lower case. Columns without a name may repeat. */
export function csvTable(text: string): { names: string[]; lines: CsvLine[] } | CsvProblem {
  const {
    lines: [head, ...lines],
    openQuote,
  } = csvLines(text);
  if (openQuote !== null) return { problem: OPEN_QUOTE, line: openQuote };
  const names = (head?.cells ?? []).map((name) => name.trim().toLowerCase());
  const repeated = names.find((name, at) => name !== "" && names.indexOf(name) < at);
  return repeated === undefined
    ? { names, lines }
    : { problem: repeatedColumn(repeated.slice(0, SHOWN_CHARACTERS)), line: 1 };
}
