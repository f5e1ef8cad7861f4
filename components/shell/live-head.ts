import { isPausedAtSource } from "@/lib/domain/sync";
import type { Source, SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import { ageMs } from "@/lib/domain/verdict";
import { pageSubject, rowsAbout, type PageSubject } from "./page-subject";

/** State of a company's snapshot that comes with the page, before the browser polls. */
export type LiveHead = {
  asOf: string | null;
  source: Source;
  /**
   * Rows with the newest and the oldest data among those that the page is about, as the ledger
   * needs.
   */
  extremes: readonly SyncStatusRow[];
  subject: PageSubject;
  /** The server's clock when it rendered the page, epoch milliseconds. */
  nowMs: number;
};

/**
 * The part of a snapshot that every page of a company starts with.
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
 * The rows with the newest and the oldest data, as the ledger needs.
 * @param apiNowMs epoch milliseconds on the API's clock
 */
export function extremes(rows: readonly SyncStatusRow[], apiNowMs: number): SyncStatusRow[] {
  const aged = rows.flatMap((row) => {
    const age = isPausedAtSource(row) || !row.known.reported ? null : ageMs(row, apiNowMs);
    return age === null ? [] : [{ row, age }];
  });
  const [first] = aged;
  if (first === undefined) return [];
  const youngest = aged.reduce((best, other) => (other.age < best.age ? other : best), first);
  const oldest = aged.reduce((best, other) => (other.age > best.age ? other : best), first);
  return [youngest.row, oldest.row];
}
