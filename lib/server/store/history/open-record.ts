import { liveUntilMs } from "@/lib/domain/confidence";
import { mergeStretches, type HistoryAxis, type Stretch } from "@/lib/domain/history";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import {
  readGapsWithin,
  readRecordedState,
  type RecordedEndpoint,
  type RecordedGap,
} from "./recorded-endpoints";

/** What the operations on the record need. */
export type HistoryRuntime = { database: Database; clock: Clock };

/** A company's recorded past over a range, opened at one instant. Epoch milliseconds on the API's clock. */
export type RecordedRange = {
  company: string;
  nowMs: number;
  /** The last recorded snapshot; null before the first. */
  asOfMs: number | null;
  axis: HistoryAxis;
  /** Those that overlap the axis; one that lasts is the last and ends where the axis does. */
  gaps: readonly RecordedGap[];
  rhythmSeconds: number;
  /** The API's clock minus ours. */
  offsetMs: number;
};

/**
 * Opens the past of a company.
 * @param axisOf the axis to look at, given the present
 */
export async function openRecordedRange(
  { database, clock }: HistoryRuntime,
  company: string,
  axisOf: (nowMs: number) => HistoryAxis,
): Promise<RecordedRange> {
  const state = await readRecordedState(database, company);
  const offsetMs = state?.apiClockOffsetMs ?? 0;
  const rhythmSeconds = state?.rhythmSeconds ?? 0;
  const nowMs = clock.nowMs() + offsetMs;
  const axis = axisOf(nowMs);
  const gaps = await readGapsWithin(database, company, axis);
  const asOfMs = state === null || state.asOfMs === null ? null : state.asOfMs + offsetMs;
  const liveMs = liveUntilMs(asOfMs, rhythmSeconds);
  // A gap is told when it has ended; while it lasts, the record's end is its begin.
  const lasting =
    asOfMs !== null && liveMs !== null && nowMs > liveMs
      ? { fromMs: asOfMs, untilMs: axis.untilMs, reason: state?.reason ?? "stopped", lasts: true }
      : null;
  return {
    company,
    nowMs,
    asOfMs,
    axis,
    gaps: [...gaps, ...(lasting !== null && lasting.untilMs > lasting.fromMs ? [lasting] : [])],
    rhythmSeconds,
    offsetMs,
  };
}

/** Since when the record knows an endpoint. */
export function observedFromMs(recorded: RecordedRange, endpoint: RecordedEndpoint): number {
  return Math.min(endpoint.firstSeenMs + recorded.offsetMs, endpoint.firstSampleMs ?? Infinity);
}

/**
 * When an endpoint did not exist for us, though we looked: before it was first seen, and while the
 * snapshots lacked it.
 * @param absences as recorded by removal; the present one counts from the last snapshot that had it
 */
export function absencesOf(
  recorded: RecordedRange,
  endpoint: RecordedEndpoint,
  absences: readonly Stretch[] = [],
): Stretch[] {
  const { lastReportedMs } = endpoint;
  const absent = [
    { fromMs: Number.NEGATIVE_INFINITY, untilMs: observedFromMs(recorded, endpoint) },
    ...absences,
  ];
  if (lastReportedMs !== null)
    absent.push({ fromMs: lastReportedMs + recorded.offsetMs, untilMs: Number.POSITIVE_INFINITY });
  return absent;
}

/** Where nothing was observed of an endpoint, on the axis. */
export function unobservedOf(recorded: RecordedRange, absent: readonly Stretch[]): Stretch[] {
  return mergeStretches([...recorded.gaps, ...absent], recorded.axis);
}
