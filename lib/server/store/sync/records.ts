import type { IncidentChanges } from "@/lib/server/store/incidents/incident-records";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import type {
  EndpointFacts,
  SourceReason,
  SyncAttributes,
  Verdict,
  RateLimit,
} from "@/lib/domain/sync";

/** How the last attempt to read a company went. Instants are epoch milliseconds on our clock. */
export type CompanyState = {
  /** 0 before anything was stored. */
  version: number;
  /** When the last complete snapshot began to be read; null before the first. */
  asOfMs: number | null;
  lastAttemptMs: number;
  /** Null when the last attempt succeeded. */
  reason: SourceReason | null;
  rhythmSeconds: number;
  nextRefreshMs: number;
  /** The API's clock minus ours. */
  apiClockOffsetMs: number;
  totalPages: number;
  rateLimit: RateLimit | null;
  budget: { used: number; limit: number };
};

/** One endpoint as the record has it. Instants are epoch milliseconds on our clock. */
export type EndpointRecord = {
  row: ReadSyncStatus;
  /** By attribute: when its present value was first seen, on the API's clock. */
  attributesSeenMs: Readonly<Record<string, number>>;
  known: EndpointFacts;
  /** When the failures that stand began, on the API's clock; null: none stands, or it isn't known. */
  failingSinceMs: number | null;
  /** When the run began that `known.last_finished_status` is of, on the API's clock; null: there is none. */
  lastFinishedStartedMs: number | null;
  /** Our verdict at the last complete snapshot. */
  verdict: Verdict;
  firstSeenMs: number;
  /** The last snapshot that had the row; null while the latest has it. */
  lastReportedMs: number | null;
  /** Polls in a row that lacked it: 1 from the first snapshot on that does. */
  missedSnapshots: number;
  /** Null while it is shown. */
  removedMs: number | null;
};

/** One run. Instants are epoch milliseconds on the API's clock. */
export type RunRecord = {
  endpointId: string;
  startedMs: number;
  /** Null while it runs, or when its end is not known. */
  finishedMs: number | null;
  status: string | null;
  durationSeconds: number | null;
};

export type VerdictChange = {
  endpointId: string;
  /** Null: it was removed. */
  verdict: Verdict | null;
  /** Null: it was new, or came back. */
  previous: Verdict | null;
  /** Since the snapshot before, its cadence changed, or the next sync that alone made it overdue. */
  isRescheduled: boolean;
};

export type GapReason = Exclude<SourceReason, "starting"> | "stopped" | "not_recorded";

/** Everything that one complete snapshot changes. Instants are on the API's clock. */
export type SnapshotChanges = {
  endpoints: { id: string; record: EndpointRecord }[];
  runs: RunRecord[];
  landings: { endpointId: string; landedMs: number }[];
  verdictChanges: VerdictChange[];
  callSamples: { endpointId: string; value: number }[];
  gap: { fromMs: number; untilMs: number; reason: GapReason } | null;
  incidents: IncidentChanges;
  /** When the changes and samples were seen. */
  apiNowMs: number;
};

/**
 * The row's v3 attributes alone, in the words in which they were given. Only the marks that would turn the rest of a
 * sentence around are left out of its names: those are shown, grouped by and found by without them.
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
