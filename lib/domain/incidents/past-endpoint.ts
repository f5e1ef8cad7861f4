import { periodAt, type Period } from "@/lib/domain/history";
import { failingSinceMs, isDecisive, NOTHING_KNOWN } from "@/lib/domain/known";
import type { Verdict } from "@/lib/domain/sync";
import type { PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { iso } from "@/lib/domain/time/instant";
import { verdict } from "@/lib/domain/verdict";
import { isTrouble } from "./incident";
import type { ObservedEndpoint } from "./step";
import { troubleBeganMs } from "./trouble-began";

/** Data that was received. Instants are epoch milliseconds on the API's clock. */
export type RecordedLanding = {
  atMs: number;
  /** The check that showed it first; null: not recorded. */
  seenMs: number | null;
};

/** Recorded data of an endpoint for a past period. Instants are epoch milliseconds on the API's clock. */
export type RecordedPast = {
  id: string;
  key: string;
  partner: string;
  /** Current values, because earlier ones aren't recorded. Null: unknown. */
  frequencyMinutes: number | null;
  typicalSeconds: number | null;
  /** The last change of its verdict before the period; null: none recorded. */
  before: { atMs: number; verdict: Verdict | null } | null;
  /** Its changes within the period, ascending; verdict null: removed. */
  changes: readonly { atMs: number; verdict: Verdict | null; isRescheduled: boolean }[];
  /** Ascending, including the last one that was seen before the period. */
  landings: readonly RecordedLanding[];
  /** Newest first, including some from before the period. */
  runs: readonly { status: string | null; startedMs: number; finishedMs: number | null }[];
};

/** A period of a company's record. Instants are epoch milliseconds on the API's clock. */
export type PastPeriod = Period & {
  /** Gaps from `seenWithinMs` before the last observation that precedes the period. */
  gaps: readonly Period[];
  /** How long it takes until a check sees an event, outside gaps. */
  seenWithinMs: number;
  /** Planned quiet times that can overlap the period. */
  quiet: readonly PlannedQuiet[];
  /** Endpoints whose verdict changed or was in trouble or unknown. */
  endpoints: readonly RecordedPast[];
};

/** A check is dated by its start, so what it read may be newer by up to this. */
const READ_WITHIN_MS = 20_000;

/**
 * When data that ended no trouble was seen. Where that isn't recorded, the latest possible time: by then a check had
 * ended, or the next one after a gap.
 */
export function seenAtMs(
  { atMs, seenMs }: RecordedLanding,
  gaps: readonly Period[],
  seenWithinMs: number,
): number {
  if (seenMs !== null) return seenMs;
  const checkedMs = atMs + seenWithinMs;
  const gap = periodAt(gaps, atMs) ?? periodAt(gaps, checkedMs);
  return gap?.untilMs ?? checkedMs;
}

/** State seen at the start of the period; null if the endpoint was healthy or removed. */
export function heldBefore(
  own: RecordedPast,
  { atMs, verdict: held }: NonNullable<RecordedPast["before"]>,
  { fromMs, seenWithinMs }: PastPeriod,
  gaps: readonly Period[],
): ObservedEndpoint | null {
  if (held === null || (!isTrouble(held) && held !== "unknown")) return null;
  return {
    ...named(own),
    verdict: held,
    // The incidents' state already has the start of a member's or suspect's trouble.
    troubleBeganMs: null,
    landedMs:
      own.landings.findLast(
        (landing) =>
          (landing.seenMs === null && landing.atMs <= atMs) ||
          seenAtMs(landing, gaps, seenWithinMs) < fromMs,
      )?.atMs ?? null,
    lastRun: null,
    isRescheduled: false,
    isQuiet: false,
  };
}

/** State seen by a check that found a different verdict. */
export function changed(
  own: RecordedPast,
  { verdict: now, isRescheduled }: { verdict: Verdict; isRescheduled: boolean },
  before: ObservedEndpoint | null,
  atMs: number,
  past: PastPeriod,
): ObservedEndpoint {
  // Only new data resolves an overdue endpoint, and it may have arrived while the check was reading.
  const upToMs = now === "fresh" || now === "due" ? atMs + READ_WITHIN_MS : atMs;
  const landedMs = landedUpTo(own, atMs, upToMs);
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
 * When a trouble found by a check started: for a failure, the end of the first failed run; otherwise when the data
 * became overdue beyond its allowance, if today's cadence puts that between this check and the previous one; otherwise
 * when it was found.
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

/**
 * The newest landing that a check showed; null: none recorded.
 * @param upToMs the latest landing that the check can have shown, for those without a recorded check
 */
function landedUpTo({ landings }: RecordedPast, checkMs: number, upToMs: number): number | null {
  const landing = landings.findLast(({ atMs, seenMs }) =>
    seenMs === null ? atMs <= upToMs : seenMs <= checkMs,
  );
  return landing?.atMs ?? null;
}

/** The same state with a planned quiet time switched on or off. */
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
 * When the current trouble of an endpoint started: since it was found, a run may have completed and others failed
 * without a check in between.
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

/** The instant up to which the check before `atMs` had seen events. */
function seenBeforeMs({ gaps, seenWithinMs }: PastPeriod, atMs: number): number {
  // Both ends of a gap are checks.
  const ended = gaps.find(({ untilMs }) => untilMs === atMs);
  if (ended !== undefined) return ended.fromMs;
  const endsMs = gaps.flatMap(({ untilMs }) => (untilMs < atMs ? [untilMs] : []));
  return Math.max(atMs - seenWithinMs, ...endsMs);
}
