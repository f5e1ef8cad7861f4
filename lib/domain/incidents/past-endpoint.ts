import { stretchAt, type Stretch } from "@/lib/domain/history";
import { failingSinceMs, isDecisive, NOTHING_KNOWN } from "@/lib/domain/known";
import type { Verdict } from "@/lib/domain/sync";
import type { PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { iso } from "@/lib/domain/time/instant";
import { verdict } from "@/lib/domain/verdict";
import { isTrouble } from "./incident";
import type { ObservedEndpoint } from "./step";
import { troubleBeganMs } from "./trouble-began";

/** What the record holds of an endpoint for a stretch of the past. Instants are epoch milliseconds on the API's clock. */
export type RecordedPast = {
  id: string;
  key: string;
  partner: string;
  /** As they are now: the record has no others. Null: not known. */
  frequencyMinutes: number | null;
  typicalSeconds: number | null;
  /** The last change of its verdict before the stretch; null: none is on record. */
  before: { atMs: number; verdict: Verdict | null } | null;
  /** Its changes within the stretch, ascending; a verdict that is null: it was removed. */
  changes: readonly { atMs: number; verdict: Verdict | null; isRescheduled: boolean }[];
  /** Ascending, the last one before the stretch among them. */
  landingsMs: readonly number[];
  /** Newest first, some from before the stretch among them. */
  runs: readonly { status: string | null; startedMs: number; finishedMs: number | null }[];
};

/** A stretch of a company's record. Instants are epoch milliseconds on the API's clock. */
export type PastStretch = Stretch & {
  /** When we didn't look, since the last observation before the stretch, and for `seenWithinMs` before it. */
  gaps: readonly Stretch[];
  /** Within how long a check sees what happens, as long as there is no gap. */
  seenWithinMs: number;
  /** Planned quiet times that can last within the stretch. */
  quiet: readonly PlannedQuiet[];
  /** All whose verdict changed, or was in trouble or unknown. */
  endpoints: readonly RecordedPast[];
};

/** A check begins before it has read the last page: what it shows may be younger by so much. */
const READ_WITHIN_MS = 20_000;

/** When data that ended no trouble was seen at the latest: by then a check had ended, or the next one after a gap. */
export function seenAtMs(landedMs: number, gaps: readonly Stretch[], seenWithinMs: number): number {
  const lookedMs = landedMs + seenWithinMs;
  const gap = stretchAt(gaps, landedMs) ?? stretchAt(gaps, lookedMs);
  return gap?.untilMs ?? lookedMs;
}

/** As it was seen when the stretch began; null when it was well, or gone. */
export function heldBefore(
  own: RecordedPast,
  { atMs, verdict: held }: NonNullable<RecordedPast["before"]>,
  { fromMs, seenWithinMs }: PastStretch,
  gaps: readonly Stretch[],
): ObservedEndpoint | null {
  if (held === null || (!isTrouble(held) && held !== "unknown")) return null;
  return {
    ...named(own),
    verdict: held,
    // Whatever it is a member or a suspect with began when that was seen first.
    troubleBeganMs: null,
    landedMs:
      own.landingsMs.findLast(
        (landedMs) => landedMs <= atMs || seenAtMs(landedMs, gaps, seenWithinMs) < fromMs,
      ) ?? null,
    lastRun: null,
    isRescheduled: false,
    isQuiet: false,
  };
}

/** As a check saw it that found another verdict. */
export function changed(
  own: RecordedPast,
  { verdict: now, isRescheduled }: { verdict: Verdict; isRescheduled: boolean },
  before: ObservedEndpoint | null,
  atMs: number,
  past: PastStretch,
): ObservedEndpoint {
  // Only data makes an endpoint well that was overdue, and it may have come while the check was reading.
  const upToMs = now === "fresh" || now === "due" ? atMs + READ_WITHIN_MS : atMs;
  const landedMs = landedUpTo(own, upToMs);
  const run = own.runs.find(
    ({ status, finishedMs }) => isDecisive(status) && finishedMs !== null && finishedMs <= upToMs,
  );
  const wasInTrouble = before !== null && isTrouble(before.verdict);
  return {
    ...named(own),
    verdict: now,
    troubleBeganMs: !isTrouble(now)
      ? null
      : wasInTrouble && now !== "failing" && landedMs === before.landedMs
        ? heldBeganMs(before, own, seenBeforeMs(past, atMs))
        : beganMs(own, now, { atMs, landedMs, seenWithinMs: past.seenWithinMs }),
    landedMs,
    lastRun:
      run === undefined
        ? null
        : { status: run.status ?? "", startedMs: run.startedMs, endedMs: run.finishedMs },
    isRescheduled,
    isQuiet: false,
  };
}

/**
 * When a trouble began that a check found: for a failure the end of the first failed run; else when the data was
 * overdue beyond its allowance, where the cadence of today puts that between this check and the one before; else when
 * it was found.
 */
function beganMs(
  own: RecordedPast,
  now: Verdict,
  { atMs, landedMs, seenWithinMs }: { atMs: number; landedMs: number | null; seenWithinMs: number },
): number {
  const ended = own.runs.filter(({ finishedMs }) => finishedMs !== null && finishedMs <= atMs);
  const failedMs = now === "failing" ? failingSinceMs(ended) : null;
  const overdueMs =
    landedMs === null || own.frequencyMinutes === null
      ? null
      : troubleBeganMs(verdict(rowOf(own, landedMs), knownOf(own), atMs), null, atMs);
  const isFoundAtOnce = overdueMs !== null && overdueMs > atMs - seenWithinMs;
  return Math.min(atMs, failedMs ?? Infinity, isFoundAtOnce ? overdueMs : Infinity);
}

function rowOf({ key, partner, frequencyMinutes }: RecordedPast, landedMs: number) {
  return {
    endpoint_key: key,
    partner_name: partner,
    status: "active",
    last_updated_at: iso(landedMs),
    next_sync_at: null,
    last_sync_status: null,
    last_sync_started_at: null,
    last_sync_finished_at: null,
    last_sync_duration_seconds: null,
    frequency_minutes: frequencyMinutes,
    api_calls_last_24h: 0,
  };
}

function knownOf({ typicalSeconds }: RecordedPast) {
  return { ...NOTHING_KNOWN, typical_duration_seconds: typicalSeconds };
}

function named({ id, key, partner }: RecordedPast) {
  return { id, key, partner };
}

/** The newest data up to an instant; null: none is on record. */
function landedUpTo({ landingsMs }: RecordedPast, upToMs: number): number | null {
  return landingsMs.findLast((landedMs) => landedMs <= upToMs) ?? null;
}

/** As it is now that a planned quiet time lasts, or doesn't. */
export function turned(
  seen: ObservedEndpoint,
  isQuiet: boolean,
  own: RecordedPast | undefined,
  atMs: number,
): ObservedEndpoint {
  if (isQuiet === seen.isQuiet) return seen;
  return { ...seen, isQuiet, troubleBeganMs: heldBeganMs(seen, own, atMs) };
}

/**
 * When the trouble began that an endpoint is still in: a run may have completed since it was found, and others failed,
 * with no check in between that would have told of it.
 * @param upToMs runs that ended later weren't seen
 */
function heldBeganMs(
  { verdict: held, troubleBeganMs: begunMs }: ObservedEndpoint,
  own: RecordedPast | undefined,
  upToMs: number,
): number | null {
  if (held !== "failing" || own === undefined || begunMs === null) return begunMs;
  const sinceMs = failingSinceMs(
    own.runs.filter(({ finishedMs }) => finishedMs !== null && finishedMs <= upToMs),
  );
  const isAnother = own.runs.some(
    ({ status, finishedMs }) =>
      status === "completed" &&
      finishedMs !== null &&
      finishedMs > begunMs &&
      finishedMs < (sinceMs ?? -Infinity),
  );
  return isAnother ? sinceMs : begunMs;
}

/** Up to when the check before the one at an instant had seen what happened. */
function seenBeforeMs({ gaps, seenWithinMs }: PastStretch, atMs: number): number {
  // Both ends of a gap are checks.
  const ended = gaps.find(({ untilMs }) => untilMs === atMs);
  if (ended !== undefined) return ended.fromMs;
  const endsMs = gaps.flatMap(({ untilMs }) => (untilMs < atMs ? [untilMs] : []));
  return Math.max(atMs - seenWithinMs, ...endsMs);
}
