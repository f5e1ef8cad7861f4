import type { z } from "zod";
import { PromiseRequest } from "@/lib/contracts/promises";
import { csvTable, SHOWN_CHARACTERS, type CsvProblem } from "@/lib/domain/text/csv-lines";
import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { csvFile, csvPieces, plainText } from "@/lib/server/http/csv";
import { externalIdOf, type Connected } from "@/lib/server/operations/connections/external-id";
import { readDeadlines, type DeadlineRow } from "@/lib/server/store/deadlines/read-deadlines";
import { enteredOf } from "./promise-view";
import type { PromisesRuntime } from "./promises";
import { FILE_WITHOUT_COLUMNS, unknownColumn } from "./words";

type Member = keyof z.input<typeof PromiseRequest>;

/** The columns of the file: the members of a request. */
const COLUMNS = [
  "partner",
  "endpoint_id",
  "by",
  "days",
  "month_days",
  "time_zone",
  "data_from",
  "holidays",
  "allowance_minutes",
  "from",
  "until",
  "target_percent",
  "note",
] as const satisfies readonly Member[];
type Column = (typeof COLUMNS)[number];
/** Of the company: the last column of the file, which the import ignores. */
const EXTERNAL_ID = "external_id";

/** Their cells are lists, separated by spaces. */
const LISTS: ReadonlySet<Column> = new Set(["days", "month_days", "holidays"]);
const NUMBERS: ReadonlySet<Column> = new Set(["allowance_minutes", "target_percent"]);

/** The promises of a company as a file that the import takes back: `GET .../promises/csv`. */
export async function getPromisesCsv(
  { database, connections }: Pick<PromisesRuntime, "database"> & Connected,
  { company }: { company: string },
): Promise<StreamedResponse> {
  const rows = await readDeadlines(database, company);
  const externalId = externalIdOf(connections, company);
  const lines = rows.map((row) => [...cellsOf(row), externalId]);
  return csvFile(`promises-${company}`, csvPieces([...COLUMNS, EXTERNAL_ID], lines));
}

function cellsOf(row: DeadlineRow): (string | number | null)[] {
  const entered = {
    partner: row.partnerName,
    endpoint_id: row.endpointId,
    ...enteredOf(row),
  };
  return COLUMNS.map((column) => {
    const value = entered[column];
    return Array.isArray(value) ? value.join(" ") : value;
  });
}

/** A line of a file: the body of a request, not validated. */
export type PromiseLine = { line: number; body: Readonly<Record<string, unknown>> };

/**
 * Reads a file of promises. Columns may be in any order, and optional ones missing; empty cells are left out.
 * @returns the lines after the header, or what is wrong with the header or the quotes
 */
export function readPromiseFile(text: string): { lines: PromiseLine[] } | CsvProblem {
  const table = csvTable(text);
  if ("problem" in table) return table;
  const { names, lines } = table;
  const unknown = names.find((name) => columnNamed(name) === undefined && name !== EXTERNAL_ID);
  if (unknown !== undefined)
    return { problem: unknownColumn(unknown.slice(0, SHOWN_CHARACTERS)), line: 1 };
  const isComplete =
    names.includes("by") &&
    names.includes("time_zone") &&
    (names.includes("days") || names.includes("month_days"));
  if (!isComplete) return { problem: FILE_WITHOUT_COLUMNS, line: 1 };
  return {
    lines: lines.map(({ line, cells }) => ({
      line,
      body: Object.fromEntries(
        names.flatMap((name, at) => {
          const column = columnNamed(name);
          const cell = plainText(cells[at] ?? "").trim();
          return cell === "" || column === undefined ? [] : [[column, valueOf(column, cell)]];
        }),
      ),
    })),
  };
}

function columnNamed(name: string): Column | undefined {
  return COLUMNS.find((column) => column === name);
}

function valueOf(column: Column, cell: string): unknown {
  if (LISTS.has(column)) {
    const parts = cell.split(" ").filter((part) => part !== "");
    return column === "month_days" ? parts.map(numberOr) : parts;
  }
  return NUMBERS.has(column) ? numberOr(cell) : cell;
}

function numberOr(text: string): number | string {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : text;
}
