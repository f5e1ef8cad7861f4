import { isDeepStrictEqual } from "node:util";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import {
  NOTHING_KNOWN,
  failingSinceMs,
  failureStreak,
  isDecisive,
  learnedFrequencyMinutes,
  typicalDurationSeconds,
  type BlindGap,
} from "@/lib/domain/known";
import type { EndpointFacts, LearnedWeekFacts, Verdict } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import { cadenceOf, CLOCK_SUSPECT_MS, credibleMs, verdict } from "@/lib/domain/verdict";
import { sharedState } from "@/lib/server/shared-state";
import { eachStep, type Steps } from "@/lib/domain/steps";
import type { EndpointHistory } from "@/lib/server/store/sync/endpoint-history";
import {
  attributesOf,
  factsOf,
  type EndpointRecord,
  type ObservedChanges,
  type RunRecord,
  type SnapshotChanges,
} from "@/lib/server/store/sync/records";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** What a snapshot adds to the record. Timestamps are on the API clock. */
export type FoundChanges = {
  runs: RunRecord[];
  landings: { endpointId: string; landedMs: number }[];
  /** Endpoints whose `known` facts have to be recomputed. */
  endpointIds: Set<string>;
};

/** A sample of `api_calls_last_24h`. */
export type CallSample = { atMs: number; value: number };

/** Polls that may lack a row before it counts as removed. */
const MAX_POLLS_MISSED = 3;
const SAMPLE_EVERY_MS = 15 * MINUTE_MS;

/**
 * Finds runs and landings that are new or changed since the record was last written.
 * @param apiNowMs when the last rows were read, on the API's clock
 * @param recordedMs when that was, like `apiNowMs` on the API's clock; default: its clock was right then
 */
export function* findChanges(
  recorded: ReadonlyMap<string, Pick<EndpointRecord, "row">>,
  rows: ReadonlyMap<string, ReadSyncStatus>,
  apiNowMs: number,
  recordedMs = apiNowMs,
): Steps<FoundChanges> {
  const found: FoundChanges = { runs: [], landings: [], endpointIds: new Set() };
  yield* eachStep(rows, ([id, row]) => {
    const before = recorded.get(id)?.row ?? null;
    if (before === null) found.endpointIds.add(id);
    else if (isSameRow(before, row) && !isCredibleNow(row, { apiNowMs, recordedMs })) return;

    const run = runOf(id, row, apiNowMs);
    if (
      run !== null &&
      (before === null || !isDeepStrictEqual(run, runOf(id, before, recordedMs)))
    ) {
      found.runs.push(run);
      found.endpointIds.add(id);
    }
    const landedMs = landingOf(row, apiNowMs);
    if (landedMs !== null && (before === null || landedMs !== landingOf(before, recordedMs))) {
      found.landings.push({ endpointId: id, landedMs });
      found.endpointIds.add(id);
    }
  });
  return found;
}

/**
 * Merges a snapshot with the record: returns what to show and what to write.
 * @param given.histories of the endpoints in `given.found.endpointIds`, as recorded before
 * @param given.missingForAPoll endpoints that the last snapshot counted as a poll lacked, if this one counts
 * too; otherwise empty
 */
export function* applySnapshot(given: {
  recorded: ReadonlyMap<string, EndpointRecord>;
  samples: ReadonlyMap<string, CallSample>;
  rows: ReadonlyMap<string, ReadSyncStatus>;
  found: FoundChanges;
  histories: ReadonlyMap<string, EndpointHistory>;
  blindGaps: readonly BlindGap[];
  gap: SnapshotChanges["gap"];
  /** When reading the snapshot started, on our clock. */
  asOfMs: number;
  /** Time of the previous snapshot, on our clock; null for the first. */
  previousAsOfMs: number | null;
  apiNowMs: number;
  missingForAPoll: ReadonlySet<string>;
  /** The learned week that applies to an endpoint of a cadence. Default: none. */
  weekOf?: (endpointId: string, cadenceMs: number | null) => LearnedWeekFacts | null;
}): Steps<{
  endpoints: Map<string, EndpointRecord>;
  changes: ObservedChanges;
}> {
  const { recorded, rows, found, apiNowMs, asOfMs } = given;
  const changes: ObservedChanges = {
    endpoints: [],
    runs: found.runs,
    landings: found.landings,
    facts: [],
    verdictChanges: [],
    callSamples: [],
    gap: given.gap,
    apiNowMs,
  };
  const endpoints = new Map<string, EndpointRecord>();
  const runById = new Map(found.runs.map((run) => [run.endpointId, run]));
  const landingById = new Map(found.landings.map((seen) => [seen.endpointId, seen.landedMs]));
  const blindGaps = given.gap === null ? given.blindGaps : [...given.blindGaps, given.gap];

  yield* eachStep(rows, ([id, row]) => {
    const before = recorded.get(id);
    const value = row.attributes.api_calls_last_24h;
    if (isSampleDue(given.samples.get(id), landingById.has(id), apiNowMs))
      changes.callSamples.push({ endpointId: id, value });
    const history = given.histories.get(id);
    const runs = history === undefined ? null : runsOf(history, runById.get(id) ?? null);
    const facts =
      history === undefined || runs === null
        ? (before?.known ?? NOTHING_KNOWN)
        : knownFrom(runs, history.landingsMs, landingById.get(id) ?? null, blindGaps);
    const week = given.weekOf?.(id, cadenceOf(attributesOf(row), facts).ms) ?? null;
    const isSameWeek = isDeepStrictEqual(before?.known.learned_week ?? null, week);
    if (history === undefined && before !== undefined && isSameWeek && isSettled(before, row)) {
      // Only time may have changed it.
      const { word } = verdict(attributesOf(row), before.known, apiNowMs);
      if (word === before.verdict) endpoints.set(id, before);
      else put(id, before, { ...before, verdict: word });
      return;
    }
    const known = { ...facts, learned_week: week, reported: true };
    put(id, before, {
      row,
      attributesSeenMs: attributesSeenMs(before, row, apiNowMs),
      known,
      failingSinceMs: runs === null ? (before?.failingSinceMs ?? null) : failingSinceMs(runs),
      lastFinishedStartedMs:
        runs === null
          ? (before?.lastFinishedStartedMs ?? null)
          : (lastFinished(runs)?.startedMs ?? null),
      verdict: verdict(attributesOf(row), known, apiNowMs).word,
      promise: before?.promise ?? null,
      firstSeenMs: before?.firstSeenMs ?? asOfMs,
      lastReportedMs: null,
      missedSnapshots: 0,
      removedMs: null,
    });
  });
  for (const [id, before] of recorded) {
    if (rows.has(id)) continue;
    if (before.removedMs !== null) {
      endpoints.set(id, before);
      continue;
    }
    // Counted as missing at once, but again only after another poll: frequent checks must not remove an
    // intermittent row sooner.
    const isMissedAgain = before.missedSnapshots === 0 || given.missingForAPoll.has(id);
    const missedSnapshots = before.missedSnapshots + (isMissedAgain ? 1 : 0);
    const known = { ...before.known, reported: false };
    put(id, before, {
      ...before,
      known,
      verdict: verdict(attributesOf(before.row), known, apiNowMs).word,
      lastReportedMs: before.lastReportedMs ?? given.previousAsOfMs,
      missedSnapshots,
      ...(missedSnapshots > MAX_POLLS_MISSED
        ? { removedMs: asOfMs, promise: null }
        : { removedMs: null }),
    });
  }
  return { endpoints, changes };

  function put(id: string, before: EndpointRecord | undefined, after: EndpointRecord): void {
    // Reuses unchanged objects: most of thousands of rows are the same from poll to poll.
    const isSame = before !== undefined && isDeepStrictEqual(before, after);
    endpoints.set(id, isSame ? before : after);
    if (isSame) return;
    changes.endpoints.push({ id, record: after });
    const facts = factsOf(after);
    if (before === undefined || !isDeepStrictEqual(factsOf(before), facts))
      changes.facts.push({ endpointId: id, facts });
    const [previous, now] = [shownVerdict(before), shownVerdict(after)];
    if (previous === now) return;
    const isRescheduled = before !== undefined && wasRescheduled(before, after, apiNowMs);
    changes.verdictChanges.push({ endpointId: id, verdict: now, previous, isRescheduled });
  }
}

/** Whether a timestamp was too far in the future when it was last recorded, and no longer is: a clock was wrong. */
function isCredibleNow(
  row: ReadSyncStatus,
  { apiNowMs, recordedMs }: { apiNowMs: number; recordedMs: number },
): boolean {
  // Rows that didn't change are the same objects at each check.
  const dated = sharedState(row, "dated", () =>
    [row.attributes.last_updated_at, row.attributes.last_sync_started_at].map(instantMs),
  );
  return dated.some(
    (ms) => ms !== null && ms > recordedMs + CLOCK_SUSPECT_MS && ms <= apiNowMs + CLOCK_SUSPECT_MS,
  );
}

/** Whether an endpoint is listed as it was. */
function isSettled(before: EndpointRecord, row: ReadSyncStatus): boolean {
  const { known, lastReportedMs, missedSnapshots, removedMs } = before;
  const wasListed = known.reported && missedSnapshots === 0;
  return wasListed && lastReportedMs === null && removedMs === null && isSameRow(before.row, row);
}

/** Rows of a page that didn't change are the same objects at each check, and are compared once. */
function isSameRow(before: ReadSyncStatus, row: ReadSyncStatus): boolean {
  if (before === row) return true;
  const same = sharedState(row, "equal row", (): { to: ReadSyncStatus | null } => ({ to: null }));
  if (same.to !== before && isDeepStrictEqual(before, row)) same.to = before;
  return same.to === before;
}

/** Whether its cadence changed, or the next sync time that alone made it overdue. */
function wasRescheduled(before: EndpointRecord, after: EndpointRecord, apiNowMs: number): boolean {
  const [was, is] = [before.row.attributes, after.row.attributes];
  if (was.frequency_minutes !== is.frequency_minutes) return true;
  if (was.next_sync_at === is.next_sync_at) return false;
  const { lateByLandingMs, lateByNextMs, graceMs } = verdict(
    attributesOf(before.row),
    before.known,
    apiNowMs,
  ).terms;
  const isOverdue = (lateMs: number | null) => lateMs !== null && lateMs > (graceMs ?? Infinity);
  return isOverdue(lateByNextMs) && !isOverdue(lateByLandingMs);
}

/** An attribute keeps its timestamp until its value changes. */
function attributesSeenMs(
  before: EndpointRecord | undefined,
  row: ReadSyncStatus,
  apiNowMs: number,
): EndpointRecord["attributesSeenMs"] {
  if (before === undefined) return seenAt(Object.keys(row.attributes), () => apiNowMs);
  if (isDeepStrictEqual(before.row.attributes, row.attributes)) return before.attributesSeenMs;
  return seenAt(Object.keys(row.attributes), (name) =>
    isDeepStrictEqual(before.row.attributes[name], row.attributes[name])
      ? (before.attributesSeenMs[name] ?? apiNowMs)
      : apiNowMs,
  );
}

function seenAt(names: readonly string[], atMs: (name: string) => number): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, atMs(name)]));
}

/** The history's runs and the row's run, newest first. */
function runsOf({ runs }: EndpointHistory, run: RunRecord | null): EndpointHistory["runs"] {
  if (run === null) return runs;
  return [run, ...runs.filter(({ startedMs }) => startedMs !== run.startedMs)].toSorted(
    (a, b) => b.startedMs - a.startedMs,
  );
}

/** Derives facts from the recorded history plus a new run and landing. */
function knownFrom(
  runs: EndpointHistory["runs"],
  landingsMs: EndpointHistory["landingsMs"],
  landedMs: number | null,
  blindGaps: readonly BlindGap[],
): EndpointFacts {
  const landings = new Set(landingsMs);
  if (landedMs !== null) landings.add(landedMs);
  const last = lastFinished(runs);
  return {
    // A timed-out run took as long as allowed, which says nothing about typical durations.
    typical_duration_seconds: typicalDurationSeconds(
      runs.flatMap(({ status, durationSeconds }) =>
        status === "completed" && durationSeconds !== null ? durationSeconds : [],
      ),
    ),
    failures_in_a_row: failureStreak(runs.map(({ status }) => status)),
    last_finished_status: last?.status ?? null,
    last_finished_at:
      last === undefined || last.finishedMs === null
        ? null
        : new Date(last.finishedMs).toISOString(),
    learned_frequency_minutes: learnedFrequencyMinutes(
      [...landings].toSorted((a, b) => a - b),
      blindGaps,
    ),
    reported: true,
  };
}

function lastFinished(runs: EndpointHistory["runs"]): EndpointHistory["runs"][number] | undefined {
  return runs.find(({ status }) => isDecisive(status));
}

/** The row's last run; null without a start, which identifies runs. */
function runOf(endpointId: string, row: ReadSyncStatus, apiNowMs: number): RunRecord | null {
  const given = row.attributes;
  const startedMs = credibleMs(given.last_sync_started_at, apiNowMs);
  if (startedMs === null) return null;
  // While a run is in progress, any end belongs to the previous run.
  const running = given.last_sync_status === "in_progress";
  const endMs = running ? null : instantMs(given.last_sync_finished_at);
  const finishedMs = endMs !== null && endMs >= startedMs ? endMs : null;
  const givenSeconds = running ? null : given.last_sync_duration_seconds;
  const elapsedSeconds = finishedMs === null ? null : (finishedMs - startedMs) / 1000;
  return {
    endpointId,
    startedMs,
    finishedMs,
    status: given.last_sync_status,
    durationSeconds: givenSeconds ?? elapsedSeconds,
  };
}

function landingOf(row: ReadSyncStatus, apiNowMs: number): number | null {
  return credibleMs(row.attributes.last_updated_at, apiNowMs);
}

/** With each landing, and otherwise once per quarter of an hour, whether or not the value changed. */
function isSampleDue(last: CallSample | undefined, hasLanded: boolean, apiNowMs: number): boolean {
  if (last === undefined || hasLanded || apiNowMs < last.atMs) return true;
  const quarterOf = (ms: number) => Math.floor(ms / SAMPLE_EVERY_MS);
  return quarterOf(apiNowMs) !== quarterOf(last.atMs);
}

function shownVerdict(record: EndpointRecord | undefined): Verdict | null {
  return record === undefined || record.removedMs !== null ? null : record.verdict;
}
