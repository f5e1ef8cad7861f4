import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { PromiseRequest } from "@/lib/contracts/promises";
import { deadlineDays } from "@/lib/domain/deadlines/calendar";
import type { ClosedDay } from "@/lib/domain/deadlines/closing";
import type { Deadline } from "@/lib/domain/deadlines/deadline";
import { closesFromMs } from "@/lib/domain/deadlines/outcome";
import type { Period } from "@/lib/domain/history";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { closeDays } from "@/lib/server/collector/deadlines/close-days";
import { apiNow } from "@/lib/server/operations/quiet/expectations";
import type { PromisesRuntime } from "@/lib/server/operations/promises/promises";
import { readGaps } from "@/lib/server/store/sync/endpoint-history";

/** How long ago they were made: the record of a new demo is about as long. */
export const PROMISED_MS = 13 * DAY_MS;
const ZONE = "Europe/Oslo";
const WORKDAYS = WEEKDAYS.slice(0, 5);
/** A miss this long ago is remembered, and over. */
const MISSED_DAYS_AGO = { least: 4, most: 11 };
/** Data that arrives this shortly before its promise: a run that fails puts it at risk. */
const SHORTLY_MS = 15 * MINUTE_MS;

type Tried = { deadline: Deadline; row: SyncStatusRow; days: readonly ClosedDay[] };

/**
 * Three promises that a company could have made, by its record: one that was always kept, one that was missed once about
 * a week ago, and one that is kept with little time left. Fewer where the record has no such feed.
 */
export async function believablePromises(
  runtime: PromisesRuntime,
  company: string,
): Promise<PromiseRequest[]> {
  const { apiNowMs, rows } = apiNow(runtime, company);
  const feeds = rows.filter(
    ({ status, frequency_minutes: minutes, verdict }) =>
      status === "active" && minutes === 60 && (verdict === "fresh" || verdict === "due"),
  );
  const within = { fromMs: apiNowMs - PROMISED_MS, untilMs: apiNowMs };
  const gaps = await readGaps(runtime.database, company);
  const tried: Tried[] = [];
  for (const row of feeds) tried.push(...(await tryFeed(runtime, company, row, { within, gaps })));
  const isMet = ({ outcome }: ClosedDay) => outcome === "met";
  const kinds: readonly [note: string, fits: (one: Tried) => boolean][] = [
    ["Agreed with the customer", wasMissedOnce],
    ["As in the contract", (one) => isKept(one) && one.deadline.by === "07:00"],
    [
      "Needed for the daily report",
      (one) => isKept(one) && one.deadline.dataFrom !== null && one.days.every(isShortlyBefore),
    ],
  ];
  const used = new Set<string>();
  return kinds.flatMap(([note, fits]) => {
    const one = tried.find((each) => !used.has(each.row.id) && fits(each));
    if (one === undefined) return [];
    used.add(one.row.id);
    const { by, dataFrom } = one.deadline;
    const days = [...WORKDAYS];
    return { endpoint_id: one.row.id, by, days, time_zone: ZONE, data_from: dataFrom, note };
  });

  function isKept({ days }: Tried): boolean {
    return days.length > 4 && days.every(isMet);
  }

  function wasMissedOnce({ days }: Tried): boolean {
    const [only, ...others] = days.filter((day) => !isMet(day));
    if (only?.outcome !== "missed" || others.length > 0) return false;
    const daysAgo = (apiNowMs - only.day.dueMs) / DAY_MS;
    return daysAgo >= MISSED_DAYS_AGO.least && daysAgo <= MISSED_DAYS_AGO.most;
  }
}

async function tryFeed(
  { database }: PromisesRuntime,
  company: string,
  row: SyncStatusRow,
  { within, gaps }: { within: Period; gaps: readonly Period[] },
): Promise<Tried[]> {
  const deadlines = rulesToTry().map((rule, at): Deadline => ({
    ...rule,
    id: String(at),
    partner: null,
    endpointId: row.id,
    madeMs: -Infinity,
    endedMs: null,
  }));
  const days = deadlines.flatMap((deadline) =>
    deadlineDays(deadline, within)
      .filter((day) => closesFromMs(day) <= within.untilMs)
      .map((day) => ({ deadline, day })),
  );
  const closed = await closeDays(database, company, {
    days,
    deadlines,
    endpoints: [{ id: row.id, partner: row.partner_name }],
    gaps,
    snapshot: null,
  });
  return deadlines.map((deadline) => ({
    deadline,
    row,
    days: closed.filter((day) => day.deadline === deadline),
  }));
}

/** Every full hour of a working day, and every quarter of a morning with the hour before it. */
function rulesToTry() {
  const common = {
    days: WORKDAYS,
    monthDays: null,
    timeZone: ZONE,
    holidays: [],
    allowanceMinutes: 0,
    from: null,
    until: null,
  };
  const hours = [7, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18];
  const quarters = [28, 29, 30, 31, 32, 33, 34, 35];
  return [
    ...hours.map((hour) => ({ ...common, by: clock(4 * hour), dataFrom: null })),
    ...quarters.map((at) => ({ ...common, by: clock(at), dataFrom: clock(at - 4) })),
  ];
}

/** "07:15" @param quarters since midnight */
function clock(quarters: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(quarters / 4))}:${two((quarters % 4) * 15)}`;
}

function isShortlyBefore({ day, receivedMs }: ClosedDay): boolean {
  return receivedMs !== null && day.dueMs - receivedMs <= SHORTLY_MS;
}
