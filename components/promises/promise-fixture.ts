import type { PromiseView, RehearsedDay } from "@/lib/contracts/promises";
import type { RowPromise } from "@/lib/contracts/row-promise";

export function promise(given: Partial<PromiseView> = {}): PromiseView {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    partner: "Sage 300",
    endpoint_id: "sage-commitments",
    by: "16:00",
    days: ["mon", "tue", "wed", "thu", "fri"],
    month_days: null,
    time_zone: "Europe/Oslo",
    data_from: null,
    holidays: [],
    allowance_minutes: 0,
    from: null,
    until: null,
    target_percent: null,
    note: null,
    author: { id: "00000000-0000-4000-8000-0000000000a1", name: "Ana Rask" },
    at: "2026-11-01T09:00:00Z",
    next: {
      date: "2026-11-24",
      from_at: "2026-11-24T13:00:00Z",
      due_at: "2026-11-24T15:00:00Z",
    },
    ...given,
  };
}

export function rowPromise(given: Partial<RowPromise> = {}): RowPromise {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    date: "2026-11-24",
    due_at: "2026-11-24T15:00:00Z",
    state: "open",
    attempt_at: null,
    usually_seconds: null,
    late_seconds: null,
    late_at_most: false,
    ...given,
  };
}

/** A day at 07:00 UTC, without a warning. */
export function day(date: string, given: Partial<RehearsedDay> = {}): RehearsedDay {
  return {
    date,
    due_at: `${date}T07:00:00Z`,
    outcome: "met",
    received_at: `${date}T06:30:00Z`,
    late_seconds: null,
    late_at_most: false,
    excuse: null,
    warned_at: null,
    is_warning_known: true,
    ...given,
  };
}

/** A missed day; `lateMinutes` null: no data came. */
export function missedDay(
  date: string,
  lateMinutes: number | null,
  given: Partial<RehearsedDay> = {},
): RehearsedDay {
  const dueMs = Date.parse(`${date}T07:00:00Z`);
  return day(date, {
    outcome: "missed",
    received_at: lateMinutes === null ? null : new Date(dueMs + lateMinutes * 60_000).toISOString(),
    late_seconds: lateMinutes === null ? null : lateMinutes * 60,
    ...given,
  });
}
