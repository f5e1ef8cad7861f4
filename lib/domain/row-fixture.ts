import type { SnapshotRow } from "./judge";
import { NOTHING_KNOWN } from "./known";

/** Thu 19 Nov 2026, 13:32:07 UTC. */
export const NOW_MS = Date.parse("2026-11-19T13:32:07Z");

/** @param minutes negative: in the future */
export const minutesAgo = (minutes: number): string =>
  new Date(NOW_MS - minutes * 60_000).toISOString();

/** An hourly endpoint that is on time, with the given overrides. */
export function row(given: Partial<SnapshotRow>): SnapshotRow {
  return {
    id: "1",
    endpoint_key: "rfis",
    partner_name: "Procore",
    status: "active",
    last_updated_at: minutesAgo(20),
    next_sync_at: minutesAgo(-13),
    last_sync_status: "completed",
    last_sync_started_at: minutesAgo(21),
    last_sync_finished_at: minutesAgo(20),
    last_sync_duration_seconds: 60,
    frequency_minutes: 60,
    api_calls_last_24h: 5,
    verdict: "fresh",
    known: NOTHING_KNOWN,
    ...given,
  };
}

/** An endpoint with only the age of its data known. @param ageMinutes null: no data was ever received */
export function agedRow(ageMinutes: number | null, given: Partial<SnapshotRow> = {}): SnapshotRow {
  return row({
    last_updated_at: ageMinutes === null ? null : minutesAgo(ageMinutes),
    next_sync_at: null,
    last_sync_status: null,
    last_sync_started_at: null,
    last_sync_finished_at: null,
    last_sync_duration_seconds: null,
    ...given,
  });
}
