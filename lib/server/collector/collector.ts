import type { IncidentSettings } from "@/lib/domain/incidents/step";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import { saveCompanies } from "@/lib/server/store/sync/write-snapshot";
import type { ConnectedCompany, LivingCompanies } from "@/lib/server/upstream/connections";
import { Deposed, endsAllWork } from "@/lib/server/store/fence";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import { pause } from "@/lib/server/waiting";
import { workOnEach } from "./each-company";
import { rollUpReports } from "./roll-up-reports";
import { enforceRetention } from "./enforce-retention";
import type { CompanySnapshot } from "./snapshots";
import { LeadershipLost } from "./check-record";
import { updateLearnedWeeks } from "./update-learned-weeks";
import { createCheck } from "./poll-company";
import { createPollSchedule } from "./poll-schedule";
import { repeat } from "./repeat";
import { createReplay } from "./replay-incidents";
import { openWatchedCompany, type WatchedCompany } from "./watched-company";

/** Polls every company while this process leads. */
export type Collector = Leadership & {
  /** Whether this process is the one that polls. */
  isLeading(): boolean;
};

export type CollectorOptions = {
  database: Database;
  clock: Clock;
  /** Returns 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  companies: LivingCompanies;
  /**
   * The poll interval that confidence is counted in; a budget too small for all pages lengthens it. See
   * `rhythmOf`.
   */
  pollSeconds: number;
  /** Requests that polls may send to one host within any `WINDOW_MS`; see `budgetShares`. */
  pollsPerWindow: number;
  retentionDays: number;
  /** Time zone of report days for companies without a separate one: IANA name. */
  reportTimeZone: string;
  incidents: IncidentSettings;
  disk: { isLow(): Promise<boolean> };
  /**
   * Whether all of a company's record from before its first check is there: incidents and days are derived from it
   * once. Default: it is.
   */
  isPastWritten?: (company: string) => Promise<boolean>;
  /** Sends a heartbeat to an external monitor periodically while this process polls; null: none. */
  heartbeat?: { beat: () => Promise<void>; everyMs: number } | null;
  /** Publishes a snapshot; also called when only the status of its source changed. */
  onPublish: (snapshot: CompanySnapshot) => void;
  /** Called after each check that read a company, with whether it was recorded; null: this process no longer checks it. */
  onCheckRecorded?: (company: string, isRecorded: boolean | null) => void;
  /** Called when this process begins or ceases to poll. */
  onLead?: (isLeading: boolean) => void;
};

/** Interval of attempts to become the leader: well below the promised 30 s. */
const LOCK_RETRY_MS = 5_000;
/** Delay before retrying to store company names. */
const NAMES_RETRY_MS = 5_000;
/** Delay before retrying to read a record. */
const UNREADABLE_RETRY_MS = MINUTE_MS;
/** Spreads the first checks of companies. */
const STAGGER_MS = 250;
const LONGEST_STAGGER_MS = 5_000;

/**
 * Creates the collector of one database: among all processes that share it, one polls.
 *
 * Every check reads all pages of a company, merges them into the record in one transaction and publishes the
 * result. If the record can't be written (disk nearly full, database failing), the snapshot is still published;
 * the next check that can write catches up, with a gap for what may be missing.
 *
 * There are several checks per poll while the budget allows it (`rhythmOf`). Counts of polls aren't counts of
 * checks: only a check a whole poll interval after the last counted one counts.
 */
export function createCollector(options: CollectorOptions): Collector {
  const { database, clock, random, log, companies } = options;
  let leading = false;
  /** Companies that aren't checked, because their record can't be read although the database answers. */
  const unreadable = new Set<string>();
  const schedule = createPollSchedule(options);
  const { plan, rhythmFor, startsInMs } = schedule;

  function setLeading(isLeading: boolean): void {
    leading = isLeading;
    options.onLead?.(isLeading);
  }

  async function lead(signal: AbortSignal, writer: Writer): Promise<void> {
    const checkCompany = createCheck({ ...options, writer, schedule });
    const replayPast = createReplay({ ...options, writer, schedule });
    const first = companies.current();
    await saveCompanies(writer, namesOf(first), clock.nowMs());
    /** Companies currently followed; the check interval of a host depends on all of its companies. */
    const watched = (await Promise.all(first.map(open))).flatMap((one) => one ?? []);
    if (signal.aborted) return;
    setLeading(true);
    log.info({ companies: watched.map(({ slug }) => slug) }, "collecting");
    // Some may have been removed while the record was read.
    const now = new Set(companies.current().map(({ upstream }) => upstream));
    for (const one of watched.filter(({ upstream }) => !now.has(upstream))) leave(one, watched);
    const firstInMs = firstChecks(watched);
    const opened = new Map(
      watched.map((one, index) => [one.upstream, { one, firstInMs: firstInMs[index] ?? 0 }]),
    );
    const stopNaming = companies.onChange(() => void keepNames(signal, writer, first));
    void keepNames(signal, writer, first);
    try {
      await Promise.all([
        workOnEach(companies, signal, async (company, own, place) => {
          const prepared = opened.get(company.upstream);
          const one = prepared?.one ?? (await openOnceReadable(company, own));
          if (one === null) return;
          if (prepared === undefined) watched.push(one);
          try {
            await follow(one, prepared?.firstInMs ?? staggerMs(place), watched, {
              checkCompany,
              replayPast,
              signal: own,
            });
          } finally {
            leave(one, watched);
          }
        }),
        rollUpReports({ ...options, writer, signal, companies: watched, timeZoneOf }),
        updateLearnedWeeks({ ...options, writer, signal, companies: watched, timeZoneOf }),
        enforceRetention({ ...options, writer, signal, companies: watched }),
        options.heartbeat
          ? repeat(
              { clock, signal },
              // Delayed so that the first snapshots come first.
              { firstAfterMs: options.heartbeat.everyMs / 2, everyMs: options.heartbeat.everyMs },
              beatOf(options.heartbeat.beat, writer),
            )
          : Promise.resolve(),
      ]);
    } finally {
      stopNaming();
    }
  }

  /** @returns null: its record can't be read although the database answers, which must not stop the others */
  async function open(company: ConnectedCompany): Promise<WatchedCompany | null> {
    const { company: slug } = company.connection;
    try {
      const opened = await openWatchedCompany(options, company);
      unreadable.delete(slug);
      return opened;
    } catch (err) {
      if (endsAllWork(err)) throw err;
      if (!unreadable.has(slug))
        log.error({ err, company: slug }, "the record cannot be read: the company isn't checked");
      unreadable.add(slug);
      return null;
    }
  }

  /** @returns null once the signal aborts */
  async function openOnceReadable(
    company: ConnectedCompany,
    signal: AbortSignal,
  ): Promise<WatchedCompany | null> {
    while (!signal.aborted) {
      const one = await open(company);
      if (one !== null) return one;
      await pause(clock, UNREADABLE_RETRY_MS, signal);
    }
    return null;
  }

  function timeZoneOf(slug: string): string {
    const connected = companies.current().find(({ connection }) => connection.company === slug);
    return connected?.connection.timeZone ?? options.reportTimeZone;
  }

  /** The company no longer affects its host's check interval and clock. */
  function leave(company: WatchedCompany, watched: WatchedCompany[]): void {
    const at = watched.indexOf(company);
    if (at >= 0) watched.splice(at, 1);
    if (watched.some(({ slug }) => slug === company.slug)) return;
    schedule.unplan(company.slug);
    options.onCheckRecorded?.(company.slug, null);
  }

  /** Stored names also determine which companies have left, and when. */
  async function keepNames(
    signal: AbortSignal,
    writer: Writer,
    saved: readonly ConnectedCompany[],
  ): Promise<void> {
    while (!signal.aborted) {
      const now = companies.current();
      if (now === saved) return;
      try {
        await saveCompanies(writer, namesOf(now), clock.nowMs());
        if (now === companies.current()) return;
      } catch (err) {
        log.warn({ err }, "the companies' names could not be written");
        await pause(clock, NAMES_RETRY_MS, signal);
      }
    }
  }

  /**
   * Delay until the first check of each company, milliseconds. Short if all fit into the budget of their host;
   * otherwise they take turns at the pace of the budget, oldest snapshot first. Companies without a snapshot
   * have to wait for a token anyway.
   */
  function firstChecks(all: readonly WatchedCompany[]): number[] {
    const places = new Map<WatchedCompany, number>();
    for (const host of new Set(all.map((company) => company.host))) {
      const there = all.filter((company) => company.host === host);
      const [any] = there;
      if (any === undefined) continue;
      const rhythm = rhythmFor(any, all);
      if (rhythm.rhythmSeconds <= options.pollSeconds) continue;
      const known = there
        .filter(({ recordedAsOfMs }) => recordedAsOfMs !== null)
        .toSorted((a, b) => (a.recordedAsOfMs ?? 0) - (b.recordedAsOfMs ?? 0));
      const distanceMs = rhythm.checkMs / there.length;
      for (const [place, each] of known.entries()) places.set(each, place * distanceMs);
    }
    return all.map((company, index) => places.get(company) ?? staggerMs(index));
  }

  function staggerMs(place: number): number {
    return Math.min(place * STAGGER_MS, LONGEST_STAGGER_MS) * (0.5 + random());
  }

  /** Checks one company until `signal` aborts, at intervals from start to start. */
  async function follow(
    company: WatchedCompany,
    firstInMs: number,
    all: readonly WatchedCompany[],
    {
      checkCompany,
      replayPast,
      signal,
    }: {
      checkCompany: ReturnType<typeof createCheck>;
      replayPast: ReturnType<typeof createReplay>;
      signal: AbortSignal;
    },
  ): Promise<void> {
    const plannedMs = schedule.plannedMs(company.slug);
    // Requests an expiring token in the meantime if the first check is far off.
    if (firstInMs > 2 * LONGEST_STAGGER_MS) {
      company.upstream.prepare("background").catch(() => {});
    }
    await pause(clock, Math.max(plannedMs - clock.monotonicMs(), firstInMs), signal);
    let replaying: Promise<void> = Promise.resolve();
    while (!signal.aborted) {
      const startedAtMs = clock.monotonicMs();
      // Lets other companies schedule around the expected next check.
      plan(company, all, startedAtMs + rhythmFor(company, all).checkMs);
      try {
        await replaying;
        await checkCompany(company, all, signal);
        // Between two checks, never during one, because both assign incident ids.
        replaying = replayPast(company, signal);
        replaying.catch(() => {});
      } catch (err) {
        if (signal.aborted) break;
        replaying = Promise.resolve();
        plan(company, all, startedAtMs + rhythmFor(company, all).rhythmSeconds * 1000);
        if (err instanceof LeadershipLost) {
          await reopen(company, signal);
        } else {
          log.error({ err, company: company.slug }, "a check failed in an unexpected way");
        }
      }
      await pause(clock, startsInMs(company), signal);
    }
    await replaying.catch(() => {});
  }

  /** Another collector wrote to the record: reload it. */
  async function reopen(company: WatchedCompany, signal: AbortSignal): Promise<void> {
    log.warn({ company: company.slug }, "another collector wrote to the record");
    const configured = companies
      .current()
      .find(({ connection }) => connection.company === company.slug);
    if (configured === undefined || signal.aborted) return;
    try {
      Object.assign(company, await openWatchedCompany(options, configured));
    } catch (err) {
      log.warn({ err, company: company.slug }, "the record cannot be read");
    }
  }

  return {
    ...createLeadership({
      database,
      of: "collector",
      clock,
      random,
      log,
      retryMs: LOCK_RETRY_MS,
      lead: (signal, writer) =>
        lead(signal, writer).finally(() => {
          setLeading(false);
        }),
    }),
    isLeading: () => leading,
  };
}

/**
 * Sends one heartbeat. A stalled process may only now learn that another leads, whose heartbeats then count.
 */
function beatOf(beat: () => Promise<void>, writer: Writer): () => Promise<void> {
  return async () => {
    try {
      await writer.orm.transaction(() => Promise.resolve());
    } catch (error) {
      if (error instanceof Deposed) return;
      // Other failures show in the heartbeat's content.
    }
    await beat();
  };
}

function namesOf(companies: readonly ConnectedCompany[]): { slug: string; name: string }[] {
  return companies.map(({ connection }) => ({ slug: connection.company, name: connection.name }));
}
