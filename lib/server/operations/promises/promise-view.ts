import type { z } from "zod";
import type { KeptDay, PromiseRequest, PromiseView } from "@/lib/contracts/promises";
import { nextDeadlineDay, windowFromMs, type FeedPace } from "@/lib/domain/deadlines/calendar";
import type { DeadlineScope } from "@/lib/domain/deadlines/deadline";
import { isScheduled } from "@/lib/domain/deadlines/holding";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { cadenceOf } from "@/lib/domain/verdict";
import type { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { deadlineOf, type DeadlineRow } from "@/lib/server/store/deadlines/read-deadlines";
import type { KeptDayRow } from "@/lib/server/store/deadlines/read-kept";

export type Entered = z.output<typeof PromiseRequest>;
type Rows = ReturnType<typeof syncStatusView>["rows"];

/** A promise's members as in a request, without what it applies to. */
export function enteredOf({ rule, targetPercent, note }: DeadlineRow) {
  return {
    by: rule.by,
    days: rule.days === null ? null : [...rule.days],
    month_days: rule.monthDays === null ? null : [...rule.monthDays],
    time_zone: rule.timeZone,
    data_from: rule.dataFrom,
    holidays: [...rule.holidays],
    allowance_minutes: rule.allowanceMinutes,
    from: rule.from,
    until: rule.until,
    target_percent: targetPercent,
    note,
  };
}

/** The feeds in a scope for which its promises hold, one of each pace. */
export type Paces = (scope: DeadlineScope) => Iterable<FeedPace>;

/** Groups a company's current endpoints by their paces once, for any number of promises. */
export function pacesOf(rows: Rows): Paces {
  const ofEndpoint = new Map<string, FeedPace>();
  const ofPartner = new Map<string, Map<number | null, FeedPace>>();
  const ofCompany = new Map<number | null, FeedPace>();
  for (const row of rows) {
    const pace = { status: row.status, cadenceMs: cadenceOf(row, row.known).ms };
    ofEndpoint.set(row.id, pace);
    if (!isScheduled(pace)) continue;
    const partner = ofPartner.get(row.partner_name) ?? new Map<number | null, FeedPace>();
    ofPartner.set(row.partner_name, partner.set(pace.cadenceMs, pace));
    ofCompany.set(pace.cadenceMs, pace);
  }
  return ({ partner, endpointId }) => {
    if (endpointId !== null) return [ofEndpoint.get(endpointId) ?? []].flat();
    return (partner === null ? ofCompany : ofPartner.get(partner))?.values() ?? [];
  };
}

/**
 * A promise as JSON.
 * @param paces decide when the next window begins
 * @param apiNowMs epoch milliseconds on the API's clock
 */
export function promiseView(row: DeadlineRow, paces: Paces, apiNowMs: number): PromiseView {
  return {
    id: row.id,
    partner: row.partnerName,
    endpoint_id: row.endpointId,
    ...enteredOf(row),
    author: { id: row.madeById, name: row.madeByName },
    at: row.madeAt.toISOString(),
    next: nextOf(row, paces, apiNowMs),
  };
}

function nextOf(row: DeadlineRow, paces: Paces, apiNowMs: number): PromiseView["next"] {
  const deadline = deadlineOf(row);
  // What was due before it was made isn't judged.
  const day = nextDeadlineDay(deadline, Math.max(apiNowMs, deadline.madeMs));
  if (day === null) return null;
  const windows = Array.from(paces(deadline), (pace) => windowFromMs(day, pace));
  const fromMs = windows.length === 0 ? windowFromMs(day, null) : Math.min(...windows);
  return { date: day.date, from_at: iso(fromMs), due_at: iso(day.dueMs) };
}

/** A closed or rehearsed day as JSON. */
export function keptDay(day: KeptDayRow): KeptDay {
  const isLate = day.outcome === "missed" && day.receivedMs !== null;
  return {
    date: day.date,
    due_at: iso(day.dueMs),
    outcome: day.outcome,
    received_at: isoOrNull(day.receivedMs),
    late_seconds: isLate ? Math.round(((day.receivedMs ?? 0) - day.dueMs) / 1000) : null,
    late_at_most: day.isAtMost,
    excuse: day.excuse,
  };
}
