import { completed, eachStep, type Steps } from "@/lib/domain/steps";
import { compareText } from "@/lib/domain/text/compare-text";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import {
  attributesOf,
  type CompanyState,
  type EndpointRecord,
} from "@/lib/server/store/sync/records";
import { readCompany, readVersions } from "@/lib/server/store/sync/read-company";
import { decodeWritten } from "@/lib/server/store/sync/snapshot-notification";
import type { Database } from "@/lib/server/store/database";
import { isReadOnly } from "@/lib/server/store/pool/read-only";
import type { DatabaseProblem } from "@/lib/server/recording";
import { endsAllWork } from "@/lib/server/store/fence";

/** What this process can currently show of a company. Immutable once published. */
export type CompanySnapshot = {
  company: string;
  state: CompanyState;
  /** Of the last complete snapshot, in API order: (partner name, endpoint key). */
  rows: readonly SyncStatusRow[];
};

/** The latest snapshot of every company, in memory: available even without upstream and database. */
export type Snapshots = {
  /** Null before anything is known of the company. */
  get(company: string): CompanySnapshot | null;
  /**
   * Age of the last complete snapshot, milliseconds, never negative; null before the first. The largest by the wall
   * clock, the monotonic one and, if it was loaded, PostgreSQL's, so that neither setting back the wall clock nor taking
   * over from an instance whose clock is ahead makes anything look recent.
   */
  ageMs(company: string): number | null;
  /** Replaces the company's current snapshot; called by this process's collector. */
  publish(snapshot: CompanySnapshot): void;
  /**
   * Called when an instance has recorded a snapshot, or may have: loads newer data from the record.
   * @param payload payload of the channel `snapshots`; null: some may have been missed
   */
  receive: (payload: string | null) => void;
  /**
   * Whether this process records all snapshots itself. It publishes each a moment after recording it, so nothing is loaded
   * when notified of one.
   */
  setRecording: (isRecording: boolean) => void;
  /** Loads the record, then follows other instances' publications until `stop`. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Interval at which a follower polls for publications: without a notification, they are promised within 2 s.
 */
const FOLLOW_MS = 1_500;

type Shown = {
  snapshot: CompanySnapshot;
  /** Age of the snapshot on arrival, and the monotonic clock then. */
  ageThenMs: number;
  monotonicThenMs: number;
};

/** Creates an empty store. A database failure is logged once and retried; the current snapshots stay. */
export function createSnapshots(options: {
  database: Database;
  clock: Clock;
  log: Log;
  /** Called after each read of the record, with how the database answered. */
  onAnswer?: (problem: DatabaseProblem) => void;
}): Snapshots {
  const { database, clock, log, onAnswer = () => {} } = options;
  const shown = new Map<string, Shown>();
  const stopping = new AbortController();
  let following: Promise<void> = Promise.resolve();
  let failing = false;
  /** Companies whose record can't be read although the database answers. */
  const unreadable = new Set<string>();
  let isRecording = false;

  /** @param recordedAgeMs its age by PostgreSQL's clock; null: unknown */
  function show(snapshot: CompanySnapshot, recordedAgeMs: number | null): void {
    const before = shown.get(snapshot.company);
    const { asOfMs } = snapshot.state;
    const isSame = before !== undefined && before.snapshot.state.asOfMs === asOfMs;
    shown.set(snapshot.company, {
      snapshot,
      // A date in the future means that the wall clock was set back since, so the true age is unknown.
      ageThenMs: isSame
        ? before.ageThenMs
        : Math.max(Math.abs(clock.nowMs() - (asOfMs ?? 0)), recordedAgeMs ?? 0),
      monotonicThenMs: isSame ? before.monotonicThenMs : clock.monotonicMs(),
    });
  }

  async function reload(): Promise<void> {
    try {
      // What was shown before the read began is in the record, unless that has lost commits since.
      const before = new Map(shown);
      const versions = await readVersions(database);
      for (const [company, { snapshot }] of shown) {
        // Its record was deleted; if the company is polled again, its record starts over.
        if (snapshot.state.version > 0 && !versions.has(company)) shown.delete(company);
      }
      for (const [company, version] of versions) {
        const lost = before.get(company);
        if (lost !== undefined && version < lost.snapshot.state.version) {
          await reloadCompany(company, lost);
        } else if (version > (shown.get(company)?.snapshot.state.version ?? 0)) {
          await reloadCompany(company);
        }
      }
      const problem = (await isReadOnly(database)) ? "database_read_only" : null;
      if (failing) log.info("following the record again");
      failing = false;
      onAnswer(problem);
    } catch (err) {
      if (!failing) log.warn({ err }, "the record cannot be read: showing what is in memory");
      failing = true;
      onAnswer("database_away");
    }
  }

  /**
   * @param lost what is shown and no longer in the record, as after a failover to a standby that lacked the last commits:
   * replaced by what is there, although that is older
   */
  async function reloadCompany(company: string, lost?: Shown): Promise<void> {
    try {
      const { state, ageMs, endpoints } = await readCompany(database, company);
      unreadable.delete(company);
      // Meanwhile the collector of this process may have published a later one.
      const current = shown.get(company);
      const isLost = lost !== undefined && current === lost;
      if (state === null) return;
      if (!isLost && state.version <= (current?.snapshot.state.version ?? 0)) return;
      show({ company, state, rows: rowsOf(endpoints) }, ageMs);
    } catch (err) {
      // A damaged record hides no other company.
      if (endsAllWork(err)) throw err;
      if (!unreadable.has(company))
        log.error({ err, company }, "a company's record cannot be read");
      unreadable.add(company);
    }
  }

  let looking: Promise<void> | null = null;
  let isDue = false;

  /** One reload at a time: a request during one triggers another afterwards. */
  function look(): Promise<void> {
    isDue = true;
    looking ??= (async () => {
      while (isDue) {
        isDue = false;
        await reload();
      }
      looking = null;
    })();
    return looking;
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      await clock.sleep(FOLLOW_MS, stopping.signal).catch(() => {});
      if (!stopping.signal.aborted) await look();
    }
  }

  return {
    get: (company) => shown.get(company)?.snapshot ?? null,
    ageMs(company) {
      const entry = shown.get(company);
      if (entry === undefined || entry.snapshot.state.asOfMs === null) return null;
      const steadyMs = entry.ageThenMs + clock.monotonicMs() - entry.monotonicThenMs;
      return Math.max(steadyMs, clock.nowMs() - entry.snapshot.state.asOfMs);
    },
    publish: (snapshot) => show(snapshot, null),
    receive(payload) {
      if (payload !== null) {
        if (isRecording) return;
        const { company, version } = decodeWritten(payload);
        if (version <= (shown.get(company)?.snapshot.state.version ?? 0)) return;
      }
      if (!stopping.signal.aborted) void look();
    },
    setRecording: (is) => void (isRecording = is),
    async start() {
      await look();
      following = follow();
    },
    async stop() {
      stopping.abort();
      await following;
      await looking;
    },
  };
}

/** The rows to show: all except removed ones, ordered by partner, then endpoint. */
export function rowsOf(endpoints: ReadonlyMap<string, EndpointRecord>): SyncStatusRow[] {
  return completed(rowSteps(endpoints));
}

/** The same, with a pause after each. */
export function* rowSteps(endpoints: ReadonlyMap<string, EndpointRecord>): Steps<SyncStatusRow[]> {
  const rows: SyncStatusRow[] = [];
  yield* eachStep(endpoints, ([id, { row, verdict, known, promise, removedMs }]) => {
    if (removedMs === null) rows.push({ id, ...attributesOf(row), verdict, known, promise });
  });
  // Most are in this order already.
  return rows.toSorted(byPartnerAndEndpoint);
}

/** By code unit rather than locale, so that every instance and restart produces the same bytes. */
function byPartnerAndEndpoint(a: SyncStatusRow, b: SyncStatusRow): number {
  return (
    compareText(a.partner_name, b.partner_name) ||
    compareText(a.endpoint_key, b.endpoint_key) ||
    compareText(a.id, b.id)
  );
}
