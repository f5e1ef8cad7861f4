import { liveUntilMs } from "@/lib/domain/confidence";
import { mergePeriods, type HistoryAxis, type Period } from "@/lib/domain/history";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import {
  readGapsOfWithin,
  readGapsWithin,
  readRecordedState,
  readRecordedStates,
  type RecordedEndpoint,
  type RecordedGap,
  type RecordedState,
} from "./recorded-endpoints";

/** Dependencies of operations on the record. */
export type HistoryRuntime = { database: Database; clock: Clock };

/** A company's record over a range, as of one time. Epoch milliseconds on the API clock. */
export type RecordedRange = {
  company: string;
  nowMs: number;
  /** The last recorded snapshot; null before the first. */
  asOfMs: number | null;
  axis: HistoryAxis;
  /** Gaps that overlap the axis; an ongoing one comes last and ends with the axis. */
  gaps: readonly RecordedGap[];
  rhythmSeconds: number;
  /** API clock minus our clock. */
  offsetMs: number;
};

/**
 * Opens a company's record.
 * @param axisOf returns the requested axis, given the current time
 */
export async function openRecordedRange(
  { database, clock }: HistoryRuntime,
  company: string,
  axisOf: (nowMs: number) => HistoryAxis,
): Promise<RecordedRange> {
  const state = await readRecordedState(database, company);
  const nowMs = clock.nowMs();
  const axis = axisOf(nowMs + (state?.apiClockOffsetMs ?? 0));
  const gaps = await readGapsWithin(database, company, axis);
  return rangeOf(company, { state, gaps, axis, nowMs });
}

/** Opens the records of several companies over one axis, in two statements. @returns an entry for every company */
export async function openRecordedRanges(
  { database, clock }: HistoryRuntime,
  companies: readonly string[],
  axis: HistoryAxis,
): Promise<Map<string, RecordedRange>> {
  const states = await readRecordedStates(database, companies);
  const gapsBy = await readGapsOfWithin(database, companies, axis);
  const nowMs = clock.nowMs();
  return new Map(
    companies.map((company) => {
      const state = states.get(company) ?? null;
      return [company, rangeOf(company, { state, gaps: gapsBy.get(company) ?? [], axis, nowMs })];
    }),
  );
}

/** @param given.nowMs our clock, epoch milliseconds */
function rangeOf(
  company: string,
  given: {
    state: RecordedState | null;
    gaps: readonly RecordedGap[];
    axis: HistoryAxis;
    nowMs: number;
  },
): RecordedRange {
  const { state, gaps, axis } = given;
  const offsetMs = state?.apiClockOffsetMs ?? 0;
  const rhythmSeconds = state?.rhythmSeconds ?? 0;
  const nowMs = given.nowMs + offsetMs;
  const asOfMs = state === null || state.asOfMs === null ? null : state.asOfMs + offsetMs;
  const liveMs = liveUntilMs(asOfMs, rhythmSeconds);
  // A gap is recorded when it ends; an ongoing one starts where the record ends.
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

/** When an endpoint was first observed. */
export function observedFromMs(recorded: RecordedRange, endpoint: RecordedEndpoint): number {
  return Math.min(endpoint.firstSeenMs + recorded.offsetMs, endpoint.firstSampleMs ?? Infinity);
}

/**
 * When an endpoint wasn't listed although we were polling: before it was first seen, and while snapshots lacked
 * it.
 * @param absences from recorded removals; a current absence counts from the last snapshot that listed it
 */
export function absencesOf(
  recorded: RecordedRange,
  endpoint: RecordedEndpoint,
  absences: readonly Period[] = [],
): Period[] {
  const { lastReportedMs } = endpoint;
  const absent = [
    { fromMs: Number.NEGATIVE_INFINITY, untilMs: observedFromMs(recorded, endpoint) },
    ...absences,
  ];
  if (lastReportedMs !== null)
    absent.push({ fromMs: lastReportedMs + recorded.offsetMs, untilMs: Number.POSITIVE_INFINITY });
  return absent;
}

/** Periods on the axis in which an endpoint wasn't observed. */
export function unobservedOf(recorded: RecordedRange, absent: readonly Period[]): Period[] {
  return mergePeriods([...recorded.gaps, ...absent], recorded.axis);
}
