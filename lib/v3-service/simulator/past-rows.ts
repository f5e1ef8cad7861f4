import type { ServedSyncStatus } from "@/lib/contracts/v3";
import { DAY_MS, MINUTE_MS } from "./units";
import type { World, WorldEndpoint, WorldEvent } from "./world";

/** What the API listed about an endpoint from `atMs` on (epoch milliseconds); null: it wasn't listed. */
export type PastRow = { atMs: number; row: ServedSyncStatus | null };

/** A reading of `api_calls_last_24h`. */
export type PastCallSample = { endpointId: string; at: number; value: number };

const SAMPLE_MS = 15 * MINUTE_MS;
/** How many of its intervals, and how long besides, it takes until nothing older shows in a row or a record. */
const SETTLES_AFTER_RUNS = 130;
const SETTLES_AFTER_MS = 3 * DAY_MS;

/** How long before an instant the row, and what an observer derives from recent ones, starts to depend on events. */
export function settlingMs({ everyMinutes }: Pick<WorldEndpoint, "everyMinutes">): number {
  return SETTLES_AFTER_RUNS * everyMinutes * MINUTE_MS + SETTLES_AFTER_MS;
}

/**
 * The rows of an endpoint as the API served them, one for each of its changes.
 * @param fromMs epoch milliseconds; the first row is the one at this instant
 * @param untilMs epoch milliseconds, inclusive
 */
export function* pastRows(
  world: Pick<World, "eventsOf">,
  endpoint: WorldEndpoint,
  fromMs: number,
  untilMs: number,
): Generator<PastRow, void, undefined> {
  const state = createState(endpoint);
  for (const event of world.eventsOf(endpoint.id, fromMs - settlingMs(endpoint), fromMs))
    state.apply(event);
  yield { atMs: fromMs, row: state.rowAt(fromMs) };
  const turns = [
    endpoint.pausedAtMs,
    endpoint.recordedSyncAtMs,
    endpoint.otherwise?.fromMs ?? null,
    endpoint.otherwise?.untilMs ?? null,
  ]
    .filter((atMs) => atMs !== null && atMs > fromMs && atMs <= untilMs)
    .map((atMs) => ({ atMs: atMs ?? 0, event: null }));
  const changes = world
    .eventsOf(endpoint.id, fromMs, untilMs)
    .flatMap((event) => (event.kind === "api_calls" ? [] : { atMs: event.atMs, event }));
  const all = [...turns, ...changes].toSorted((a, b) => a.atMs - b.atMs);
  for (const [index, { atMs, event }] of all.entries()) {
    if (event !== null) state.apply(event);
    if (all[index + 1]?.atMs !== atMs) yield { atMs, row: state.rowAt(atMs) };
  }
}

/**
 * Readings of an endpoint's `api_calls_last_24h`, every quarter of an hour while it was listed.
 * @param fromMs epoch milliseconds, exclusive
 * @param untilMs epoch milliseconds, inclusive
 */
export function pastCallSamples(
  world: Pick<World, "eventsOf">,
  endpoint: WorldEndpoint,
  fromMs: number,
  untilMs: number,
): PastCallSample[] {
  const calls = world
    .eventsOf(endpoint.id, fromMs - DAY_MS, untilMs)
    .flatMap((event) => (event.kind === "api_calls" ? event : []));
  const samples: PastCallSample[] = [];
  let [added, dropped, value] = [0, 0, 0];
  for (let at = (Math.floor(fromMs / SAMPLE_MS) + 1) * SAMPLE_MS; at <= untilMs; at += SAMPLE_MS) {
    for (let call = calls[added]; call !== undefined && call.atMs <= at; call = calls[++added])
      value += call.count;
    for (
      let call = calls[dropped];
      call !== undefined && call.atMs <= at - DAY_MS;
      call = calls[++dropped]
    )
      value -= call.count;
    if (settingsAt(endpoint, at) !== null) samples.push({ endpointId: endpoint.id, at, value });
  }
  return samples;
}

/** An endpoint's settings at an instant; null: it wasn't listed. */
function settingsAt(endpoint: WorldEndpoint, atMs: number) {
  const { otherwise, pausedAtMs, frequencyMinutes } = endpoint;
  if (otherwise !== null && otherwise.fromMs <= atMs && atMs < otherwise.untilMs)
    return otherwise.as;
  const wasActive = pausedAtMs !== null && atMs < pausedAtMs;
  return { status: wasActive ? ("active" as const) : endpoint.status, frequencyMinutes };
}

function createState(endpoint: WorldEndpoint) {
  type Attributes = ServedSyncStatus["attributes"];
  let landed: { ms: number; at: string } | null = null;
  let nextSyncAt: string | null = null;
  let run: Pick<
    Attributes,
    | "last_sync_status"
    | "last_sync_started_at"
    | "last_sync_finished_at"
    | "last_sync_duration_seconds"
  > = {
    last_sync_status: null,
    last_sync_started_at: null,
    last_sync_finished_at: null,
    last_sync_duration_seconds: null,
  };
  return {
    apply(event: WorldEvent): void {
      switch (event.kind) {
        case "run_started":
          run = {
            last_sync_status: "in_progress",
            last_sync_started_at: iso(event.atMs),
            last_sync_finished_at: null,
            last_sync_duration_seconds: null,
          };
          break;
        case "run_finished":
          run = {
            last_sync_status: event.outcome,
            last_sync_started_at: iso(event.startedAtMs),
            last_sync_finished_at: iso(event.atMs),
            last_sync_duration_seconds: Math.floor((event.atMs - event.startedAtMs) / 1000),
          };
          if (event.outcome === "completed" && !event.isEmpty)
            landed = { ms: event.atMs, at: iso(event.atMs) };
          break;
        case "landing":
          landed = { ms: event.atMs, at: iso(event.atMs) };
          break;
        case "next_sync":
          nextSyncAt = event.nextSyncAtMs === null ? null : iso(event.nextSyncAtMs);
          break;
        case "api_calls":
          break;
      }
    },
    rowAt(atMs: number): ServedSyncStatus | null {
      const settings = settingsAt(endpoint, atMs);
      if (settings === null) return null;
      const { recordedSyncAtMs } = endpoint;
      const isRecorded = recordedSyncAtMs !== null && recordedSyncAtMs <= atMs;
      const counts = landed !== null && (!isRecorded || landed.ms >= recordedSyncAtMs);
      return {
        id: endpoint.id,
        type: "sync_status",
        attributes: {
          endpoint_key: endpoint.endpointKey,
          partner_name: endpoint.partnerName,
          status: settings.status,
          last_updated_at: counts ? (landed?.at ?? null) : null,
          next_sync_at: nextSyncAt,
          ...run,
          frequency_minutes: settings.frequencyMinutes,
          // Its readings are taken apart: it moves no verdict.
          api_calls_last_24h: 0,
        },
      };
    },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
