import { confidenceNow, type Picture } from "./confidence";
import { instantMs } from "@/lib/domain/time/instant";
import type { EndpointFacts, SyncAttributes, Verdict } from "./sync";
import { verdict, type Judgement } from "./verdict";

/** A row of a snapshot: what it is judged by, and the verdict that it had when the snapshot was taken. */
export type SnapshotRow = SyncAttributes & { id: string; known: EndpointFacts; verdict: Verdict };

/** When, and how, rows are judged. */
export type Moment = {
  /** Epoch milliseconds on the API's clock. */
  atMs: number;
  /** Verdicts are those of the snapshot, because we no longer see. */
  isFrozen: boolean;
};

/**
 * The moment at which a company's endpoints are judged: now on the API's clock; once we are blind, the
 * snapshot's own, at which every verdict stands still.
 * @param view.as_of ISO 8601; null before the first snapshot
 * @param nowMs the server's clock, epoch milliseconds
 */
export function momentOf(
  view: { as_of: string | null; source: Picture & { api_clock_offset_ms: number } },
  nowMs: number,
): Moment {
  const isFrozen = confidenceNow(view.source, nowMs) === "blind";
  const judgedMs = isFrozen ? (instantMs(view.as_of) ?? nowMs) : nowMs;
  return { atMs: judgedMs + view.source.api_clock_offset_ms, isFrozen };
}

/** Judges a row for display. A frozen word is the snapshot's own, whatever has passed since. */
export function judge(row: Omit<SnapshotRow, "id">, { atMs, isFrozen }: Moment): Judgement {
  const judgement = verdict(row, row.known, atMs);
  return isFrozen ? { ...judgement, word: row.verdict } : judgement;
}

/** The words of all rows, by id. */
export type Verdicts = ReadonlyMap<string, Verdict>;

export function verdictsOf(rows: readonly SnapshotRow[], moment: Moment): Verdicts {
  return new Map(rows.map((row) => [row.id, judge(row, moment).word]));
}
