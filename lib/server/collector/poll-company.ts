import type { IncidentSettings } from "@/lib/domain/incidents/step";
import type { Clock } from "@/lib/server/clock";
import { briefErrorForLog } from "@/lib/server/log";
import type { Writer } from "@/lib/server/store/database";
import { NO_DEADLINE_CHANGES } from "@/lib/server/store/deadlines/write-days";
import { writeAttempt, writeSnapshot } from "@/lib/server/store/sync/write-snapshot";
import type {
  CompanyState,
  EndpointRecord,
  SnapshotChanges,
} from "@/lib/server/store/sync/records";
import { drainedForMs } from "@/lib/server/upstream/rate-limit";
import { isUpstreamFailure, restsBecause, UpstreamFailure } from "@/lib/server/upstream/upstream";
import { createCheckRecord, LeadershipLost, type CheckRecordOptions } from "./check-record";
import { withPromises } from "./deadlines/with-promises";
import type { WatchedDeadlines } from "./deadlines/watch-deadlines";
import { appliedWeeks } from "./learned-weeks/open-weeks";
import { applySnapshot, findChanges } from "./observe";
import type { Rhythm } from "./rhythm";
import { rowSteps, type CompanySnapshot } from "./snapshots";
import { isWronglySetBack, readAllRows, type AllRows } from "./read-all-rows";
import type { PollSchedule } from "./poll-schedule";
import { inSlices } from "@/lib/server/slices";
import { unlessAborted } from "@/lib/server/waiting";
import { watchIncidents } from "./watch-incidents";
import {
  earlierGaps,
  gapBefore,
  knownApiOffsetMs,
  NONE,
  type WatchedCompany,
} from "./watched-company";

/**
 * Number of checks among which one finds the API's cache empty: the next may take as long as the slowest of
 * them.
 */
const CHECKS_REMEMBERED = 3;

type Attempt = {
  /** Start time on our clock. */
  asOfMs: number;
  /** When all pages were read, on our clock. */
  readMs: number;
  /** Start time on the monotonic clock. */
  startedAtMs: number;
  rhythm: Rhythm;
  /** Resolves, never rejects, when the first failure of this attempt has been published; null: none so far. */
  firstFailureShown: Promise<void> | null;
};

/** A snapshot joined with the record. */
type Joined = {
  endpoints: Map<string, EndpointRecord>;
  changes: SnapshotChanges;
  /** See `CompanyState`. */
  databaseClockOffsetMs: number | null;
  /** The deadlines after this snapshot; null: none. */
  watched: WatchedDeadlines | null;
  /** Counts as a poll; otherwise it is a check in between. */
  isPoll: boolean;
  /** The rows are those that are shown already. */
  isAsShown: boolean;
  /** False: part of the record could not be read, so the result is good enough to publish but not to record. */
  isWhole: boolean;
};

/** Dependencies of a check. */
type PollOptions = CheckRecordOptions & {
  /** The leader's. */
  writer: Writer;
  clock: Clock;
  schedule: PollSchedule;
  incidents: IncidentSettings;
  /** Publishes a snapshot; also called when only the status of its source changed. */
  onPublish: (snapshot: CompanySnapshot) => void;
  /** Called after each check that read a company, with whether it was recorded. */
  onCheckRecorded?: (company: string, isRecorded: boolean) => void;
};

/**
 * Creates the function that checks a company once: reads it, publishes and records the result, and schedules
 * the next check.
 */
export function createCheck(options: PollOptions) {
  const { writer, clock, log, schedule } = options;
  const { plan, startsInMs, rhythmFor } = schedule;
  const record = createCheckRecord(options);

  /** Checks a company once. */
  async function checkCompany(
    company: WatchedCompany,
    all: readonly WatchedCompany[],
    signal: AbortSignal,
  ): Promise<void> {
    const attempt: Attempt = {
      asOfMs: clock.nowMs(),
      readMs: clock.nowMs(),
      startedAtMs: clock.monotonicMs(),
      rhythm: rhythmFor(company, all),
      firstFailureShown: null,
    };
    const onFirstFailure = (failure: UpstreamFailure) => {
      if (!signal.aborted)
        attempt.firstFailureShown ??= tellFirstFailure(company, attempt, failure, signal);
    };
    let read: AllRows;
    try {
      await unlessAborted(company.upstream.prepare("background", onFirstFailure), signal);
      // Preparing may take long, and the snapshot is as of now.
      attempt.asOfMs = clock.nowMs();
      attempt.startedAtMs = clock.monotonicMs();
      read = noteClocks(
        company,
        attempt,
        await readAllRows(company.upstream, signal, onFirstFailure),
      );
    } catch (error) {
      if (signal.aborted) throw error;
      await attempt.firstFailureShown;
      const failure = asUpstreamFailure(error);
      // A connection that rests is expected to return nothing.
      if (restsBecause(company.upstream.connection) === null) logFailure(company, failure);
      await finishFailure(company, all, attempt, failure, signal);
      return;
    }
    await attempt.firstFailureShown;
    if (signal.aborted) throw new LeadershipLost();
    logRecovery(company);
    await finishSnapshot(company, all, attempt, read, signal);
  }

  /** Logs a failure unless the check before failed likewise: in an outage, every check of every company does. */
  function logFailure(company: WatchedCompany, failure: UpstreamFailure): void {
    const { reason, httpStatus, isOurs } = failure;
    const kind = `${reason} ${httpStatus} ${isOurs}`;
    const before = company.failures;
    company.failures = { kind, count: (before?.count ?? 0) + 1 };
    if (before?.kind === kind) return;
    const facts = { err: briefErrorForLog(failure), company: company.slug };
    if (isOurs) log.warn(facts, "no request was sent");
    else log.warn({ ...facts, reason }, "the upstream returned no snapshot");
  }

  function logRecovery(company: WatchedCompany): void {
    if (company.failures === null) return;
    const { count: failures } = company.failures;
    company.failures = null;
    log.info({ company: company.slug, failures }, "the upstream returned a snapshot again");
  }

  /** Publishes the reason while the retry is pending, to other instances as well; never throws. */
  async function tellFirstFailure(
    company: WatchedCompany,
    attempt: Attempt,
    failure: UpstreamFailure,
    signal: AbortSignal,
  ): Promise<void> {
    const { retryAtMs } = failure;
    if (failure.isOurs) schedule.unplan(company.slug);
    else if (failure.reason === "rate_limited") schedule.limited(company.host);
    company.state = {
      ...company.state,
      // Waiting for our own turn isn't the upstream's fault.
      ...(failure.isOurs ? {} : { reason: failure.reason }),
      lastAttemptMs: attempt.asOfMs,
      rhythmSeconds: attempt.rhythm.rhythmSeconds,
      rateLimit: company.upstream.rateLimit(),
      ...(retryAtMs !== null && {
        nextRefreshMs: Math.ceil(retryAtMs + allowanceMs(company.tookMs)),
      }),
    };
    publish(company);
    try {
      await recordAttempt(company, signal);
      publish(company);
    } catch {
      // LeadershipLost: the write at the end of this attempt fails as well, and is handled there.
    }
  }

  async function finishFailure(
    company: WatchedCompany,
    all: readonly WatchedCompany[],
    attempt: Attempt,
    failure: UpstreamFailure,
    signal: AbortSignal,
  ): Promise<void> {
    if (failure.reason === "rate_limited") schedule.limited(company.host);
    attempt.rhythm = rhythmFor(company, all);
    plan(company, all, retryMs(company, all, attempt, failure));
    company.state = { ...company.state, ...(await sourceOf(company, attempt)) };
    // If no request could be sent, the upstream isn't at fault: its last status stays, and the age shows the
    // rest.
    if (failure.isOurs) company.missedBecause ??= "not_recorded";
    else {
      company.missedBecause = failure.reason;
      company.state = { ...company.state, reason: failure.reason };
    }
    await recordAttempt(company, signal);
    publish(company);
  }

  /** The earliest time of the check after a failure, on the monotonic clock. */
  function retryMs(
    company: WatchedCompany,
    all: readonly WatchedCompany[],
    { startedAtMs, rhythm }: Attempt,
    { reason, httpStatus, retryAtMs, isOurs }: UpstreamFailure,
  ): number {
    const allowedMs = retryAtMs === null ? 0 : clock.monotonicMs() + retryAtMs - clock.nowMs();
    // After a failure a whole poll interval passes, whatever the budget allows.
    const usualMs = Math.max(startedAtMs + rhythm.rhythmSeconds * 1000, allowedMs);
    if (reason !== "rate_limited") return usualMs;
    if (httpStatus === 429) return usualMs + noteLimited(company, all);
    // Nothing was sent, because of the host's limit or for want of room in ours.
    if (isOurs && company.limitedMs === null) return usualMs;
    return allowedMs + schedule.turnMs(company, all);
  }

  /**
   * Records that the API stopped its host by its answer to this company.
   * @returns how long after the end of that limit its turn comes, milliseconds; 0 if the answer before didn't do so
   */
  function noteLimited(company: WatchedCompany, all: readonly WatchedCompany[]): number {
    const wasLimited = company.limitedMs !== null;
    company.limitedMs = clock.monotonicMs();
    return wasLimited ? schedule.turnMs(company, all) : 0;
  }

  /** The record never claims a snapshot that it doesn't contain, whether published or not. */
  async function recordAttempt(company: WatchedCompany, signal: AbortSignal): Promise<void> {
    await record.write(company, signal, () =>
      writeAttempt(writer, company.slug, { ...company.state, asOfMs: company.recordedAsOfMs }),
    );
  }

  async function finishSnapshot(
    company: WatchedCompany,
    all: readonly WatchedCompany[],
    attempt: Attempt,
    read: AllRows,
    signal: AbortSignal,
  ): Promise<void> {
    const gap = gapBefore(company, attempt, read.apiClockOffsetMs);
    planAfterSnapshot(company, all, attempt, read);
    const source = await sourceAfterSnapshot(company, attempt, read);
    const joined = await joinWithRecord(company, attempt, read, gap);
    const state = { ...source, databaseClockOffsetMs: joined.databaseClockOffsetMs };
    // An unchanged list isn't made, and serialised, again.
    const rows = joined.isAsShown ? company.rows : await inSlices(rowSteps(joined.endpoints));
    const isRecorded =
      joined.isWhole &&
      (await record.write(company, signal, () =>
        writeSnapshot(writer, company.slug, state, joined.changes),
      ));
    if (signal.aborted) throw new LeadershipLost();
    options.onCheckRecorded?.(company.slug, isRecorded);
    if (isRecorded) takeOverRecord(company, attempt, read, joined);
    show(company, state, { ...joined, rows }, isRecorded);
    company.tookMs[0] = elapsedMs(attempt);
  }

  /**
   * The API's offset is from our clock as it is now. So the start has to be by the same clock, which may have been set
   * since.
   * @returns the rows with the offset by which they are judged
   */
  function noteClocks(company: WatchedCompany, attempt: Attempt, read: AllRows): AllRows {
    const receivedMs = clock.monotonicMs();
    const nowMs = clock.nowMs();
    attempt.asOfMs = nowMs - Math.round(receivedMs - attempt.startedAtMs);
    attempt.readMs = nowMs;
    const knownOffsetMs = knownApiOffsetMs(company, { nowMs, steadyMs: receivedMs });
    if (isWronglySetBack(read, nowMs, knownOffsetMs))
      return { ...read, apiClockOffsetMs: knownOffsetMs };
    company.apiClock = { aheadMs: nowMs + read.apiClockOffsetMs - receivedMs, receivedMs };
    return read;
  }

  /** Plans the next check by how long this one took and how many pages there are. */
  function planAfterSnapshot(
    company: WatchedCompany,
    all: readonly WatchedCompany[],
    attempt: Attempt,
    { totalPages }: AllRows,
  ): void {
    company.tookMs = [elapsedMs(attempt), ...company.tookMs].slice(0, CHECKS_REMEMBERED);
    company.state = { ...company.state, totalPages };
    attempt.rhythm = rhythmFor(company, all);
    plan(company, all, nextCheckMs(company, all, attempt));
  }

  /** The earliest time of the check after a snapshot, on the monotonic clock. */
  function nextCheckMs(
    company: WatchedCompany,
    all: readonly WatchedCompany[],
    { startedAtMs, rhythm }: Attempt,
  ): number {
    const usualMs = startedAtMs + rhythm.checkMs;
    const rateLimit = company.upstream.rateLimit();
    const drainedMs = rateLimit === null ? 0 : drainedForMs(rateLimit, clock.nowMs());
    if (drainedMs === 0) {
      company.limitedMs = null;
      return usualMs;
    }
    const turnMs = noteLimited(company, all);
    return turnMs === 0 ? usualMs : Math.max(usualMs, clock.monotonicMs() + drainedMs + turnMs);
  }

  /** Published only together with its rows: an old row must never appear under a newer time. */
  async function sourceAfterSnapshot(
    company: WatchedCompany,
    attempt: Attempt,
    { apiClockOffsetMs }: AllRows,
  ): Promise<Omit<CompanyState, "databaseClockOffsetMs">> {
    return {
      ...company.state,
      ...(await sourceOf(company, attempt)),
      asOfMs: attempt.asOfMs,
      reason: null,
      apiClockOffsetMs,
    };
  }

  async function joinWithRecord(
    company: WatchedCompany,
    { asOfMs, readMs, startedAtMs, rhythm }: Attempt,
    { rows, apiClockOffsetMs }: AllRows,
    gap: SnapshotChanges["gap"],
  ): Promise<Joined> {
    const apiNowMs = asOfMs + apiClockOffsetMs;
    const rhythmMs = rhythm.rhythmSeconds * 1000;
    const isPoll =
      company.countedMs === null ||
      // Half a check early counts as on time: otherwise the next one would be half a check late.
      startedAtMs - company.countedMs >= rhythmMs - rhythm.checkMs / 2;
    const found = await inSlices(
      findChanges(
        company.recorded,
        rows,
        // Later pages may tell of what happened since the first was read.
        readMs + apiClockOffsetMs,
        company.incidents.observedAtMs ?? apiNowMs,
      ),
    );
    const histories = await record.historiesOf(company, [...found.endpointIds]);
    const circumstances = await record.circumstances(company, apiNowMs);
    const databaseClockOffsetMs =
      circumstances === null ? null : circumstances.databaseMs - clock.nowMs();
    const weeks = await record.weeks(company, circumstances);
    company.weeks = weeks ?? company.weeks;
    const blindGaps = earlierGaps(company, gap);
    const { endpoints, changes } = await inSlices(
      applySnapshot({
        recorded: company.recorded,
        samples: company.samples,
        rows,
        found,
        histories: histories ?? new Map(),
        blindGaps,
        gap,
        asOfMs,
        previousAsOfMs: company.recordedAsOfMs,
        apiNowMs,
        missingForAPoll: isPoll ? company.missingForAPoll : NONE,
        weekOf: appliedWeeks(company.weeks, apiNowMs),
      }),
    );
    const quiet = circumstances?.quiet ?? [];
    const incidents = await inSlices(
      watchIncidents(company.incidents, endpoints, changes, options.incidents, quiet),
    );
    const observedBeforeMs = company.incidents.observedAtMs;
    const watched = await record.deadlines(company, circumstances, {
      endpoints,
      changes,
      gaps: gap === null ? blindGaps : [...blindGaps, gap],
      quiet,
      observedBeforeMs,
      ownNowMs: asOfMs,
    });
    const shown = withPromises(endpoints, changes.endpoints, watched?.promises ?? new Map());
    const { deadlines = NO_DEADLINE_CHANGES } = watched ?? {};
    return {
      endpoints: shown.endpoints,
      changes: {
        ...changes,
        endpoints: shown.changed,
        promises: shown.promises,
        incidents,
        deadlines,
        observedBeforeMs,
      },
      databaseClockOffsetMs,
      watched: watched?.watched ?? null,
      isPoll,
      isAsShown:
        shown.changed.length + shown.promises.length === 0 && company.rowsOf === company.recorded,
      isWhole: weeks !== null && histories !== null && watched !== null,
    };
  }

  function show(
    company: WatchedCompany,
    state: CompanyState,
    { endpoints, isAsShown, rows }: Joined & { rows: WatchedCompany["rows"] },
    isRecorded: boolean,
  ): void {
    company.missedBecause = isRecorded ? null : "not_recorded";
    company.state = { ...state, version: company.state.version };
    company.rows = rows;
    if (!isAsShown || isRecorded) company.rowsOf = endpoints;
    publish(company);
  }

  /** Source status after an attempt, whatever its outcome; the next check must be scheduled already. */
  async function sourceOf(
    company: WatchedCompany,
    attempt: Attempt,
  ): Promise<
    Pick<CompanyState, "lastAttemptMs" | "rhythmSeconds" | "nextRefreshMs" | "rateLimit" | "budget">
  > {
    const nextMs = clock.nowMs() + startsInMs(company) + allowanceMs(company.tookMs);
    return {
      lastAttemptMs: attempt.asOfMs,
      rhythmSeconds: attempt.rhythm.rhythmSeconds,
      nextRefreshMs: Math.ceil(nextMs),
      rateLimit: company.upstream.rateLimit(),
      budget: await company.upstream.budget().catch(() => company.state.budget),
    };
  }

  function elapsedMs({ startedAtMs }: Attempt): number {
    return clock.monotonicMs() - startedAtMs;
  }

  function publish(company: WatchedCompany): void {
    options.onPublish({ company: company.slug, state: company.state, rows: company.rows });
  }

  return checkCompany;
}

/** Makes a recorded snapshot what the next one is compared with. */
function takeOverRecord(
  company: WatchedCompany,
  { asOfMs, startedAtMs }: Attempt,
  { rows }: AllRows,
  { endpoints, changes, watched, isPoll }: Joined,
): void {
  const { gap } = changes;
  if (gap !== null) {
    company.lastGap = { ...gap, ownFromMs: company.recordedAsOfMs ?? asOfMs };
    company.blindGaps = [...earlierGaps(company, gap), gap];
  }
  company.recorded = endpoints;
  company.recordedAsOfMs = asOfMs;
  company.incidents = changes.incidents.state;
  company.deadlines = watched;
  for (const { endpointId, value } of changes.callSamples)
    company.samples.set(endpointId, { atMs: changes.apiNowMs, value });
  const lacked = [...endpoints.keys()].filter((id) => !rows.has(id));
  company.missingForAPoll = new Set(
    isPoll ? lacked : lacked.filter((id) => company.missingForAPoll.has(id)),
  );
  if (isPoll) company.countedMs = startedAtMs;
}

/** Time allowed for the next check to complete: viewers refetch just after. */
function allowanceMs(tookMs: readonly number[]): number {
  return Math.min(15_000, 250 + 1.5 * Math.max(0, ...tookMs));
}

function asUpstreamFailure(error: unknown): UpstreamFailure {
  if (isUpstreamFailure(error)) return error;
  return new UpstreamFailure("unreachable", "an unexpected failure", { cause: error });
}
