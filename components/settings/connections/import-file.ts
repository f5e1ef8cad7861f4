import { isRecord } from "@/lib/client/snapshot";
import type { FileProblem } from "./change-words";

const MOST_ROWS = 500;
const MOST_BYTES = 256 * 1024;
/** Columns that every row needs. */
const REQUIRED = ["slug", "name", "base_url", "client_id", "client_secret"];

/** Reads a file of connections, as JSON or CSV. The rows are validated by the server. */
export function readImport(text: string): { rows: unknown[] } | { problem: FileProblem } {
  if (new TextEncoder().encode(text).length > MOST_BYTES) return { problem: "large" };
  const rows = /^\uFEFF?\s*[[{]/.test(text) ? jsonRows(text) : csvRows(text);
  if (rows === null) return { problem: "unreadable" };
  if (rows.length === 0) return { problem: "empty" };
  return rows.length > MOST_ROWS ? { problem: "many" } : { rows };
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
  const [head = [], ...lines] = csvCells(text.replace(/^\uFEFF/, ""));
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

/** Cells of each line that isn't empty (RFC 4180, with commas or semicolons). */
function csvCells(text: string): string[][] {
  const [first = ""] = text.split("\n");
  const separator = first.includes(";") && !first.includes(",") ? ";" : ",";
  const lines: string[][] = [];
  let line: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endLine = () => {
    line.push(cell);
    if (line.some((one) => one.trim() !== "")) lines.push(line);
    line = [];
    cell = "";
  };
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (isQuoted && char === '"' && text.charAt(at + 1) === '"') {
      cell += char;
      at += 1;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) cell += char;
    else if (char === separator) {
      line.push(cell);
      cell = "";
    } else if (char === "\n") endLine();
    else if (char !== "\r") cell += char;
  }
  endLine();
  return lines;
}
