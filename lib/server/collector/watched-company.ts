import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { LIVE_POLLS } from "@/lib/domain/confidence";
import type { IncidentsState } from "@/lib/domain/incidents/incident";
import type { Period } from "@/lib/domain/history";
import type { SourceReason } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import { readIncidentsState } from "@/lib/server/store/incidents/incident-records";
import { isPastReplayed } from "@/lib/server/store/incidents/recorded-past";
import { readGaps } from "@/lib/server/store/sync/endpoint-history";
import { readCompany, readLatestSamples } from "@/lib/server/store/sync/read-company";
import type {
  CompanyState,
  EndpointRecord,
  GapReason,
  SnapshotChanges,
} from "@/lib/server/store/sync/records";
import type { ConnectedCompany } from "@/lib/server/upstream/connections";
import type { Upstream } from "@/lib/server/upstream/upstream";
import type { WatchedDeadlines } from "./deadlines/watch-deadlines";
import type { OpenWeeks } from "./learned-weeks/open-weeks";
import type { CallSample } from "./observe";
import type { Rhythm } from "./rhythm";
import { rowsOf } from "./snapshots";

/** One company while this process leads. */
export type WatchedCompany = {
  readonly slug: string;
  readonly upstream: Upstream;
  readonly host: string;
  /** As last published. */
  state: CompanyState;
  /** As recorded, for comparison with the next snapshot. */
  recorded: Map<string, EndpointRecord>;
  /** Time of the last recorded snapshot, on our clock; null before the first. */
  recordedAsOfMs: number | null;
  /** As last published; reused while only the source's status changes. */
  rows: readonly SyncStatusRow[];
  /** The endpoints from which `rows` was built. */
  rowsOf: ReadonlyMap<string, EndpointRecord>;
  /** State of incident detection after the last recorded snapshot. */
  incidents: IncidentsState;
  /** Whether the record from before incident detection has been replayed. */
  isPastReplayed: boolean;
  samples: Map<string, CallSample>;
  /** After the last recorded snapshot; null: the company never had a deadline, or they aren't read yet. */
  deadlines: WatchedDeadlines | null;
  /** As of the last check; null: not read yet. */
  weeks: OpenWeeks | null;
  blindGaps: readonly Period[];
  /** The last one that was recorded since this process opened the company; null: none. */
  lastGap: LastGap | null;
  /** Why polls since the last recorded snapshot failed; null: none did. */
  missedBecause: Exclude<GapReason, "stopped"> | null;
  /** Failed checks since the last snapshot that this process read, and the kind of the last one; null: none. */
  failures: { kind: string; count: number } | null;
  /**
   * When the API's answer to a check last stopped its host, by 429 or because nearly nothing of its limit remained, on the
   * monotonic clock; null: the last snapshot didn't, and there was no 429 since.
   */
  limitedMs: number | null;
  /** Start of the last recorded snapshot that counted as a poll, on the monotonic clock; null: none yet. */
  countedMs: number | null;
  /**
   * Start of the snapshot that was last on record when this process opened the company, on the monotonic clock, by
   * PostgreSQL's; null: none, or not known.
   */
  readonly loadedMs: number | null;
  /** The recorded endpoints missing from that snapshot and all later ones. */
  missingForAPoll: ReadonlySet<string>;
  /**
   * The API clock according to its last complete response: ahead of the monotonic clock by `aheadMs`, received
   * at `receivedMs`.
   */
  apiClock: { aheadMs: number; receivedMs: number } | null;
  /** Duration of the last checks until publication, newest first. */
  tookMs: number[];
  isRecording: boolean;
};

/** A gap, and when it began on our clock. */
type LastGap = NonNullable<SnapshotChanges["gap"]> & { ownFromMs: number };

/** Two clocks that differ by more than this over the same period disagree. */
const CLOCKS_AGREE_MS = MINUTE_MS;
/** A gap is recorded when more than this many polls were missed. */
export const GAP_POLLS = LIVE_POLLS;

export const NONE: ReadonlySet<string> = new Set();

/** Loads the record of a company. @param given.pollSeconds the configured poll interval */
export async function openWatchedCompany(
  { database, clock, pollSeconds }: { database: Database; clock: Clock; pollSeconds: number },
  company: ConnectedCompany,
): Promise<WatchedCompany> {
  const slug = company.connection.company;
  const { state, ageMs, endpoints } = await readCompany(database, slug);
  return {
    slug,
    upstream: company.upstream,
    // As in the budget: another scheme is another host.
    host: new URL(company.connection.baseUrl).origin,
    state: state ?? unknownState(clock.nowMs(), pollSeconds),
    recorded: endpoints,
    recordedAsOfMs: state?.asOfMs ?? null,
    rows: rowsOf(endpoints),
    rowsOf: endpoints,
    incidents: await readIncidentsState(database, slug),
    isPastReplayed: await isPastReplayed(database, slug),
    samples: await readLatestSamples(database, slug),
    deadlines: null,
    weeks: null,
    blindGaps: await readGaps(database, slug),
    lastGap: null,
    missedBecause: state === null ? null : reasonOfRecentFailure(state, clock.nowMs()),
    failures: null,
    limitedMs: null,
    countedMs: null,
    loadedMs: ageMs === null ? null : clock.monotonicMs() - ageMs,
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
    databaseClockOffsetMs: null,
    totalPages: 1,
    rateLimit: null,
    budget: { used: 0, limit: 0 },
  };
}

/**
 * The unobserved period before this snapshot, on the API clock; null: none worth recording. Any of our clock,
 * the API's and the monotonic one may have jumped, so two of them decide; after a start, without the monotonic
 * one, the API's if PostgreSQL's confirms it, else the longer of two. If that was the API's, and wrong, it is the same
 * gap again, with its true end.
 */
export function gapBefore(
  company: WatchedCompany,
  attempt: { asOfMs: number; startedAtMs: number; rhythm: Rhythm },
  offsetMs: number,
): SnapshotChanges["gap"] {
  if (company.recordedAsOfMs === null) return null;
  const untilMs = attempt.asOfMs + offsetMs;
  const corrected = correctedGap(company.lastGap, { ownMs: attempt.asOfMs, apiMs: untilMs });
  if (corrected !== null) return corrected;
  const ownMs = attempt.asOfMs - company.recordedAsOfMs;
  const apiMs = untilMs - (company.incidents.observedAtMs ?? Infinity);
  const thirdMs = attempt.startedAtMs - (company.countedMs ?? company.loadedMs ?? -Infinity);
  // PostgreSQL's clock may be that of our machine, and says nothing where only ours agrees with it.
  const isThird = company.countedMs !== null || Math.abs(thirdMs - apiMs) <= CLOCKS_AGREE_MS;
  const [, missedMs = ownMs] = [ownMs, apiMs, isThird ? thirdMs : Infinity].toSorted(
    (a, b) => a - b,
  );
  if (missedMs <= GAP_POLLS * attempt.rhythm.rhythmSeconds * 1000) return null;
  const reason: GapReason = company.missedBecause ?? "stopped";
  // An API that comes back may have a wrong clock at first: then the one before the gap dates it.
  const isAhead =
    apiMs - missedMs > CLOCKS_AGREE_MS &&
    Math.abs(offsetMs) > Math.abs(company.state.apiClockOffsetMs);
  const endMs = isAhead ? untilMs - apiMs + missedMs : untilMs;
  return { fromMs: endMs - missedMs, untilMs: endMs, reason };
}

/** The gaps before one, without that itself as it was recorded before it was corrected. @param gap null: all */
export function earlierGaps(
  { blindGaps }: Pick<WatchedCompany, "blindGaps">,
  gap: Period | null,
): readonly Period[] {
  return gap === null ? blindGaps : blindGaps.filter(({ fromMs }) => fromMs !== gap.fromMs);
}

/**
 * A gap that ended while the API's clock was ahead, once that agrees with ours again: until then it would hide what is
 * observed. It ends now at the latest.
 */
function correctedGap(
  gap: LastGap | null,
  now: { ownMs: number; apiMs: number },
): SnapshotChanges["gap"] {
  if (gap === null || now.apiMs <= gap.fromMs || gap.untilMs <= now.apiMs) return null;
  const { fromMs, reason, ownFromMs } = gap;
  const difference = now.apiMs - fromMs - (now.ownMs - ownFromMs);
  return Math.abs(difference) <= CLOCKS_AGREE_MS ? { fromMs, untilMs: now.apiMs, reason } : null;
}

/**
 * The API's clock minus ours as known before a response, milliseconds: our clock may have been set since the last one,
 * but for a restart. Before the first response, it is ours.
 */
export function knownApiOffsetMs(
  { apiClock, recordedAsOfMs, state }: WatchedCompany,
  { nowMs, steadyMs }: { nowMs: number; steadyMs: number },
): number {
  if (apiClock !== null) return Math.round(apiClock.aheadMs + steadyMs - nowMs);
  return recordedAsOfMs === null ? 0 : state.apiClockOffsetMs;
}

/** A failure shortly before this process took over explains the gap better than its absence. */
function reasonOfRecentFailure(
  state: CompanyState,
  nowMs: number,
): WatchedCompany["missedBecause"] {
  const isRecent = nowMs - state.lastAttemptMs <= GAP_POLLS * state.rhythmSeconds * 1000;
  return isRecent && state.reason !== "starting" ? state.reason : null;
}
