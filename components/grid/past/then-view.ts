import type { SyncStatusRow, SyncStatusView, Source } from "@/lib/contracts/dashboard";
import type { BoardThenView } from "@/lib/contracts/history";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { countedMs, restsOf } from "@/lib/domain/learned-week/rest";
import { instantMs } from "@/lib/domain/time/instant";

type EndpointThen = BoardThenView["endpoints"][number];

/**
 * The view at a past moment, as a static snapshot: its recorded verdicts are frozen, so that none
 * passes for the present.
 * @param source of the company now; parts that differed then are replaced
 */
export function thenView(then: BoardThenView, source: Source): SyncStatusView {
  // Inside a gap viewers saw the last check before it.
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
  const asOfMs = instantMs(asOf) ?? 0;
  const week = endpoint.learned_week ?? null;
  const ageMs = countedMs(restsOf(week, asOfMs), instantMs(landedAt) ?? -Infinity, asOfMs);
  // Before cadences were recorded it is today's, which could make a formerly fresh endpoint look overdue.
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
    // Unknown for a past moment; hidden by the styles.
    api_calls_last_24h: 0,
    verdict: word,
    known: { ...NOTHING_KNOWN, learned_week: week },
    promise: endpoint.promise,
  };
}
