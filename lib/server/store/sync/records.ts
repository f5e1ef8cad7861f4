import type { DeadlineChanges } from "@/lib/server/store/deadlines/write-days";
import type { IncidentChanges } from "@/lib/server/store/incidents/incident-records";
import type { RowPromise } from "@/lib/contracts/row-promise";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import type { FeedFacts } from "@/lib/domain/deadlines/holding";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import type {
  EndpointFacts,
  SourceReason,
  SyncAttributes,
  Verdict,
  RateLimit,
} from "@/lib/domain/sync";
import { cadenceOf } from "@/lib/domain/verdict";

/** Result of the last attempt to read a company. Timestamps are epoch milliseconds on our clock. */
export type CompanyState = {
  /** 0 before anything was stored. */
  version: number;
  /** When reading the last complete snapshot started; null before the first. */
  asOfMs: number | null;
  lastAttemptMs: number;
  /** Null when the last attempt succeeded. */
  reason: SourceReason | null;
  rhythmSeconds: number;
  nextRefreshMs: number;
  /** API clock minus our clock. */
  apiClockOffsetMs: number;
  /** PostgreSQL's clock minus our clock, at the last complete snapshot; null: unknown. */
  databaseClockOffsetMs: number | null;
  totalPages: number;
  rateLimit: RateLimit | null;
  budget: { used: number; limit: number };
};

/** A recorded endpoint. Timestamps are epoch milliseconds on our clock. */
export type EndpointRecord = {
  row: ReadSyncStatus;
  /** Per attribute: when its current value was first seen, on the API clock. */
  attributesSeenMs: Readonly<Record<string, number>>;
  known: EndpointFacts;
  /** Start of the current series of failures, on the API clock; null: none, or unknown. */
  failingSinceMs: number | null;
  /** Start of the run that `known.last_finished_status` refers to, on the API clock; null: none. */
  lastFinishedStartedMs: number | null;
  /** Our verdict at the last complete snapshot. */
  verdict: Verdict;
  /** Its promise at the last complete snapshot; null: none. */
  promise: RowPromise | null;
  firstSeenMs: number;
  /** The last snapshot that contained it; null while the latest does. */
  lastReportedMs: number | null;
  /** Consecutive polls that lacked it: 1 from the first such snapshot. */
  missedSnapshots: number;
  /** Null while it is listed. */
  removedMs: number | null;
};

/** One run. Timestamps are epoch milliseconds on the API clock. */
export type RunRecord = {
  endpointId: string;
  startedMs: number;
  /** Null while it runs, or when its end is unknown. */
  finishedMs: number | null;
  status: string | null;
  durationSeconds: number | null;
};

export type VerdictChange = {
  endpointId: string;
  /** Null: removed. */
  verdict: Verdict | null;
  /** Null: new, or reappeared. */
  previous: Verdict | null;
  /**
   * Whether, since the previous snapshot, the cadence changed, or the next sync time that alone made it
   * overdue.
   */
  isRescheduled: boolean;
};

export type GapReason = Exclude<SourceReason, "starting"> | "stopped" | "not_recorded";

/** All changes from one complete snapshot. Timestamps are on the API clock. */
export type SnapshotChanges = {
  endpoints: { id: string; record: EndpointRecord }[];
  runs: RunRecord[];
  landings: { endpointId: string; landedMs: number }[];
  /** Changed facts that deadlines depend on. */
  facts: { endpointId: string; facts: FeedFacts }[];
  verdictChanges: VerdictChange[];
  callSamples: { endpointId: string; value: number }[];
  gap: { fromMs: number; untilMs: number; reason: GapReason } | null;
  incidents: IncidentChanges;
  deadlines: DeadlineChanges;
  /** Changed promises of endpoints that aren't among the changed ones. */
  promises: readonly { endpointId: string; promise: RowPromise | null }[];
  /** When the previous recorded snapshot was observed; null: this is the first, or not recorded. */
  observedBeforeMs: number | null;
  /** When the changes and samples were observed. */
  apiNowMs: number;
};

/** What the rows alone say. */
export type ObservedChanges = Omit<
  SnapshotChanges,
  "incidents" | "deadlines" | "promises" | "observedBeforeMs"
>;

/**
 * Only the row's v3 attributes, as received. Names lose just the bidirectional control characters that would
 * reorder surrounding text: they are displayed, grouped and searched without them.
 */
export function attributesOf(row: ReadSyncStatus): SyncAttributes {
  const given = row.attributes;
  return {
    endpoint_key: inOwnOrder(given.endpoint_key),
    partner_name: inOwnOrder(given.partner_name),
    status: given.status,
    last_updated_at: given.last_updated_at,
    next_sync_at: given.next_sync_at,
    last_sync_status: given.last_sync_status,
    last_sync_started_at: given.last_sync_started_at,
    last_sync_finished_at: given.last_sync_finished_at,
    last_sync_duration_seconds: given.last_sync_duration_seconds,
    frequency_minutes: given.frequency_minutes,
    api_calls_last_24h: given.api_calls_last_24h,
  };
}

/** What deadlines depend on. */
export function factsOf({ row, known, removedMs }: EndpointRecord): FeedFacts {
  const given = attributesOf(row);
  return {
    partner: given.partner_name,
    status: removedMs === null ? given.status : null,
    reported: known.reported,
    cadenceMs: cadenceOf(given, known).ms,
  };
}
