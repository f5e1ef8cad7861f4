import type { ThenView } from "@/lib/contracts/history";
import { confidence } from "@/lib/domain/confidence";
import { runAt, stretchAt, type HistoryAxis } from "@/lib/domain/history";
import { readEndpointsAt, type EndpointAt } from "@/lib/server/store/history/recorded-moment";
import {
  readRecordedEndpoints,
  type RecordedEndpoint,
  type RecordedGap,
} from "@/lib/server/store/history/recorded-endpoints";
import { storableMs } from "@/lib/server/store/storable";
import {
  observedFromMs,
  openRecordedRange,
  type RecordedRange,
  type HistoryRuntime,
} from "@/lib/server/store/history/open-record";
import { gapView } from "./recorded-range";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { notOnRecord } from "./record-names";
import { invalid, text } from "@/lib/server/http/query";

/**
 * What viewers saw of a partner at an instant: `GET .../partners/[partner]/at?at&endpoint`.
 * @throws Failure `invalid_request`; `not_found` for a partner or endpoint that is not on record
 */
export async function getPartnerAt(
  runtime: HistoryRuntime,
  given: { company: string; partnerName: string; query: URLSearchParams },
): Promise<ThenView> {
  const { company, partnerName, query } = given;
  const { database } = runtime;
  const atMs = storableMs(text(query, "at"));
  if (atMs === null) throw invalid("at", "must be an ISO 8601 time");
  const endpointId = text(query, "endpoint");
  const endpoints = await readRecordedEndpoints(database, company, {
    partnerName,
    ...(endpointId !== null && { endpointId }),
  });
  if (endpoints.length === 0) notOnRecord();

  const recorded = await openRecordedRange(runtime, company, () => momentAxis(atMs));
  if (atMs > recorded.nowMs) throw invalid("at", "must not be in the future");
  const ids = endpoints.map(({ id }) => id);
  const known = await readEndpointsAt(database, company, ids, atMs);
  const gap = stretchAt(recorded.gaps, atMs);
  const isRecorded = endpoints.some((endpoint) => observedFromMs(recorded, endpoint) <= atMs);
  const lastSuccessMs = isRecorded ? (gap?.fromMs ?? atMs) : null;
  return {
    partner_name: partnerName,
    at: iso(atMs),
    confidence: confidence(lastSuccessMs, atMs, recorded.rhythmSeconds),
    gap: gap === null ? null : gapView(gap),
    endpoints: endpoints.map((endpoint) =>
      endpointAt(recorded, endpoint, known.get(endpoint.id), atMs, gap),
    ),
  };
}

function endpointAt(
  recorded: RecordedRange,
  endpoint: RecordedEndpoint,
  known: EndpointAt | undefined,
  atMs: number,
  gap: RecordedGap | null,
): ThenView["endpoints"][number] {
  const isObserved = observedFromMs(recorded, endpoint) <= atMs;
  const held = isObserved ? (known?.verdict ?? null) : null;
  const run = known?.run ? runAt(known.run, atMs) : null;
  return {
    id: endpoint.id,
    endpoint_key: endpoint.endpointKey,
    verdict: gap === null ? held : null,
    last_seen: gap === null || held === null ? null : { verdict: held, at: iso(gap.fromMs) },
    landed_at: isoOrNull(known?.landedMs ?? null),
    frequency_minutes: endpoint.frequencyMinutes,
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

/** As short as can be: only what holds at that instant is asked for. */
function momentAxis(atMs: number): HistoryAxis {
  return { fromMs: atMs, untilMs: atMs + 1, slotMs: 1, landingsMs: 1, callsMs: 1 };
}
