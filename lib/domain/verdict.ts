import { instantMs } from "@/lib/domain/time/instant";
import { isDecisive, isStreakMinimum } from "./known";
import { restedMs, restsOf, shiftedMs, type Rests } from "./learned-week/rest";
import {
  isPausedAtSource,
  RUN_OUTCOMES,
  VERDICTS,
  type EndpointFacts,
  type LearnedWeekFacts,
  type SyncAttributes,
  type Verdict,
} from "./sync";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** A landing up to this far ahead of the API's clock counts as age 0. */
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS;
/** A landing further ahead than this is ignored. */
export const CLOCK_SUSPECT_MS = 10 * MINUTE_MS;

/** Outcomes that count as a failure. `rate_limited` doesn't: lateness decides there. */
export type FailureOutcome = "failed" | "timed_out";

/**
 * Why a verdict was given: a closed list of codes with the values that a sentence needs. Instants are epoch
 * milliseconds, durations milliseconds, null is unknown.
 */
export type Reason =
  | { code: "paused" }
  | { code: "not_reported" }
  | { code: "clock_unknown" }
  | {
      code: "stuck";
      runningForMs: number;
      stuckAfterMs: number;
      /** p95 duration of its completed runs; null if none was recorded. */
      typicalMs: number | null;
    }
  | {
      code: "failing";
      outcome: FailureOutcome;
      /** The first clause that made the failure count for the verdict. */
      because: "streak" | "no_landing" | "webhook" | "overdue";
      streak: number;
      /** As in the terms. */
      isStreakMinimum: boolean;
      endedMs: number | null;
      /** Whether a later run was rate limited, so that this one isn't the last. */
      wasLimitedSince: boolean;
    }
  | { code: "webhook"; landingMs: number | null }
  | { code: "unrecognised_status"; status: string }
  | { code: "landing_in_future"; aheadMs: number }
  | { code: "nothing_landed" }
  | { code: "never_synced" }
  | { code: "no_cadence" }
  | { code: "landing_overdue"; latenessMs: number; cadenceMs: number }
  | { code: "next_overdue"; latenessMs: number; nextMs: number }
  | { code: "within_grace"; latenessMs: number; graceMs: number }
  | { code: "on_time"; ageMs: number; cadenceMs: number }
  | {
      code: "single_failure";
      outcome: FailureOutcome;
      endedMs: number | null;
      wasLimitedSince: boolean;
    }
  | { code: "rate_limited"; endedMs: number | null }
  /** Part of the time isn't counted, since the feed rests then as a habit of its week. */
  | ({ code: "learned_quiet" } & Pick<LearnedWeekFacts, "spans" | "time_zone">)
  | { code: "clock_suspect"; aheadMs: number }
  | { code: "unrecognised_run_status"; status: string };

/** Shown beside the badge; never replaces it. */
type Overlays = {
  /** A run is in progress. */
  syncing: boolean;
  /** Whether that run has been in progress for too long. */
  stuck: boolean;
  /** The last finished run was rate limited by the partner and nothing has landed since. */
  rateLimited: boolean;
  /** A single unresolved failure with data that isn't overdue. */
  singleFailure: boolean;
  /** The landing is 2 to 10 minutes in the API's future. */
  clockSuspect: boolean;
  /** `last_sync_status` as given if unrecognised; otherwise null. */
  unrecognisedRunStatus: string | null;
};

/**
 * The arithmetic, for "why" and for the bars. Instants are epoch milliseconds on the API's clock, all else is
 * milliseconds; null if a term is unknown or doesn't count.
 */
type Terms = {
  landingMs: number | null;
  /** Null if unknown, and for webhooks, which have none; like the cadence. */
  nextMs: number | null;
  cadenceMs: number | null;
  cadenceSource: "given" | "learned" | null;
  /** Never negative; null without a credible landing. */
  ageMs: number | null;
  /** The allowance: lateness beyond this is late. */
  graceMs: number | null;
  /** p95 duration of completed runs; before any, the row's last duration. */
  typicalMs: number | null;
  /** When the feed rests as a habit of its week: lateness doesn't grow then. */
  rests: Rests;
  /** Age outside of rests; null without an age. */
  countedAgeMs: number | null;
  /** Counted age minus cadence; negative while early. */
  lateByLandingMs: number | null;
  /** Time outside of rests since the next sync was due, if that counts; negative while it is in the future. */
  lateByNextMs: number | null;
  /** The larger of the two: how overdue the endpoint is. */
  latenessMs: number | null;
  /** A `lateByLandingMs` beyond this is stale. */
  staleAfterMs: number | null;
  /** Consecutive unresolved failures; 0 if the last finished run isn't a failure that counts. */
  failureStreak: number;
  /** No completed run is among those that were counted, so more may have failed before: there are at least so many. */
  isStreakMinimum: boolean;
  runStartedMs: number | null;
  runningForMs: number | null;
  /** A run in progress for longer than this is stuck. */
  stuckAfterMs: number | null;
};

export type Judgement = {
  word: Verdict;
  /** Never empty; the first one decided the verdict, the rest accompany it. */
  reasons: readonly [Reason, ...Reason[]];
  overlays: Overlays;
  terms: Terms;
};

/**
 * Judges one endpoint.
 * @param row v3 attributes as given; a timestamp that doesn't parse counts as null
 * @param known facts from our record; `failures_in_a_row` includes the row's own last run
 * @param apiNowMs epoch milliseconds on the API's clock
 * @returns the verdict, the reasons (deciding one first) and the arithmetic; never throws
 * Source: docs/verdict.md.
 */
export function verdict(row: SyncAttributes, known: EndpointFacts, apiNowMs: number): Judgement {
  const evidence = weigh(row, known, apiNowMs);
  const [word, decided] = decide(evidence);
  const { terms, stuck, limited, failure, isJudged, aheadMs } = evidence;
  const overlays: Overlays = {
    syncing: evidence.isRunning && known.reported,
    stuck: isJudged && stuck !== null,
    rateLimited: isJudged && limited !== null,
    singleFailure: isJudged && failure !== null && word !== "failing",
    clockSuspect: aheadMs > CLOCK_TOLERANCE_MS && aheadMs <= CLOCK_SUSPECT_MS,
    unrecognisedRunStatus: unrecognisedOutcome(row.last_sync_status),
  };
  return {
    word,
    reasons: [decided, ...accompanying(evidence, decided, overlays)],
    overlays,
    terms,
  };
}

/** A finished run without a landing since. */
type StandingRun = { endedMs: number | null };

/** All inputs of the rules, computed once. */
type Evidence = {
  row: SyncAttributes;
  known: EndpointFacts;
  isPaused: boolean;
  isWebhook: boolean;
  isRunning: boolean;
  /** False if only the first rules apply: paused, not reported, or no clock. */
  isJudged: boolean;
  /** Landing minus now; 0 without a landing. */
  aheadMs: number;
  isLandingCredible: boolean;
  /** The row's run, if it was rate limited. */
  limited: StandingRun | null;
  failure: (StandingRun & { status: FailureOutcome }) | null;
  stuck: Reason | null;
  failing: Reason | null;
  /** Whether a rest makes the endpoint less overdue. */
  restsCount: boolean;
  graceMs: number;
  terms: Terms;
};

function weigh(row: SyncAttributes, known: EndpointFacts, apiNowMs: number): Evidence {
  const isPaused = isPausedAtSource(row);
  const isWebhook = row.status === "webhook";
  const isRunning = row.last_sync_status === "in_progress";
  const hasClock = Number.isFinite(apiNowMs);
  const isJudged = !isPaused && known.reported && hasClock;

  const landingMs = instantMs(row.last_updated_at);
  const aheadMs = landingMs === null || !hasClock ? 0 : landingMs - apiNowMs;
  const isLandingCredible = landingMs !== null && hasClock && aheadMs <= CLOCK_SUSPECT_MS;
  const dataAgeMs = isLandingCredible ? Math.max(0, -aheadMs) : null;

  const cadence = isWebhook ? NO_CADENCE : cadenceOf(row, known);
  const cadenceMs = cadence.ms;
  const typicalMs = typicalDurationMs(row, known);
  // Runs that outlast their own cadence don't extend the allowance by more than one cadence.
  const durationMs = Math.min(typicalMs ?? 0, cadenceMs ?? Infinity);
  const graceMs = allowanceMs(cadenceMs) + durationMs;

  const nextMs = isWebhook ? null : instantMs(row.next_sync_at);
  const startedMs = instantMs(row.last_sync_started_at);
  const rests = restsOf(known.learned_week, apiNowMs);
  const countedAgeMs =
    dataAgeMs === null ? null : dataAgeMs - restedMs(rests, apiNowMs - dataAgeMs, apiNowMs);
  const lateByLandingMs =
    isJudged && countedAgeMs !== null && cadenceMs !== null ? countedAgeMs - cadenceMs : null;
  const lateByNextMs =
    isJudged && !isWebhook
      ? latenessByNext({
          nextMs,
          landingMs,
          apiNowMs,
          isRunning,
          rests,
          isAllWeHave: lateByLandingMs === null,
        })
      : null;
  const overdueMs = larger(lateByLandingMs, lateByNextMs);

  const runningForMs =
    isRunning && startedMs !== null && hasClock ? Math.max(0, apiNowMs - startedMs) : null;
  const stuckAfterMs =
    known.typical_duration_seconds === null
      ? Math.max(2 * (cadenceMs ?? 0), 60 * MINUTE_MS)
      : Math.max(3 * durationMs, cadenceMs ?? 0, 30 * MINUTE_MS);
  const stuck: Reason | null =
    runningForMs !== null && runningForMs > stuckAfterMs
      ? {
          code: "stuck",
          runningForMs,
          stuckAfterMs,
          typicalMs: known.typical_duration_seconds === null ? null : typicalMs,
        }
      : null;

  const own = { status: row.last_sync_status, endedMs: instantMs(row.last_sync_finished_at) };
  const limited = own.status === "rate_limited" && stands(own, landingMs) ? own : null;
  const last = isDecisive(own.status)
    ? own
    : { status: known.last_finished_status, endedMs: instantMs(known.last_finished_at) };
  const failure = isFailure(last) && stands(last, landingMs) ? last : null;
  // Written so that NaN counts as one failure.
  const isCounted = known.failures_in_a_row > 1;
  const failureStreak = failure === null ? 0 : isCounted ? known.failures_in_a_row : 1;
  const isMinimum = failure !== null && isStreakMinimum(known);
  const because =
    failureStreak >= 2
      ? "streak"
      : landingMs === null
        ? "no_landing"
        : isWebhook
          ? "webhook"
          : overdueMs !== null && overdueMs > graceMs
            ? "overdue"
            : null;
  const failing: Reason | null =
    failure === null || because === null
      ? null
      : {
          code: "failing",
          outcome: failure.status,
          because,
          streak: failureStreak,
          isStreakMinimum: isMinimum,
          endedMs: failure.endedMs,
          wasLimitedSince: limited !== null,
        };

  return {
    row,
    known,
    isPaused,
    isWebhook,
    isRunning,
    isJudged,
    aheadMs,
    isLandingCredible,
    limited,
    failure,
    stuck,
    failing,
    restsCount:
      countedAgeMs !== dataAgeMs ||
      (lateByNextMs !== null && nextMs !== null && lateByNextMs !== apiNowMs - nextMs),
    graceMs,
    terms: {
      landingMs,
      nextMs,
      cadenceMs,
      cadenceSource: cadence.source,
      ageMs: dataAgeMs,
      graceMs: isWebhook ? null : graceMs,
      typicalMs,
      rests,
      countedAgeMs,
      lateByLandingMs,
      lateByNextMs,
      latenessMs: overdueMs,
      staleAfterMs: cadenceMs === null ? null : graceMs + Math.max(cadenceMs, 15 * MINUTE_MS),
      failureStreak,
      isStreakMinimum: isMinimum,
      runStartedMs: startedMs,
      runningForMs,
      stuckAfterMs: isRunning ? stuckAfterMs : null,
    },
  };
}

/** The decision table; the first match wins. */
function decide(evidence: Evidence): [Verdict, Reason] {
  const { row, known, terms, graceMs } = evidence;
  const { landingMs, nextMs, cadenceMs, lateByLandingMs, lateByNextMs, staleAfterMs } = terms;
  const { ageMs: dataAgeMs, latenessMs: overdueMs } = terms;

  if (evidence.isPaused) return ["paused", { code: "paused" }];
  // Takes precedence over all rules about the row, because a row missing from the snapshot is no longer seen.
  if (!known.reported) return ["unknown", { code: "not_reported" }];
  if (!evidence.isJudged) return ["unknown", { code: "clock_unknown" }];

  if (evidence.stuck !== null) return ["failing", evidence.stuck];
  if (evidence.failing !== null) return ["failing", evidence.failing];

  if (evidence.isWebhook) return ["webhook", { code: "webhook", landingMs }];
  if (row.status !== "active")
    return ["unknown", { code: "unrecognised_status", status: row.status }];
  if (landingMs !== null && !evidence.isLandingCredible)
    return ["unknown", { code: "landing_in_future", aheadMs: evidence.aheadMs }];

  if (
    dataAgeMs === null ||
    cadenceMs === null ||
    lateByLandingMs === null ||
    staleAfterMs === null
  ) {
    if (nextMs !== null && lateByNextMs !== null && lateByNextMs > graceMs + (cadenceMs ?? 0))
      return ["late", { code: "next_overdue", latenessMs: lateByNextMs, nextMs }];
    if (landingMs !== null) return ["unknown", { code: "no_cadence" }];
    return ["unknown", { code: hasRun(row, known) ? "nothing_landed" : "never_synced" }];
  }

  const overdue: Reason = { code: "landing_overdue", latenessMs: lateByLandingMs, cadenceMs };
  if (lateByLandingMs > staleAfterMs) return ["stale", overdue];
  if (lateByLandingMs > graceMs) return ["late", overdue];
  if (nextMs !== null && lateByNextMs !== null && lateByNextMs > graceMs)
    return ["late", { code: "next_overdue", latenessMs: lateByNextMs, nextMs }];
  if (overdueMs !== null && overdueMs >= 0)
    return ["due", { code: "within_grace", latenessMs: overdueMs, graceMs }];
  return ["fresh", { code: "on_time", ageMs: dataAgeMs, cadenceMs }];
}

/** The remaining reasons, besides the deciding one. */
function accompanying(
  {
    row,
    known,
    terms,
    limited,
    failure,
    failing,
    aheadMs,
    isJudged,
    isPaused,
    isWebhook,
    restsCount,
  }: Evidence,
  decided: Reason,
  overlays: Overlays,
): Reason[] {
  const reasons: Reason[] = [];
  if (isPaused && !known.reported) reasons.push({ code: "not_reported" });
  if (isJudged && !isWebhook && restsCount && known.learned_week) {
    const { spans, time_zone } = known.learned_week;
    reasons.push({ code: "learned_quiet", spans, time_zone });
  }
  if (decided.code === "stuck" && failing !== null) reasons.push(failing);
  const lacksBoth = terms.landingMs === null && terms.cadenceMs === null;
  if (isJudged && lacksBoth && !isWebhook && row.status === "active")
    reasons.push({ code: "no_cadence" });
  if (overlays.singleFailure && failure !== null)
    reasons.push({
      code: "single_failure",
      outcome: failure.status,
      endedMs: failure.endedMs,
      wasLimitedSince: limited !== null,
    });
  if (overlays.rateLimited && limited !== null)
    reasons.push({ code: "rate_limited", endedMs: limited.endedMs });
  if (overlays.clockSuspect) reasons.push({ code: "clock_suspect", aheadMs });
  if (overlays.unrecognisedRunStatus !== null)
    reasons.push({ code: "unrecognised_run_status", status: overlays.unrecognisedRunStatus });
  return reasons;
}

function allowanceMs(cadenceMs: number | null): number {
  if (cadenceMs === null) return 30 * MINUTE_MS;
  return Math.max(3 * MINUTE_MS, Math.min(cadenceMs / 4, 30 * MINUTE_MS));
}

/**
 * Lateness by the next sync N alone.
 * N counts only if nothing landed after it was set, and not while a run is in progress, which is the missed sync
 * catching up. If N is the only evidence it always counts, so that a running sync never changes late to unknown.
 */
function latenessByNext(given: {
  nextMs: number | null;
  landingMs: number | null;
  apiNowMs: number;
  isRunning: boolean;
  rests: Rests;
  isAllWeHave: boolean;
}): number | null {
  const { nextMs, landingMs, apiNowMs, isRunning, rests, isAllWeHave } = given;
  if (nextMs === null || (landingMs !== null && nextMs <= landingMs)) return null;
  if (isRunning && !isAllWeHave) return null;
  const dueMs = shiftedMs(rests, nextMs, 0);
  // In a rest no data is expected of it. If it is the only evidence, it is due at the end.
  if (dueMs !== nextMs && !isAllWeHave) return null;
  return apiNowMs - dueMs - restedMs(rests, dueMs, apiNowMs);
}

/**
 * Whether nothing has landed since its end. An unknown end counts as later than the landing, so that the verdict never
 * flatters.
 */
function stands({ endedMs }: { endedMs: number | null }, landingMs: number | null): boolean {
  return landingMs === null || endedMs === null || landingMs <= endedMs;
}

function hasRun(row: SyncAttributes, known: EndpointFacts): boolean {
  return (
    row.last_sync_status !== null ||
    row.last_sync_started_at !== null ||
    row.last_sync_finished_at !== null ||
    known.last_finished_status !== null
  );
}

const NO_CADENCE = { ms: null, source: null } as const;

/** The cadence as given, else as learned; null: unknown. */
export function cadenceOf(
  row: SyncAttributes,
  known: EndpointFacts,
): { ms: number; source: "given" | "learned" } | typeof NO_CADENCE {
  const given = positiveMs(row.frequency_minutes, MINUTE_MS);
  if (given !== null) return { ms: given, source: "given" };
  const learned = positiveMs(known.learned_frequency_minutes, MINUTE_MS);
  return learned === null ? NO_CADENCE : { ms: learned, source: "learned" };
}

function typicalDurationMs(row: SyncAttributes, known: EndpointFacts): number | null {
  const seconds = known.typical_duration_seconds ?? row.last_sync_duration_seconds;
  return seconds === 0 ? 0 : positiveMs(seconds, 1000);
}

/** `value` units in milliseconds; null unless positive and finite. */
function positiveMs(value: number | null, unitMs: number): number | null {
  if (value === null) return null;
  const ms = value * unitMs;
  return ms > 0 && Number.isFinite(ms) ? ms : null;
}

function larger(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.max(a, b);
}

function isFailure<Run extends { status: string | null }>(
  run: Run,
): run is Run & { status: FailureOutcome } {
  return run.status === "failed" || run.status === "timed_out";
}

const KNOWN_OUTCOMES: ReadonlySet<string> = new Set(RUN_OUTCOMES);

function unrecognisedOutcome(status: string | null): string | null {
  return status === null || KNOWN_OUTCOMES.has(status) ? null : status;
}

/**
 * How overdue an endpoint is.
 * @returns milliseconds, negative while early; null without a cadence and a next sync, and for paused, webhook and
 *   unreported endpoints
 */
export function latenessMs(
  row: SyncAttributes,
  known: EndpointFacts,
  apiNowMs: number,
): number | null {
  return verdict(row, known, apiNowMs).terms.latenessMs;
}

/**
 * Age of an endpoint's data.
 * @returns milliseconds, never negative; null without a landing, or with one over 10 minutes ahead
 */
export function ageMs(
  row: Pick<SyncAttributes, "last_updated_at">,
  apiNowMs: number,
): number | null {
  const landing = credibleMs(row.last_updated_at, apiNowMs);
  return landing === null ? null : Math.max(0, apiNowMs - landing);
}

/** Parses a timestamp; null: none, or too far in the future, which would distort what is learned. */
export function credibleMs(given: string | null, apiNowMs: number): number | null {
  const ms = instantMs(given);
  return ms !== null && ms <= apiNowMs + CLOCK_SUSPECT_MS ? ms : null;
}

const RANK = Object.fromEntries(VERDICTS.map((word, rank) => [word, rank])) as Record<
  Verdict,
  number
>;

/** Sorts worst first. */
export function compareVerdicts(a: Verdict, b: Verdict): number {
  return RANK[a] - RANK[b];
}

/** Number of endpoints per verdict; every verdict is present. */
export function tally(words: Iterable<Verdict>): Record<Verdict, number> {
  const counts = Object.fromEntries(VERDICTS.map((word) => [word, 0])) as Record<Verdict, number>;
  for (const word of words) counts[word] += 1;
  return counts;
}

/**
 * Share of endpoints that are on time: (fresh + due) / (all - paused - webhook).
 * @returns 0 to 100, not rounded; null if no endpoint counts
 */
export function healthPercentage(words: Iterable<Verdict>): number | null {
  const counts = tally(words);
  const onTime = counts.fresh + counts.due;
  const counted =
    VERDICTS.reduce((sum, word) => sum + counts[word], 0) - counts.paused - counts.webhook;
  return counted === 0 ? null : (onTime / counted) * 100;
}
