import { isRecord } from "@/lib/client/snapshot";
import { csvTable } from "@/lib/domain/text/csv-lines";
import { badLine, fileProblems } from "./change-words";

const MAX_ROWS = 500;
const MAX_BYTES = 256 * 1024;
/** Columns that every row needs. */
const REQUIRED = ["slug", "name", "base_url", "client_id", "client_secret"];

/** Rows of a file. `lines`: where each begins, from 1; absent if it has no lines. */
type Rows = { rows: unknown[]; lines?: number[] };

/**
 * Reads a file of connections, as JSON or CSV. The rows are validated by the server.
 * @returns the rows, or a sentence that says why the file can't be used
 */
export function readImport(text: string): Rows | { problem: string } {
  if (new TextEncoder().encode(text).length > MAX_BYTES) return { problem: fileProblems.large };
  const read = /^\uFEFF?\s*[[{]/.test(text) ? jsonRows(text) : csvRows(text);
  if (read === null) return { problem: fileProblems.unreadable };
  if ("problem" in read) return read;
  if (read.rows.length === 0) return { problem: fileProblems.empty };
  return read.rows.length > MAX_ROWS ? { problem: fileProblems.many } : read;
}

function jsonRows(text: string): Rows | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return Array.isArray(value) && value.every(isRecord) ? { rows: value } : null;
  } catch {
    return null;
  }
}

/** Empty cells are left out. */
function csvRows(text: string): Rows | { problem: string } | null {
  const table = csvTable(text);
  if ("problem" in table) return { problem: badLine(table) };
  const { names, lines } = table;
  const missing = REQUIRED.filter((name) => !names.includes(name));
  if (missing.length === REQUIRED.length) return null;
  if (missing.length > 0) return { problem: fileProblems.missing(missing) };
  const rows = lines.map(({ cells }) =>
    Object.fromEntries(
      names.flatMap((name, at) => {
        const cell = cells[at]?.trim() ?? "";
        return cell === "" ? [] : [[name, cell]];
      }),
    ),
  );
  return { rows, lines: lines.map(({ line }) => line) };
}
