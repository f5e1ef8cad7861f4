import { NOW_MS, minutesAgo, row } from "@/lib/domain/row-fixture";
import type { Source, SyncStatusRow, SyncStatusView } from "@/lib/contracts/dashboard";
import type { PromiseState } from "@/lib/domain/deadlines/deadline";
import { wallModel, type WallModel } from "./model";
import type { WallCompany } from "./trust";

/** A company's healthy snapshot of 12 s ago, with the given changes. */
export function view(rows: readonly SyncStatusRow[], given: Partial<Source> = {}): SyncStatusView {
  const source: Source = {
    confidence: "live",
    reason: null,
    last_success_at: minutesAgo(0.2),
    next_refresh_at: minutesAgo(-0.8),
    rhythm_seconds: 60,
    rate_limit: null,
    budget: { used: 4, limit: 60 },
    api_clock_offset_ms: 0,
    ...given,
  };
  return { as_of: source.last_success_at, source, rows: [...rows] };
}

export function company(
  name: string,
  shown: SyncStatusView | null,
  lastResponseMs: number | null = NOW_MS - 1000,
): WallCompany {
  return { slug: name.toLowerCase(), name, view: shown, lastResponseMs };
}

/** What the wall shows in Berlin, 16:9, at `NOW_MS` by default. */
export function modelOf(
  companies: readonly WallCompany[],
  given: Partial<Parameters<typeof wallModel>[0]> = {},
): WallModel {
  return wallModel({
    companies,
    nowMs: NOW_MS,
    isTimeCertain: true,
    timeZone: "Europe/Berlin",
    layout: "auto",
    size: null,
    ...given,
  });
}

let lastId = 0;

export function endpoint(
  partner: string,
  key: string,
  given: Partial<SyncStatusRow> = {},
): SyncStatusRow {
  lastId += 1;
  return row({ id: String(lastId), partner_name: partner, endpoint_key: key, ...given });
}

/** An hourly endpoint, the given minutes after its due time. */
export function overdue(minutes: number): Partial<SyncStatusRow> {
  return {
    last_updated_at: minutesAgo(60 + minutes),
    last_sync_started_at: minutesAgo(61 + minutes),
    last_sync_finished_at: minutesAgo(60 + minutes),
  };
}

/** Same, with failed last runs, the last one 11 minutes ago. */
export function failing(minutes: number, streak: number): Partial<SyncStatusRow> {
  return {
    ...overdue(minutes),
    last_sync_status: "failed",
    last_sync_finished_at: minutesAgo(11),
    known: { ...row({}).known, failures_in_a_row: streak, typical_duration_seconds: 0 },
  };
}

export const UNKNOWN: Partial<SyncStatusRow> = {
  frequency_minutes: null,
  last_updated_at: null,
  next_sync_at: null,
};

/** A promise that is due the given minutes from now. */
export function promised(
  state: PromiseState,
  dueMinutes: number,
): { promise: NonNullable<SyncStatusRow["promise"]> } {
  return {
    promise: {
      id: `promise-${state}`,
      date: "2026-11-19",
      due_at: minutesAgo(-dueMinutes),
      state,
      attempt_at: null,
      usually_seconds: null,
      late_seconds: null,
      late_at_most: false,
    },
  };
}
