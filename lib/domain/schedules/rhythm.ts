import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";

/** How often a project's schedule is uploaded, learned from its own uploads. Instants are epoch milliseconds. */

/** The type that a rhythm follows is the one with the most uploads in this period. */
const TYPE_PERIOD_MS = 365 * DAY_MS;
const ONE_UPLOAD_MS = HOUR_MS;
const GAPS_USED = 10;
const MIN_GAPS = 4;
/** Uploads further in the future aren't counted: such a clock can't be trusted. */
const CLOCK_TOLERANCE_MS = 10 * MINUTE_MS;
const LATE_BY_RHYTHMS = 1.5;
const LATE_BY_MS = 2 * DAY_MS;
/** A state that began since the last read of the source isn't known once that read is older than this. */
const CURRENT_FOR_MS = HOUR_MS;

/** Null: unknown. */
export type ProjectState = "current" | "due" | "behind" | null;

export type Rhythm = {
  /** The type of the uploads below. */
  fileType: string;
  latestMs: number;
  /** Number of uploads that the gaps lie between; 1 without a gap. */
  uploads: number;
  /** Of the gaps; null without one. */
  shortestMs: number | null;
  longestMs: number | null;
  /** Usual gap, above 0; null: too few gaps, or too different ones. */
  rhythmMs: number | null;
  /** When the next upload is expected; null without a rhythm. */
  expectedMs: number | null;
};

/**
 * The usual rhythm of a project: the median of the last ten gaps between uploads of the type that it has most of in a
 * year, of types with equally many the latest. Uploads within an hour are one. It takes at least four gaps, whose
 * middle half doesn't spread by more than the median.
 * @param uploads instants by file type, baselines included, in any order
 * @returns null without an upload in the last year
 */
export function usualRhythm(
  uploads: ReadonlyMap<string, readonly number[]>,
  nowMs: number,
): Rhythm | null {
  let most: { fileType: string; inYear: number; latestMs: number; starts: number[] } | null = null;
  for (const [fileType, instants] of uploads) {
    const sorted = instants
      .filter((ms) => ms <= nowMs + CLOCK_TOLERANCE_MS)
      .toSorted((a, b) => a - b);
    const latestMs = sorted.at(-1);
    if (latestMs === undefined) continue;
    const starts = separateUploads(sorted);
    const inYear = starts.filter((ms) => ms > nowMs - TYPE_PERIOD_MS).length;
    const found = { fileType, inYear, latestMs, starts };
    if (inYear > 0 && (most === null || isBefore(found, most))) most = found;
  }
  if (most === null) return null;
  const { fileType, latestMs, starts } = most;
  const last = starts.slice(-GAPS_USED - 1);
  const gaps = last
    .slice(1)
    .map((ms, at) => ms - (last[at] ?? ms))
    .toSorted((a, b) => a - b);
  const rhythmMs = usualGapMs(gaps);
  return {
    fileType,
    latestMs,
    uploads: last.length,
    shortestMs: gaps[0] ?? null,
    longestMs: gaps.at(-1) ?? null,
    rhythmMs,
    expectedMs: rhythmMs === null ? null : latestMs + rhythmMs,
  };
}

/**
 * Whether a project's next upload is on time, as of now.
 * @param rhythm null: none
 * @param seenMs when the source was last read; null: never
 * @returns null: no rhythm, or the answer may have changed since the source was last read
 */
export function projectState(
  rhythm: Pick<Rhythm, "rhythmMs" | "latestMs"> | null,
  { nowMs, seenMs }: { nowMs: number; seenMs: number | null },
): ProjectState {
  if (rhythm === null || rhythm.rhythmMs === null || seenMs === null) return null;
  const { latestMs, rhythmMs } = rhythm;
  const state = stateAt(nowMs - latestMs, rhythmMs);
  const isOutdated = nowMs - seenMs > CURRENT_FOR_MS;
  return isOutdated && stateAt(seenMs - latestMs, rhythmMs) !== state ? null : state;
}

function stateAt(ageMs: number, rhythmMs: number): NonNullable<ProjectState> {
  if (ageMs > LATE_BY_RHYTHMS * rhythmMs + LATE_BY_MS) return "behind";
  return ageMs >= rhythmMs ? "due" : "current";
}

/** The first of those that are within an hour of it. @param sorted earliest first */
function separateUploads(sorted: readonly number[]): number[] {
  const starts: number[] = [];
  for (const ms of sorted) {
    const start = starts.at(-1);
    if (start === undefined || ms - start > ONE_UPLOAD_MS) starts.push(ms);
  }
  return starts;
}

type Candidate = { fileType: string; inYear: number; latestMs: number };

function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.inYear !== b.inYear) return a.inYear > b.inYear;
  return a.latestMs === b.latestMs ? a.fileType < b.fileType : a.latestMs > b.latestMs;
}

/** @param gaps shortest first */
function usualGapMs(gaps: readonly number[]): number | null {
  if (gaps.length < MIN_GAPS) return null;
  const medianMs = quantile(gaps, 1 / 2);
  return quantile(gaps, 3 / 4) - quantile(gaps, 1 / 4) > medianMs ? null : medianMs;
}

/** By linear interpolation. @param sorted at least one value, smallest first */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}
