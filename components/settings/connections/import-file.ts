import { isRecord } from "@/lib/client/snapshot";
import { csvLines } from "@/lib/domain/text/csv-lines";
import type { FileProblem } from "./change-words";

const MAX_ROWS = 500;
const MAX_BYTES = 256 * 1024;
/** Columns that every row needs. */
const REQUIRED = ["slug", "name", "base_url", "client_id", "client_secret"];

/** Reads a file of connections, as JSON or CSV. The rows are validated by the server. */
export function readImport(text: string): { rows: unknown[] } | { problem: FileProblem } {
  if (new TextEncoder().encode(text).length > MAX_BYTES) return { problem: "large" };
  const rows = /^\uFEFF?\s*[[{]/.test(text) ? jsonRows(text) : csvRows(text);
  if (rows === null) return { problem: "unreadable" };
  if (rows.length === 0) return { problem: "empty" };
  return rows.length > MAX_ROWS ? { problem: "many" } : { rows };
}

function jsonRows(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return Array.isArray(value) && value.every(isRecord) ? value : null;
  } catch {
    return null;
  }
}

/** Empty cells are left out. */
function csvRows(text: string): Record<string, string>[] | null {
  const [head = [], ...lines] = csvLines(text).map(({ cells }) => cells);
  const names = head.map((name) => name.trim().toLowerCase());
  if (!REQUIRED.every((name) => names.includes(name))) return null;
  return lines.map((cells) =>
    Object.fromEntries(
      names.flatMap((name, at) => {
        const cell = cells[at]?.trim() ?? "";
        return cell === "" ? [] : [[name, cell]];
      }),
    ),
  );
}
