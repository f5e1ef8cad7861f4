import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { readEndpointHistories } from "@/lib/server/store/sync/endpoint-history";
import { writeAttempt, writeSnapshot } from "@/lib/server/store/sync/write-snapshot";
import type { CompanyState } from "@/lib/server/store/sync/records";
import { isUpstreamFailure, UpstreamFailure } from "@/lib/server/upstream/upstream";
import { conclude, sight } from "./observe";
import { type Rhythm } from "./rhythm";
import { rowsOf, type CompanySnapshot } from "./snapshots";
import { walkSyncStatus, type Walk } from "./walk";
import type { PollSchedule } from "./poll-schedule";
import { gapBefore, NONE, type Watch } from "./watched-company";

/** A look whose result nobody may see any more: this process does not lead any longer. */
export class Deposed extends Error {}

/** Looks among which one finds the API's cache empty: what the slowest of them took, the next may take. */
const LOOKS_REMEMBERED = 3;

type Attempt = {
  /** When it began, on our clock. */
  asOfMs: number;
  /** When it began, on the steady clock. */
  startedAtMs: number;
  rhythm: Rhythm;
  /** Settles, never throws, when the first failure of this attempt has been told; null: none so far. */
  told: Promise<void> | null;
};

/** What one check of a company needs. */
export type PollOptions = {
  database: Database;
  clock: Clock;
  log: Log;
  disk: { isLow(): Promise<boolean> };
  schedule: PollSchedule;
  /** Shows a snapshot; also called when only its source changed. */
  onPublish: (snapshot: CompanySnapshot) => void;
};

/** Creates what reads a company once, shows and records what came of it, and plans the next check. */
export function createPoll(options: PollOptions) {
  const { database, clock, log, schedule } = options;
  const { plan, startsInMs, rhythmFor } = schedule;

  /** Reads a company once, shows and records what came of it, and plans when to look again. */
  async function look(watch: Watch, all: readonly Watch[], signal: AbortSignal): Promise<void> {
    const attempt: Attempt = {
      asOfMs: clock.nowMs(),
      startedAtMs: clock.monotonicMs(),
      rhythm: rhythmFor(watch, all),
      told: null,
    };
    let walk: Walk;
    try {
      walk = await walkSyncStatus(watch.upstream, signal, (failure) => {
        if (!signal.aborted) attempt.told ??= tellFirstFailure(watch, attempt, failure, signal);
      });
    } catch (error) {
      if (signal.aborted) throw error;
      await attempt.told;
      const failure = asUpstreamFailure(error);
      if (failure.isOurs) log.warn({ err: failure, company: watch.slug }, "nothing was asked");
      else {
        log.warn(
          { err: failure, company: watch.slug, reason: failure.reason },
          "the upstream gave no snapshot",
        );
      }
      await finishFailure(watch, all, attempt, failure, signal);
      return;
    }
    await attempt.told;
    if (signal.aborted) throw new Deposed();
    await finishSnapshot(watch, all, attempt, walk, signal);
  }

  /** The reason is shown while the retry is still on its way, by other instances too; never throws. */
  async function tellFirstFailure(
    watch: Watch,
    attempt: Attempt,
    failure: UpstreamFailure,
    signal: AbortSignal,
  ): Promise<void> {
    const { retryAtMs } = failure;
    if (failure.reason === "rate_limited") schedule.limited(watch.host);
    watch.state = {
      ...watch.state,
      reason: failure.reason,
      lastAttemptMs: attempt.asOfMs,
      rateLimit: watch.upstream.rateLimit(),
      ...(retryAtMs !== null && {
        nextRefreshMs: Math.ceil(retryAtMs + allowanceMs(watch.tookMs)),
      }),
    };
    publish(watch);
    try {
      await recordAttempt(watch, signal);
      publish(watch);
    } catch {
      // Deposed: the write that ends this attempt finds out as well, and deals with it.
    }
  }

  async function finishFailure(
    watch: Watch,
    all: readonly Watch[],
    attempt: Attempt,
    failure: UpstreamFailure,
    signal: AbortSignal,
  ): Promise<void> {
    if (failure.reason === "rate_limited") schedule.limited(watch.host);
    attempt.rhythm = rhythmFor(watch, all);
    const { retryAtMs } = failure;
    const allowedMs = retryAtMs === null ? 0 : clock.monotonicMs() + retryAtMs - clock.nowMs();
    // After a failure a whole poll passes, however much room there is.
    const usualMs = attempt.startedAtMs + attempt.rhythm.rhythmSeconds * 1000;
    plan(watch, all, Math.max(usualMs, allowedMs));
    watch.state = { ...watch.state, ...(await sourceOf(watch, attempt)) };
    // Where we could not even ask, the upstream is not to blame: what was said of it last stands, and the
    // age tells the rest.
    if (failure.isOurs) watch.missedBecause ??= "not_recorded";
    else {
      watch.missedBecause = failure.reason;
      watch.state = { ...watch.state, reason: failure.reason };
    }
    await recordAttempt(watch, signal);
    publish(watch);
  }

  /** The record never claims a snapshot that it does not hold, be it shown or not. */
  async function recordAttempt(watch: Watch, signal: AbortSignal): Promise<void> {
    await recordOrCarryOn(watch, signal, () =>
      writeAttempt(database, watch.slug, { ...watch.state, asOfMs: watch.recordedAsOfMs }),
    );
  }

  async function finishSnapshot(
    watch: Watch,
    all: readonly Watch[],
    attempt: Attempt,
    walk: Walk,
    signal: AbortSignal,
  ): Promise<void> {
    const { asOfMs } = attempt;
    const apiNowMs = asOfMs + walk.apiClockOffsetMs;
    const heardMs = clock.monotonicMs();
    watch.apiClock = {
      aheadMs: clock.nowMs() + walk.apiClockOffsetMs - heardMs,
      heardMs,
    };
    const gap = gapBefore(watch, attempt, walk.apiClockOffsetMs);
    watch.tookMs = [elapsedMs(attempt), ...watch.tookMs].slice(0, LOOKS_REMEMBERED);
    watch.state = { ...watch.state, totalPages: walk.totalPages };
    const rhythm = rhythmFor(watch, all);
    attempt.rhythm = rhythm;
    plan(watch, all, attempt.startedAtMs + rhythm.lookMs);
    // Not shown before its rows are: an old row must never appear under a newer time.
    const state: CompanyState = {
      ...watch.state,
      ...(await sourceOf(watch, attempt)),
      asOfMs,
      reason: null,
      apiClockOffsetMs: walk.apiClockOffsetMs,
    };

    const rhythmMs = rhythm.rhythmSeconds * 1000;
    const isPoll =
      watch.countedMs === null ||
      // Half a look early is on time: what comes next would be half a look late.
      attempt.startedAtMs - watch.countedMs >= rhythmMs - rhythm.lookMs / 2;
    const sighting = sight(watch.recorded, walk.rows, apiNowMs);
    const histories = await historiesOf(watch, [...sighting.endpointIds]);
    const { endpoints, changes } = conclude({
      recorded: watch.recorded,
      samples: watch.samples,
      rows: walk.rows,
      sighting,
      histories: histories ?? new Map(),
      blindGaps: watch.blindGaps,
      gap,
      asOfMs,
      previousAsOfMs: watch.recordedAsOfMs,
      apiNowMs,
      rhythmMs,
      lookMs: rhythm.lookMs,
      lackedForAPoll: isPoll ? watch.lackedForAPoll : NONE,
    });
    const isAsShown = changes.endpoints.length === 0 && watch.rowsOf === watch.recorded;

    // Without the histories, what was concluded is good enough to show, not to record.
    const isRecorded =
      histories !== null &&
      (await recordOrCarryOn(watch, signal, () =>
        writeSnapshot(database, watch.slug, state, changes),
      ));
    if (signal.aborted) throw new Deposed();
    if (isRecorded) {
      watch.recorded = endpoints;
      watch.recordedAsOfMs = asOfMs;
      for (const { endpointId, value } of changes.callSamples)
        watch.samples.set(endpointId, { atMs: apiNowMs, value });
      if (gap !== null) watch.blindGaps.push(gap);
      const lacked = [...endpoints.keys()].filter((id) => !walk.rows.has(id));
      watch.lackedForAPoll = new Set(
        isPoll ? lacked : lacked.filter((id) => watch.lackedForAPoll.has(id)),
      );
      if (isPoll) watch.countedMs = attempt.startedAtMs;
    }
    watch.missedBecause = isRecorded ? null : "not_recorded";
    watch.state = { ...state, version: watch.state.version };
    // The same list is not serialised again.
    if (!isAsShown) watch.rows = rowsOf(endpoints);
    if (!isAsShown || isRecorded) watch.rowsOf = endpoints;
    publish(watch);
    watch.tookMs[0] = elapsedMs(attempt);
  }

  async function historiesOf(watch: Watch, endpointIds: readonly string[]) {
    try {
      return await readEndpointHistories(database, watch.slug, endpointIds);
    } catch (err) {
      log.warn({ err, company: watch.slug }, "the record could not be read");
      return null;
    }
  }

  /**
   * Runs one write to the record, unless the disk is nearly full.
   * @param write answers false when the version had moved
   * @returns whether it wrote; a failing database is told to the log, and the show goes on
   * @throws Deposed when somebody else wrote, or this process no longer leads
   */
  async function recordOrCarryOn(
    watch: Watch,
    signal: AbortSignal,
    write: () => Promise<boolean>,
  ): Promise<boolean> {
    let written: boolean | null = null;
    try {
      if (!signal.aborted && (await mayRecord(watch))) written = await write();
    } catch (err) {
      log.warn({ err, company: watch.slug }, "the record could not be written");
    }
    if (signal.aborted || written === false) throw new Deposed();
    if (written === true) watch.state = { ...watch.state, version: watch.state.version + 1 };
    return written === true;
  }

  async function mayRecord(watch: Watch): Promise<boolean> {
    const isRecording = !(await options.disk.isLow());
    if (isRecording !== watch.isRecording) {
      if (isRecording) log.info({ company: watch.slug }, "recording again");
      else log.warn({ company: watch.slug }, "the disk is nearly full: nothing is recorded");
    }
    watch.isRecording = isRecording;
    return isRecording;
  }

  /** What an attempt says of the source, whatever its outcome; the next look is planned by then. */
  async function sourceOf(
    watch: Watch,
    attempt: Attempt,
  ): Promise<
    Pick<CompanyState, "lastAttemptMs" | "rhythmSeconds" | "nextRefreshMs" | "rateLimit" | "budget">
  > {
    const nextMs = clock.nowMs() + startsInMs(watch) + allowanceMs(watch.tookMs);
    return {
      lastAttemptMs: attempt.asOfMs,
      rhythmSeconds: attempt.rhythm.rhythmSeconds,
      nextRefreshMs: Math.ceil(nextMs),
      rateLimit: watch.upstream.rateLimit(),
      budget: await watch.upstream.budget().catch(() => watch.state.budget),
    };
  }

  function elapsedMs({ startedAtMs }: Attempt): number {
    return clock.monotonicMs() - startedAtMs;
  }

  function publish(watch: Watch): void {
    options.onPublish({ company: watch.slug, state: watch.state, rows: watch.rows });
  }

  return look;
}

/** What the next look may take before its result is there: viewers ask again just after. */
function allowanceMs(tookMs: readonly number[]): number {
  return Math.min(15_000, 250 + 1.5 * Math.max(0, ...tookMs));
}

function asUpstreamFailure(error: unknown): UpstreamFailure {
  if (isUpstreamFailure(error)) return error;
  return new UpstreamFailure("unreachable", "an unexpected failure", { cause: error });
}
