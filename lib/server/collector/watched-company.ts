import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { IncidentsState } from "@/lib/domain/incidents/incident";
import type { BlindGap } from "@/lib/domain/known";
import type { SourceReason } from "@/lib/domain/sync";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import { readIncidentsState } from "@/lib/server/store/incidents/incident-records";
import { isPastTold } from "@/lib/server/store/incidents/recorded-past";
import { readGaps } from "@/lib/server/store/sync/endpoint-history";
import { readCompany, readLatestSamples } from "@/lib/server/store/sync/read-company";
import type {
  CompanyState,
  EndpointRecord,
  GapReason,
  SnapshotChanges,
} from "@/lib/server/store/sync/records";
import type { ConnectedCompany } from "@/lib/server/upstream/connections";
import { type Upstream } from "@/lib/server/upstream/upstream";
import { type CallSample } from "./observe";
import { type Rhythm } from "./rhythm";
import { rowsOf } from "./snapshots";

/** One company while this process leads. */
export type WatchedCompany = {
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
  /** Where the rule of incidents stands, by the last recorded snapshot. */
  incidents: IncidentsState;
  /** The record from before the rule was first applied has become incidents, too. */
  isPastTold: boolean;
  samples: Map<string, CallSample>;
  blindGaps: BlindGap[];
  /** Why polls since the last recorded snapshot gave none; null: there was no such poll. */
  missedBecause: Exclude<GapReason, "stopped"> | null;
  /** When the last recorded snapshot that counted as a poll began, on the steady clock; null: none yet. */
  countedMs: number | null;
  /** The recorded endpoints that it lacked, as all that came after it did. */
  missingForAPoll: ReadonlySet<string>;
  /** The API's clock as its last whole answer said: ahead of the steady clock by `aheadMs`, heard at `heardMs`. */
  apiClock: { aheadMs: number; heardMs: number } | null;
  /** How long the last checks took until they were shown, newest first. */
  tookMs: number[];
  isRecording: boolean;
};

/** A gap is recorded when more than this many polls were missed; "live" ends there too. */
export const GAP_POLLS = 2.5;

export const NONE: ReadonlySet<string> = new Set();

/** Takes up the record of a company. @param given.pollSeconds the rhythm wished for */
export async function openWatchedCompany(
  { database, clock, pollSeconds }: { database: Database; clock: Clock; pollSeconds: number },
  company: ConnectedCompany,
): Promise<WatchedCompany> {
  const slug = company.connection.company;
  const { state, endpoints } = await readCompany(database, slug);
  return {
    slug,
    upstream: company.upstream,
    // As the budget has it: another scheme is another host.
    host: new URL(company.connection.baseUrl).origin,
    state: state ?? unknownState(clock.nowMs(), pollSeconds),
    recorded: endpoints,
    recordedAsOfMs: state?.asOfMs ?? null,
    rows: rowsOf(endpoints),
    rowsOf: endpoints,
    incidents: await readIncidentsState(database, slug),
    isPastTold: await isPastTold(database, slug),
    samples: await readLatestSamples(database, slug),
    blindGaps: await readGaps(database, slug),
    missedBecause: state === null ? null : reasonOfRecentFailure(state, clock.nowMs()),
    countedMs: null,
    missingForAPoll: NONE,
    apiClock: null,
    tookMs: [],
    isRecording: true,
  };
}

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

/**
 * The stretch before this snapshot in which we did not check, on the API's clock; null: none to speak of. Of our clock,
 * the API's and the steady one any may have jumped, so two of them decide; after a start, when the steady one says
 * nothing, the longer of two.
 */
export function gapBefore(
  company: WatchedCompany,
  attempt: { asOfMs: number; startedAtMs: number; rhythm: Rhythm },
  offsetMs: number,
): SnapshotChanges["gap"] {
  if (company.recordedAsOfMs === null) return null;
  const untilMs = attempt.asOfMs + offsetMs;
  const ownMs = attempt.asOfMs - company.recordedAsOfMs;
  const apiMs = untilMs - (company.incidents.observedAtMs ?? Infinity);
  const steadyMs = attempt.startedAtMs - (company.countedMs ?? -Infinity);
  const [, missedMs = ownMs] = [ownMs, apiMs, steadyMs].toSorted((a, b) => a - b);
  if (missedMs <= GAP_POLLS * attempt.rhythm.rhythmSeconds * 1000) return null;
  const reason: GapReason = company.missedBecause ?? "stopped";
  return {
    fromMs: untilMs - missedMs,
    untilMs,
    reason,
  };
}

/** A failure shortly before we took over explains the gap better than our own absence does. */
function reasonOfRecentFailure(
  state: CompanyState,
  nowMs: number,
): WatchedCompany["missedBecause"] {
  const isRecent = nowMs - state.lastAttemptMs <= GAP_POLLS * state.rhythmSeconds * 1000;
  return isRecent && state.reason !== "starting" ? state.reason : null;
}
