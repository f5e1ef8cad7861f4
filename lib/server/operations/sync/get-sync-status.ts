import type { Source, SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import type { RecentlyViewed } from "@/lib/server/recently-viewed";
import { confidence } from "@/lib/domain/confidence";
import type { Confidence } from "@/lib/domain/sync";
import type { Clock } from "@/lib/server/clock";
import type { CompanySnapshot, Snapshots } from "@/lib/server/collector/snapshots";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import type { Recording, RecordingStopped } from "@/lib/server/recording";
import type { LeftCompany } from "@/lib/server/store/sync/left-companies";
import { respondWithReadyJson, readyJson, type ReadyJson } from "@/lib/server/http/ready-json";
import { sharedState } from "@/lib/server/shared-state";
import { restsBecause, type Connection } from "@/lib/server/upstream/upstream";
import { clampedIso } from "@/lib/domain/time/instant";

type Runtime = {
  snapshots: Pick<Snapshots, "get" | "ageMs">;
  clock: Clock;
  config: { pollSeconds: number };
  recording: Pick<Recording, "stopped">;
  leftCompanies: { get(slug: string): LeftCompany | null };
  connections: readonly Pick<Connection, "company" | "name" | "browser">[];
  recentlyViewed: Pick<RecentlyViewed, "add">;
};

/**
 * Answers `GET /api/companies/[company]/sync-status` from memory: `SyncStatusView`, or 304.
 * Serialised once per publication and confidence, the rows once per snapshot. The ETag covers every
 * byte of the body, including the source, so a 304 never preserves an old "live". Only the
 * confidence changes between publications.
 * @param company a slug that the caller may see
 * @param ifNoneMatch the request's header, null when absent
 * @param seesBudget whether the caller may see how many requests are sent to the source
 */
export function getSyncStatus(
  runtime: Runtime,
  {
    company,
    ifNoneMatch,
    seesBudget = false,
  }: { company: string; ifNoneMatch: string | null; seesBudget?: boolean },
): PlainResponse {
  const { snapshots, clock, recentlyViewed } = runtime;
  recentlyViewed.add(company);
  const snapshot = snapshots.get(company);
  const standing = standingOf(runtime, company, seesBudget);
  const ready =
    snapshot === null
      ? beforeTheFirstAnswer(clock.nowMs(), runtime.config.pollSeconds, standing)
      : readyAnswer(snapshot, confidenceOf(snapshot, snapshots.ageMs(company), standing), standing);
  return respondWithReadyJson(ready, ifNoneMatch);
}

/** Same as data, for server-rendered pages. @param seesBudget see `getSyncStatus` */
export function syncStatusView(
  runtime: Omit<Runtime, "recentlyViewed">,
  company: string,
  seesBudget = false,
): SyncStatusView {
  const { snapshots, clock, config } = runtime;
  const snapshot = snapshots.get(company);
  const standing = standingOf(runtime, company, seesBudget);
  if (snapshot === null) {
    const source = startingSource(clock.nowMs(), config.pollSeconds, standing);
    return { as_of: null, source, rows: [] };
  }
  const level = confidenceOf(snapshot, snapshots.ageMs(company), standing);
  const source = sourceOf(snapshot, level, standing);
  return { as_of: asOf(snapshot), source, rows: [...snapshot.rows] };
}

/** How far a company's snapshot can be trusted now; blind without one. */
export function currentConfidence(
  runtime: Pick<Runtime, "snapshots" | "recording" | "leftCompanies" | "connections">,
  company: string,
): Confidence {
  const { snapshots } = runtime;
  const snapshot = snapshots.get(company);
  if (snapshot === null) return "blind";
  return confidenceOf(snapshot, snapshots.ageMs(company), standingOf(runtime, company, false));
}

/** What a company's source depends on besides the snapshot. */
type Standing = {
  stopped: RecordingStopped | null;
  left: LeftCompany | null;
  /** Why its connection sends nothing; null: it may send. */
  rests: ReturnType<typeof restsBecause>;
  /** The caller may see the request budget. */
  seesBudget: boolean;
};

function standingOf(
  runtime: Pick<Runtime, "recording" | "leftCompanies" | "connections">,
  company: string,
  seesBudget: boolean,
): Standing {
  const { recording, leftCompanies } = runtime;
  return {
    stopped: recording.stopped(company),
    left: leftCompanies.get(company),
    rests: restReason(runtime, company),
    seesBudget,
  };
}

/** Why a company isn't read, known before its next check is due; null: it is. */
export function restReason(
  runtime: Pick<Runtime, "connections">,
  company: string,
): Standing["rests"] {
  return restingOf(runtime).get(company) ?? null;
}

function restingOf({ connections }: Pick<Runtime, "connections">) {
  return sharedState(
    connections,
    "resting",
    () => new Map(connections.map((one) => [one.company, restsBecause(one)])),
  );
}

/**
 * A company that has left or isn't read is blind however young its snapshot, because changes would go unnoticed.
 */
function confidenceOf(
  snapshot: CompanySnapshot,
  ageMs: number | null,
  { left, rests }: Standing,
): Confidence {
  if (left !== null || rests !== null) return "blind";
  return confidence(ageMs === null ? null : -ageMs, 0, snapshot.state.rhythmSeconds);
}

function readyAnswer(snapshot: CompanySnapshot, level: Confidence, standing: Standing): ReadyJson {
  const { stopped, left, rests, seesBudget } = standing;
  const known = sharedState(snapshot, "sync status", () => new Map<string, ReadyJson>());
  const recording = stopped === null ? "" : ` ${stopped.reason} ${stopped.sinceMs}`;
  const state = `${level}${seesBudget ? " budget" : ""}${recording}${left === null ? "" : ` left ${left.leftAtMs}`}${rests === null ? "" : ` ${rests}`}`;
  const before = known.get(state);
  if (before !== undefined) return before;
  const source = sourceOf(snapshot, level, standing);
  const ready = serialise(asOf(snapshot), source, rowsText(snapshot.rows));
  known.set(state, ready);
  return ready;
}

function rowsText(rows: readonly SyncStatusRow[]): string {
  return sharedState(rows, "JSON", () => JSON.stringify(rows));
}

function asOf({ state }: CompanySnapshot): string | null {
  return state.asOfMs === null ? null : clampedIso(state.asOfMs);
}

function sourceOf(snapshot: CompanySnapshot, level: Confidence, standing: Standing): Source {
  const { state } = snapshot;
  return {
    confidence: level,
    reason: standing.rests ?? state.reason,
    last_success_at: asOf(snapshot),
    next_refresh_at: nextRefreshAt(state.nextRefreshMs, standing),
    rhythm_seconds: state.rhythmSeconds,
    rate_limit:
      state.rateLimit === null
        ? null
        : {
            limit: state.rateLimit.limit,
            remaining: state.rateLimit.remaining,
            reset_at: clampedIso(state.rateLimit.resetAtMs),
          },
    budget: standing.seesBudget ? state.budget : null,
    api_clock_offset_ms: state.apiClockOffsetMs,
    ...standingView(standing),
  };
}

function nextRefreshAt(planned: number, { left, rests }: Standing): Source["next_refresh_at"] {
  return left === null && rests === null ? clampedIso(planned) : null;
}

function standingView({ stopped, left }: Standing): Pick<Source, "recording_stopped" | "left"> {
  return {
    recording_stopped: stoppedView(stopped),
    ...(left !== null && {
      left: { at: left.leftAtMs === null ? null : clampedIso(left.leftAtMs) },
    }),
  };
}

function stoppedView(stopped: RecordingStopped | null): Source["recording_stopped"] {
  return stopped === null ? null : { reason: stopped.reason, since: clampedIso(stopped.sinceMs) };
}

function beforeTheFirstAnswer(nowMs: number, pollSeconds: number, standing: Standing): ReadyJson {
  return serialise(null, startingSource(nowMs, pollSeconds, standing), "[]");
}

/** Rounded down to the second, so that repeated requests within it are equal. */
function startingSource(nowMs: number, pollSeconds: number, standing: Standing): Source {
  return {
    confidence: "blind",
    reason: standing.rests ?? "starting",
    last_success_at: null,
    next_refresh_at: nextRefreshAt(Math.floor(nowMs / 1000) * 1000 + 1000, standing),
    rhythm_seconds: pollSeconds,
    rate_limit: null,
    budget: null,
    api_clock_offset_ms: 0,
    ...standingView(standing),
  };
}

function serialise(asOfText: string | null, source: Source, rows: string): ReadyJson {
  return readyJson(
    `{"as_of":${JSON.stringify(asOfText)},"source":${JSON.stringify(source)},"rows":${rows}}`,
    "private, no-cache",
  );
}
