import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { BlindGap } from "@/lib/domain/known";
import type { SourceReason } from "@/lib/domain/sync";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { readEndpointHistories, readGaps } from "@/lib/server/store/sync/endpoint-history";
import { readCompany, readLatestSamples } from "@/lib/server/store/sync/read-company";
import { saveCompanies, writeAttempt, writeSnapshot } from "@/lib/server/store/sync/write-snapshot";
import type {
  CompanyState,
  EndpointRecord,
  GapReason,
  SnapshotChanges,
} from "@/lib/server/store/sync/records";
import {
  isUpstreamFailure,
  UpstreamFailure,
  type Connection,
  type Upstream,
} from "@/lib/server/upstream/upstream";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import { pause } from "@/lib/server/waiting";
import { conclude, sight, type CallSample } from "./observe";
import { keepRetention } from "./keep-retention";
import { createSteadyRhythm, rhythmOf, spreadOut, type Rhythm, type SteadyRhythm } from "./rhythm";
import { rowsOf, type CompanySnapshot } from "./snapshots";
import { walkSyncStatus, type Walk } from "./walk";

/** Polls. */
export type Collector = Leadership & {
  /** Whether this process is the one that polls. */
  isLeading(): boolean;
};

export type CollectorOptions = {
  database: Database;
  clock: Clock;
  /** 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  companies: readonly { upstream: Upstream; connection: Connection }[];
  /** What confidence is counted by; a budget too small for all pages stretches it. See `rhythmOf`. */
  pollSeconds: number;
  /** Requests that polls may send to one host within any `WINDOW_MS`; see `budgetShares`. */
  pollsPerWindow: number;
  retentionDays: number;
  disk: { isLow(): Promise<boolean> };
  /** Shows a snapshot; also called when only its source changed. */
  onPublish: (snapshot: CompanySnapshot) => void;
};

/** How long a process that is not leading waits before it tries again: well below the 30 s promised. */
const LOCK_RETRY_MS = 5_000;
/** Companies do not start at the same instant. */
const STAGGER_MS = 250;
/** A gap is told when more than this many polls were missed; "live" ends there too. */
const GAP_POLLS = 2.5;
/** Looks among which one finds the API's cache empty: what the slowest of them took, the next may take. */
const LOOKS_REMEMBERED = 3;

/** A look whose result nobody may see any more: this process does not lead any longer. */
class Deposed extends Error {}

/**
 * Creates the collector of one database: of all processes that share it, one polls.
 *
 * Every look reads all pages of a company, joins them with the record in one transaction and publishes the
 * result. Where the record cannot be written (disk nearly full, database failing) the snapshot is still
 * published; the next look that can write catches up, and a gap tells what may be missing.
 *
 * Looks come several times a poll while there is room (`rhythmOf`). What is counted in polls is not counted
 * in looks: only a look that is a whole poll after the last one that counted counts again.
 */
export function createCollector(options: CollectorOptions): Collector {
  const { database, clock, random, log, companies } = options;
  let leading = false;
  /** By company, on the steady clock: losing the lock and winning it back must not quicken the rhythm. */
  const nextStartsMs = new Map<string, number>();
  /** By host. */
  const rhythms = new Map<string, SteadyRhythm>();

  async function lead(signal: AbortSignal): Promise<void> {
    await saveCompanies(
      database,
      companies.map(({ connection }) => ({ slug: connection.company, name: connection.name })),
    );
    const watches = await Promise.all(companies.map((company) => openWatch(company)));
    if (signal.aborted) return;
    leading = true;
    log.info({ companies: watches.map(({ slug }) => slug) }, "collecting");
    await Promise.all([
      ...watches.map((watch, index) => follow(watch, index, watches, signal)),
      keepRetention({ ...options, signal, companies: watches }),
    ]);
  }

  async function openWatch(company: CollectorOptions["companies"][number]): Promise<Watch> {
    const slug = company.connection.company;
    const { state, endpoints } = await readCompany(database, slug);
    return {
      slug,
      upstream: company.upstream,
      // As the budget has it: another scheme is another host.
      host: new URL(company.connection.baseUrl).origin,
      state: state ?? unknownState(clock.nowMs(), options.pollSeconds),
      recorded: endpoints,
      recordedAsOfMs: state?.asOfMs ?? null,
      rows: rowsOf(endpoints),
      rowsOf: endpoints,
      samples: await readLatestSamples(database, slug),
      blindGaps: await readGaps(database, slug),
      missedBecause: state === null ? null : reasonOfRecentFailure(state, clock.nowMs()),
      countedMs: null,
      lackedForAPoll: NONE,
      tookMs: [],
      isRecording: true,
    };
  }

  /** Looks at one company until `signal` aborts; the rhythm is kept from start to start. */
  async function follow(
    watch: Watch,
    index: number,
    all: readonly Watch[],
    signal: AbortSignal,
  ): Promise<void> {
    const plannedMs = nextStartsMs.get(watch.slug) ?? Number.NEGATIVE_INFINITY;
    const firstInMs = index * STAGGER_MS * (0.5 + random());
    await pause(clock, Math.max(plannedMs - clock.monotonicMs(), firstInMs), signal);
    while (!signal.aborted) {
      const startedAtMs = clock.monotonicMs();
      // The others keep their distance from what is to be expected.
      plan(watch, all, startedAtMs + rhythmFor(watch, all).lookMs);
      try {
        await look(watch, all, signal);
      } catch (err) {
        if (signal.aborted) return;
        plan(watch, all, startedAtMs + rhythmFor(watch, all).rhythmSeconds * 1000);
        if (err instanceof Deposed) {
          await reopen(watch, signal);
        } else {
          log.error({ err, company: watch.slug }, "a poll failed in an unexpected way");
        }
      }
      await pause(clock, startsInMs(watch), signal);
    }
  }

  /** Somebody else wrote since: take up the record as it is now. */
  async function reopen(watch: Watch, signal: AbortSignal): Promise<void> {
    log.warn({ company: watch.slug }, "the record moved: another collector wrote to it");
    const company = companies.find(({ connection }) => connection.company === watch.slug);
    if (company === undefined || signal.aborted) return;
    try {
      Object.assign(watch, await openWatch(company));
    } catch (err) {
      log.warn({ err, company: watch.slug }, "the record cannot be read");
    }
  }

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
    if (failure.reason === "rate_limited") rhythms.get(watch.host)?.limited();
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
    if (failure.reason === "rate_limited") rhythms.get(watch.host)?.limited();
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

  /** Sets when a company is looked at next; `earliestMs` on the steady clock. */
  function plan(watch: Watch, all: readonly Watch[], earliestMs: number): void {
    const othersMs = all
      .filter((other) => other.host === watch.host && other !== watch)
      .map(({ slug }) => nextStartsMs.get(slug) ?? Number.NEGATIVE_INFINITY);
    const fromMs = Math.max(earliestMs, clock.monotonicMs());
    nextStartsMs.set(watch.slug, spreadOut(fromMs, othersMs, rhythmFor(watch, all)));
  }

  /** Milliseconds until the next look that is planned; never negative. */
  function startsInMs(watch: Watch): number {
    return Math.max(0, (nextStartsMs.get(watch.slug) ?? 0) - clock.monotonicMs());
  }

  /** All companies of one host share its budget: the rhythm is what all their pages together allow. */
  function rhythmFor(watch: Watch, all: readonly Watch[]): Rhythm {
    const { pollSeconds, pollsPerWindow } = options;
    const pages = all
      .filter(({ host }) => host === watch.host)
      .map(({ state }) => state.totalPages);
    const steady = rhythms.get(watch.host) ?? createSteadyRhythm(pollSeconds);
    rhythms.set(watch.host, steady);
    return steady.keep(rhythmOf({ pages, pollSeconds, pollsPerWindow }), clock.monotonicMs());
  }

  function elapsedMs({ startedAtMs }: Attempt): number {
    return clock.monotonicMs() - startedAtMs;
  }

  function publish(watch: Watch): void {
    options.onPublish({ company: watch.slug, state: watch.state, rows: watch.rows });
  }

  return {
    ...createLeadership({
      database,
      of: "collector",
      clock,
      random,
      log,
      retryMs: LOCK_RETRY_MS,
      lead: (signal) =>
        lead(signal).finally(() => {
          leading = false;
        }),
    }),
    isLeading: () => leading,
  };
}

/** One company while this process leads. */
type Watch = {
  readonly slug: string;
  readonly upstream: Upstream;
  readonly host: string;
  /** As published last. */
  state: CompanyState;
  /** As the record has it: what the next snapshot is compared with. */
  recorded: Map<string, EndpointRecord>;
  /** The last snapshot that was recorded, on our clock; null before the first. */
  recordedAsOfMs: number | null;
  /** As published last; kept while only the source changes. */
  rows: readonly SyncStatusRow[];
  /** What `rows` were made of. */
  rowsOf: ReadonlyMap<string, EndpointRecord>;
  samples: Map<string, CallSample>;
  blindGaps: BlindGap[];
  /** Why polls since the last recorded snapshot gave none; null: there was no such poll. */
  missedBecause: Exclude<GapReason, "stopped"> | null;
  /** When the last recorded snapshot that counted as a poll began, on the steady clock; null: none yet. */
  countedMs: number | null;
  /** The recorded endpoints that it lacked, as all that came after it did. */
  lackedForAPoll: ReadonlySet<string>;
  /** How long the last looks took until they were shown, newest first. */
  tookMs: number[];
  isRecording: boolean;
};

type Attempt = {
  /** When it began, on our clock. */
  asOfMs: number;
  /** When it began, on the steady clock. */
  startedAtMs: number;
  rhythm: Rhythm;
  /** Settles, never throws, when the first failure of this attempt has been told; null: none so far. */
  told: Promise<void> | null;
};

function unknownState(nowMs: number, pollSeconds: number): CompanyState {
  const reason: SourceReason = "starting";
  return {
    version: 0,
    asOfMs: null,
    lastAttemptMs: nowMs,
    reason,
    rhythmSeconds: pollSeconds,
    nextRefreshMs: nowMs,
    apiClockOffsetMs: 0,
    totalPages: 1,
    rateLimit: null,
    budget: { used: 0, limit: 0 },
  };
}

/** The stretch before this snapshot in which we did not look, on the API's clock; null: none to speak of. */
function gapBefore(watch: Watch, attempt: Attempt, offsetMs: number): SnapshotChanges["gap"] {
  if (watch.recordedAsOfMs === null) return null;
  const missedMs = attempt.asOfMs - watch.recordedAsOfMs;
  if (missedMs <= GAP_POLLS * attempt.rhythm.rhythmSeconds * 1000) return null;
  const reason: GapReason = watch.missedBecause ?? "stopped";
  return {
    fromMs: watch.recordedAsOfMs + offsetMs,
    untilMs: attempt.asOfMs + offsetMs,
    reason,
  };
}

/** A failure shortly before we took over explains the gap better than our own absence does. */
function reasonOfRecentFailure(state: CompanyState, nowMs: number): Watch["missedBecause"] {
  const isRecent = nowMs - state.lastAttemptMs <= GAP_POLLS * state.rhythmSeconds * 1000;
  return isRecent && state.reason !== "starting" ? state.reason : null;
}

/** What the next look may take before its result is there: viewers ask again just after. */
function allowanceMs(tookMs: readonly number[]): number {
  return Math.min(15_000, 250 + 1.5 * Math.max(0, ...tookMs));
}

const NONE: ReadonlySet<string> = new Set();

function asUpstreamFailure(error: unknown): UpstreamFailure {
  if (isUpstreamFailure(error)) return error;
  return new UpstreamFailure("unreachable", "an unexpected failure", { cause: error });
}
