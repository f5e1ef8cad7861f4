import type { ThenView } from "@/lib/contracts/history";
import { confidence } from "@/lib/domain/confidence";
import { runAt, periodAt, type HistoryAxis } from "@/lib/domain/history";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { invalid, text } from "@/lib/server/http/query";
import {
  observedFromMs,
  openRecordedRange,
  openRecordedRanges,
  type HistoryRuntime,
  type RecordedRange,
} from "@/lib/server/store/history/open-record";
import type { RecordedEndpoint, RecordedGap } from "@/lib/server/store/history/recorded-endpoints";
import {
  readEndpointsAt,
  readEndpointsOfAt,
  type EndpointAt,
} from "@/lib/server/store/history/recorded-moment";
import { NO_STORABLE_TIME, storableMs } from "@/lib/server/store/storable";
import { gapView } from "./recorded-range";
import { DAY_MS } from "@/lib/domain/time/units";

export type ThenRuntime = HistoryRuntime & { config: { retentionDays: number } };

/** Recorded state of some endpoints at an instant; epoch milliseconds on the API's clock. */
export type Then = {
  /** The view at that instant: when, its confidence, and the gap that contains it. */
  view: Pick<ThenView, "at" | "confidence" | "gap">;
  /** Start of the record for any of them; null when there is none. */
  recordedFromMs: number | null;
  /** The API's clock minus ours, milliseconds. */
  offsetMs: number;
  endpointAt: (endpoint: RecordedEndpoint) => ThenView["endpoints"][number];
};

/**
 * The requested instant, epoch milliseconds.
 * @throws Failure `invalid_request`
 */
export function requestedInstant(query: URLSearchParams): number {
  const atMs = storableMs(text(query, "at"));
  if (atMs === null) throw invalid("at", NO_STORABLE_TIME);
  return atMs;
}

/** The same with since when an endpoint was in trouble, as its verdicts say; null: they don't. */
export type ThenOfMany = Then & { inTroubleSinceMs: (endpoint: RecordedEndpoint) => number | null };

/** The same before the states of endpoints are read. */
export type OpenedThen = Omit<Then, "endpointAt"> & {
  /** Reads the states of some of the endpoints. */
  read: (some: readonly RecordedEndpoint[]) => Promise<Then["endpointAt"]>;
};

/**
 * Opens the record at an instant, and reads the states of the endpoints then.
 * @throws Failure `invalid_request` for an instant in the future
 */
export async function openThen(
  runtime: ThenRuntime,
  company: string,
  endpoints: readonly RecordedEndpoint[],
  atMs: number,
): Promise<Then> {
  const { read, ...then } = await openMoment(runtime, company, endpoints, atMs);
  return { ...then, endpointAt: await read(endpoints) };
}

/**
 * Opens the record of some endpoints at an instant, without reading their states.
 * @throws Failure `invalid_request` for an instant in the future
 */
export async function openMoment(
  runtime: ThenRuntime,
  company: string,
  endpoints: readonly RecordedEndpoint[],
  atMs: number,
): Promise<OpenedThen> {
  const recorded = await openRecordedRange(runtime, company, () => momentAxis(atMs));
  refuseFuture(runtime, recorded, atMs);
  const { stateOf, ...then } = thenOf(runtime, recorded, { endpoints, atMs });
  return {
    ...then,
    async read(some) {
      const ids = some.map(({ id }) => id);
      const known = await readEndpointsAt(runtime.database, company, ids, atMs);
      return (endpoint) => stateOf(endpoint, known.get(endpoint.id));
    },
  };
}

/**
 * Opens the records of several companies at an instant, in three statements.
 * @param endpointsBy the endpoints of each company
 * @returns an entry for every company
 * @throws Failure `invalid_request` for an instant in the future
 */
export async function openThenOf(
  runtime: ThenRuntime,
  endpointsBy: ReadonlyMap<string, readonly RecordedEndpoint[]>,
  atMs: number,
): Promise<Map<string, ThenOfMany>> {
  const companies = [...endpointsBy.keys()];
  const ranges = await openRecordedRanges(runtime, companies, momentAxis(atMs));
  for (const recorded of ranges.values()) refuseFuture(runtime, recorded, atMs);
  const wanted = Array.from(endpointsBy, ([company, endpoints]) =>
    endpoints.map(({ id }) => ({ company, id })),
  ).flat();
  const knownBy = await readEndpointsOfAt(runtime.database, wanted, atMs);
  return new Map(
    Array.from(ranges, ([company, recorded]) => {
      const endpoints = endpointsBy.get(company) ?? [];
      const known = knownBy.get(company) ?? new Map<string, EndpointAt>();
      const { stateOf, ...then } = thenOf(runtime, recorded, { endpoints, atMs });
      return [
        company,
        {
          ...then,
          endpointAt: (endpoint) => stateOf(endpoint, known.get(endpoint.id)),
          inTroubleSinceMs: ({ id }) => inTroubleSinceMs(known.get(id)),
        },
      ];
    }),
  );
}

/** Links are dated by our clock, the record by the API's. */
function refuseFuture({ clock }: ThenRuntime, { nowMs }: RecordedRange, atMs: number): void {
  if (atMs > Math.max(nowMs, clock.nowMs())) throw invalid("at", "must not be in the future");
}

function thenOf(
  runtime: ThenRuntime,
  recorded: RecordedRange,
  { endpoints, atMs }: { endpoints: readonly RecordedEndpoint[]; atMs: number },
): Omit<Then, "endpointAt"> & {
  stateOf: (
    endpoint: RecordedEndpoint,
    known: EndpointAt | undefined,
  ) => ThenView["endpoints"][number];
} {
  const gap = periodAt(recorded.gaps, atMs);
  // Older data is deleted or about to be; the remainder would look like the whole.
  const keptFromMs = recorded.nowMs - runtime.config.retentionDays * DAY_MS;
  const fromMs = (endpoint: RecordedEndpoint) =>
    Math.max(keptFromMs, observedFromMs(recorded, endpoint));
  const isRecorded = (endpoint: RecordedEndpoint) => fromMs(endpoint) <= atMs;
  const recordedFromMs = endpoints.reduce((first, one) => Math.min(first, fromMs(one)), Infinity);
  return {
    view: {
      at: iso(atMs),
      confidence: confidenceAt(recorded, gap, recordedFromMs <= atMs, atMs),
      gap: gap === null ? null : gapView(gap),
    },
    recordedFromMs: recordedFromMs === Infinity ? null : recordedFromMs,
    offsetMs: recorded.offsetMs,
    stateOf: (endpoint, known) =>
      endpointAt(endpoint, known, { gap, isRecorded: isRecorded(endpoint), atMs }),
  };
}

function confidenceAt(
  { rhythmSeconds }: RecordedRange,
  gap: RecordedGap | null,
  isRecorded: boolean,
  atMs: number,
): ThenView["confidence"] {
  return confidence(isRecorded ? (gap?.fromMs ?? atMs) : null, atMs, rhythmSeconds);
}

/** The cadence at an instant, minutes; null: unknown, also where only later ones are recorded and they changed. */
function cadenceThen(
  { frequencyMinutes: today }: RecordedEndpoint,
  known: EndpointAt | undefined,
): number | null {
  const cadence = known?.cadence ?? null;
  if (cadence === null) return today;
  const { minutes, isLater } = cadence;
  return isLater && minutes !== today ? null : minutes;
}

function endpointAt(
  endpoint: RecordedEndpoint,
  known: EndpointAt | undefined,
  { gap, isRecorded, atMs }: { gap: RecordedGap | null; isRecorded: boolean; atMs: number },
): ThenView["endpoints"][number] {
  const held = isRecorded ? (known?.verdict ?? null) : null;
  const run = known?.run ? runAt(known.run, atMs) : null;
  return {
    id: endpoint.id,
    endpoint_key: endpoint.endpointKey,
    verdict: gap === null ? held : null,
    last_seen: gap === null || held === null ? null : { verdict: held, at: iso(gap.fromMs) },
    landed_at: isoOrNull(known?.landedMs ?? null),
    frequency_minutes: isRecorded ? cadenceThen(endpoint, known) : null,
    last_run:
      run === null
        ? null
        : {
            started_at: iso(run.startedMs),
            finished_at: isoOrNull(run.finishedMs),
            status: run.status,
            duration_seconds: run.durationSeconds,
          },
  };
}

function inTroubleSinceMs(known: EndpointAt | undefined): number | null {
  const { verdict = null, changed = null } = known ?? {};
  if (verdict === null || !isTrouble(verdict) || changed === null) return null;
  return isTrouble(changed.previous) ? null : changed.atMs;
}

/** As short as possible: only the state at that instant is needed. */
function momentAxis(atMs: number): HistoryAxis {
  return { fromMs: atMs, untilMs: atMs + 1, slotMs: 1, landingsMs: 1, callsMs: 1 };
}
