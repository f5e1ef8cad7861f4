import { confidenceNow, type Picture } from "./confidence";
import { instantMs } from "@/lib/domain/time/instant";
import type { EndpointFacts, SyncAttributes, Verdict } from "./sync";
import { verdict, type Judgement } from "./verdict";

/** A row of a snapshot: the data that it is judged by, and its verdict when the snapshot was taken. */
export type SnapshotRow = SyncAttributes & { id: string; known: EndpointFacts; verdict: Verdict };

/** The instant at which rows are judged, and whether verdicts are frozen. */
export type Moment = {
  /** Epoch milliseconds on the API's clock. */
  atMs: number;
  /** Blind: verdicts are those of the snapshot. */
  isFrozen: boolean;
};

/**
 * The instant at which a company's endpoints are judged: now on the API's clock; when blind, the instant of the
 * snapshot, with frozen verdicts.
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

/** Judges a row for display. A frozen verdict is that of the snapshot. */
export function judge(row: Omit<SnapshotRow, "id">, { atMs, isFrozen }: Moment): Judgement {
  const judgement = verdict(row, row.known, atMs);
  return isFrozen ? { ...judgement, word: row.verdict } : judgement;
}

/** Verdicts of all rows, by id. */
export type Verdicts = ReadonlyMap<string, Verdict>;

export function verdictsOf(rows: readonly SnapshotRow[], moment: Moment): Verdicts {
  return new Map(rows.map((row) => [row.id, judge(row, moment).word]));
}
