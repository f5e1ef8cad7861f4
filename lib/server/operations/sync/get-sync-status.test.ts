import { NOTHING_KNOWN } from "@/lib/domain/known";
import { describe, expect, it } from "vitest";
import pino from "pino";
import { SyncStatusView } from "@/lib/contracts/dashboard";
import { createSnapshots, type CompanySnapshot } from "@/lib/server/collector/snapshots";
import { toWebResponse } from "@/lib/server/http/handler-response";
import type { RecordingStopped } from "@/lib/server/recording";
import { createRecentlyViewed } from "@/lib/server/recently-viewed";
import { createManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import type { LeftCompany } from "@/lib/server/store/sync/left-companies";
import type { Connection } from "@/lib/server/upstream/upstream";
import { getSyncStatus } from "./get-sync-status";
import { stateFixture } from "./state-fixture";

const START_MS = Date.parse("2026-03-02T12:00:00Z");

function snapshot(state: Partial<CompanySnapshot["state"]> = {}): CompanySnapshot {
  return {
    company: "main",
    state: stateFixture(START_MS, {
      nextRefreshMs: START_MS + 60_500,
      apiClockOffsetMs: -250,
      rateLimit: { limit: 60, remaining: 59, resetAtMs: START_MS + 30_000 },
      ...state,
    }),
    rows: [
      {
        id: "sc-1",
        endpoint_key: "rfis",
        partner_name: "Procore & <Sons>",
        status: "active",
        last_updated_at: "2026-03-02T13:50:00+02:00",
        next_sync_at: null,
        last_sync_status: null,
        last_sync_started_at: null,
        last_sync_finished_at: null,
        last_sync_duration_seconds: null,
        frequency_minutes: 60,
        api_calls_last_24h: 3,
        verdict: "fresh",
        known: NOTHING_KNOWN,
      },
    ],
  };
}

function board(published: CompanySnapshot | null = snapshot()) {
  const clock = createManualClock(START_MS);
  // No test here reads the record: results come from the published snapshot.
  const database = {} as Database;
  const snapshots = createSnapshots({ database, clock, log: pino({ level: "silent" }) });
  if (published !== null) snapshots.publish(published);
  let stopped: RecordingStopped | null = null;
  let left: LeftCompany | null = null;
  const leftCompanies = { get: () => left };
  const recording = { stopped: () => stopped };
  let connections: Pick<Connection, "company" | "name" | "browser">[] = [];
  const ask = (ifNoneMatch: string | null = null, seesBudget = false) =>
    toWebResponse(
      getSyncStatus(
        {
          snapshots,
          clock,
          config: { pollSeconds: 60 },
          recentlyViewed: createRecentlyViewed({ clock }),
          recording,
          leftCompanies,
          connections,
        },
        { company: "main", ifNoneMatch, seesBudget },
      ),
    );
  const stopRecording = (now: RecordingStopped | null) => void (stopped = now);
  const leave = (now: LeftCompany | null) => void (left = now);
  const connect = (browser: NonNullable<Connection["browser"]>) =>
    void (connections = [{ company: "main", name: "Main", browser }]);
  return { clock, snapshots, ask, stopRecording, leave, connect };
}

const view = async (response: Response) => SyncStatusView.parse(await response.json());

describe("GET sync-status", () => {
  it("reports that recording has stopped, since when and why, and clears it", async () => {
    const { ask, stopRecording } = board();
    const first = ask();
    expect((await view(first.clone())).source.recording_stopped).toBeNull();
    stopRecording({ reason: "disk_full", sinceMs: START_MS });
    // A page with the earlier state is updated.
    const second = ask(first.headers.get("etag"));
    expect(second.status).toBe(200);
    expect((await view(second)).source.recording_stopped).toEqual({
      reason: "disk_full",
      since: new Date(START_MS).toISOString(),
    });
    stopRecording(null);
    expect(ask(first.headers.get("etag")).status).toBe(304);
  });

  it("never shows a company that has left as fresh, and reports since when", async () => {
    const { ask, leave } = board();
    const etag = ask().headers.get("etag");
    leave({ slug: "main", name: "Main", leftAtMs: START_MS + 1 });
    const response = ask(etag);
    expect(response.status).toBe(200);
    const { source, rows } = await view(response);
    expect(source).toMatchObject({
      confidence: "blind",
      last_success_at: "2026-03-02T12:00:00.000Z",
      next_refresh_at: null,
      left: { at: "2026-03-02T12:00:00.001Z" },
    });
    expect(rows).toHaveLength(1);
    leave({ slug: "main", name: "Main", leftAtMs: null });
    expect((await view(ask())).source.left).toEqual({ at: null });
    leave(null);
    expect(ask(etag).status).toBe(304);
  });

  it("shows a paused company as blind at once, however young its snapshot", async () => {
    const { ask, connect } = board();
    const etag = ask().headers.get("etag");
    connect({ pausedAtMs: START_MS, isSecretReadable: true });
    const response = ask(etag);
    expect(response.status).toBe(200);
    expect((await view(response)).source).toMatchObject({
      confidence: "blind",
      reason: "disconnected",
      last_success_at: "2026-03-02T12:00:00.000Z",
      next_refresh_at: null,
    });
    connect({ pausedAtMs: null, isSecretReadable: false });
    expect((await view(ask())).source).toMatchObject({
      confidence: "blind",
      reason: "secret_unreadable",
      next_refresh_at: null,
    });
    connect({ pausedAtMs: null, isSecretReadable: true });
    expect(ask(etag).status).toBe(304);
  });

  it("reports that it is starting before the first snapshot", async () => {
    const { as_of, source, rows } = await view(board(null).ask());
    expect({ as_of, rows }).toEqual({ as_of: null, rows: [] });
    expect(source).toMatchObject({
      confidence: "blind",
      reason: "starting",
      last_success_at: null,
      next_refresh_at: "2026-03-02T12:00:01.000Z",
      rhythm_seconds: 60,
    });
    const { ask, connect } = board(null);
    connect({ pausedAtMs: START_MS, isSecretReadable: true });
    expect((await view(ask())).source.next_refresh_at).toBeNull();
  });

  it("returns the last snapshot: rows with the API's values, and their source", async () => {
    const response = board().ask();
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
    expect(response.headers.get("vary")).toBe("Cookie");
    expect(await view(response)).toEqual({
      as_of: "2026-03-02T12:00:00.000Z",
      source: {
        confidence: "live",
        reason: null,
        last_success_at: "2026-03-02T12:00:00.000Z",
        next_refresh_at: "2026-03-02T12:01:00.500Z",
        rhythm_seconds: 60,
        rate_limit: { limit: 60, remaining: 59, reset_at: "2026-03-02T12:00:30.000Z" },
        budget: null,
        api_clock_offset_ms: -250,
        recording_stopped: null,
      },
      rows: snapshot().rows,
    });
  });

  it("says how many requests are sent to the source only to those who may see that", async () => {
    const { ask } = board();
    const plain = ask();
    const whole = ask(null, true);
    expect((await view(whole.clone())).source.budget).toEqual({ used: 1, limit: 60 });
    expect((await view(plain.clone())).source.budget).toBeNull();
    // Neither is ever confirmed to the other.
    expect(ask(whole.headers.get("etag")).status).toBe(200);
    expect(ask(plain.headers.get("etag"), true).status).toBe(200);
    expect(ask(whole.headers.get("etag"), true).status).toBe(304);
  });

  it("returns 304 with the same headers while nothing changed", () => {
    const { ask } = board();
    const etag = ask().headers.get("etag") ?? "";
    for (const sent of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
      const response = ask(sent);
      expect(response.status).toBe(304);
      expect(Object.fromEntries(response.headers)).toEqual({
        etag,
        "cache-control": "private, no-cache",
        vary: "Cookie",
      });
    }
    expect(ask('"other"').status).toBe(200);
  });

  it("never lets a 304 preserve an old confidence: delayed after 2.5 polls, blind after 5", async () => {
    const { clock, ask } = board();
    const etags = new Set<string | null>();
    const confidences: string[] = [];
    for (const seconds of [0, 150, 1, 149, 1]) {
      await clock.advance(seconds * 1000);
      const response = ask();
      etags.add(response.headers.get("etag"));
      confidences.push((await view(response)).source.confidence);
    }
    expect(confidences).toEqual(["live", "live", "delayed", "delayed", "blind"]);
    expect(etags.size).toBe(3);
  });

  it("changes the ETag when only the source changed", () => {
    const { snapshots, ask } = board();
    const etag = ask().headers.get("etag");
    const { rows, ...rest } = snapshot({ reason: "unreachable" });
    snapshots.publish({ ...rest, rows });
    expect(ask(etag).status).toBe(200);
  });

  it("stays correct when the wall clock is set back", async () => {
    const { clock, ask } = board();
    clock.jump(-86_400_000);
    await clock.advance(301_000);
    expect((await view(ask())).source.confidence).toBe("blind");
  });

  it("accepts instants outside the range of Date", async () => {
    const rateLimit = { limit: 60, remaining: 0, resetAtMs: Number.MAX_VALUE };
    const { source } = await view(board(snapshot({ rateLimit })).ask());
    expect(source.rate_limit?.reset_at).toMatch(/^9999-/);
  });
});
