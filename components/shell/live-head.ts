import type { Source, SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { ageMs } from "@/lib/domain/verdict";
import { pageSubject, rowsAbout, type PageSubject } from "./page-subject";

/** What the server says of a company's picture with the page itself, before the browser asks. */
export type LiveHead = {
  asOf: string | null;
  source: Source;
  /** Of what the page is about, the rows with the newest and the oldest data: all that the ledger needs of them. */
  extremes: readonly SyncStatusRow[];
  subject: PageSubject;
  /** The server's clock when it made the page, epoch milliseconds. */
  nowMs: number;
};

/**
 * The part of a snapshot that every page of a company begins with.
 * @param nowMs the server's clock, epoch milliseconds
 * @param path of the page, percent-encoded
 */
export function liveHead(view: SyncStatusView, nowMs: number, path: string): LiveHead {
  const { as_of, source, rows } = view;
  const subject = pageSubject(path);
  return {
    asOf: as_of,
    source,
    nowMs,
    subject,
    extremes: extremes(rowsAbout(rows, subject, null), nowMs + source.api_clock_offset_ms),
  };
}

/**
 * The rows with the youngest and the oldest landing: all that the ledger needs of them.
 * @param apiNowMs epoch milliseconds on the API's clock
 */
export function extremes(rows: readonly SyncStatusRow[], apiNowMs: number): SyncStatusRow[] {
  const aged = rows.flatMap((row) => {
    const age = row.status === "inactive" || !row.known.reported ? null : ageMs(row, apiNowMs);
    return age === null ? [] : [{ row, age }];
  });
  const [first] = aged;
  if (first === undefined) return [];
  const youngest = aged.reduce((best, other) => (other.age < best.age ? other : best), first);
  const oldest = aged.reduce((best, other) => (other.age > best.age ? other : best), first);
  return [youngest.row, oldest.row];
}
