import { NOTHING_KNOWN } from "@/lib/domain/known";
import type { SyncStatusRow } from "./dashboard";

/** For tests: an active endpoint with nothing known but `given`. */
export function rowFixture(given: Partial<SyncStatusRow> = {}): SyncStatusRow {
  return {
    id: "sc-1",
    endpoint_key: "rfis",
    partner_name: "Procore",
    status: "active",
    last_updated_at: null,
    next_sync_at: null,
    last_sync_status: null,
    last_sync_started_at: null,
    last_sync_finished_at: null,
    last_sync_duration_seconds: null,
    frequency_minutes: null,
    api_calls_last_24h: 0,
    verdict: "unknown",
    known: NOTHING_KNOWN,
    ...given,
  };
}
