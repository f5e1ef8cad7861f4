import type { SyncStatusRow, SyncStatusView, Source } from "@/lib/contracts/dashboard";
import type { BoardThenView } from "@/lib/contracts/history";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { instantMs } from "@/lib/domain/time/instant";

type EndpointThen = BoardThenView["endpoints"][number];

/**
 * What a viewer saw then, as a snapshot that nothing follows: its verdicts are the record's and stand still, so that
 * none of them can pass for the present.
 * @param source of the company now; what of it was another then is replaced
 */
export function thenView(then: BoardThenView, source: Source): SyncStatusView {
  // Inside a gap viewers saw what the last check before it had found.
  const asOf = then.gap?.from ?? then.at;
  return {
    as_of: asOf,
    source: {
      ...source,
      confidence: "blind",
      reason: null,
      last_success_at: asOf,
      // The record is on the API's clock already.
      api_clock_offset_ms: 0,
    },
    rows: then.endpoints.map((endpoint) => rowThen(endpoint, asOf)),
  };
}

function rowThen(endpoint: EndpointThen, asOf: string): SyncStatusRow {
  const { landed_at: landedAt, last_run: run, frequency_minutes: frequencyMinutes } = endpoint;
  const word = endpoint.verdict ?? endpoint.last_seen?.verdict ?? "unknown";
  const ageMs = (instantMs(asOf) ?? 0) - (instantMs(landedAt) ?? -Infinity);
  // The record keeps today's cadence only: beside what was fresh by an older one it would make a number overdue.
  const isContradicted = word === "fresh" && ageMs >= (frequencyMinutes ?? Infinity) * 60_000;
  return {
    id: endpoint.id,
    endpoint_key: endpoint.endpoint_key,
    partner_name: endpoint.partner_name,
    status: word === "webhook" ? "webhook" : word === "paused" ? "inactive" : "active",
    last_updated_at: landedAt,
    next_sync_at: null,
    last_sync_status: run?.status ?? null,
    last_sync_started_at: run?.started_at ?? null,
    last_sync_finished_at: run?.finished_at ?? null,
    last_sync_duration_seconds: run?.duration_seconds ?? null,
    frequency_minutes: isContradicted ? null : frequencyMinutes,
    // Not told of a moment; the styles hide it.
    api_calls_last_24h: 0,
    verdict: word,
    known: NOTHING_KNOWN,
  };
}
