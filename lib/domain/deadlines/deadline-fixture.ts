import fc from "fast-check";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { NAMED_MONTH_DAYS, type Deadline, type DeadlineRule } from "./deadline";

/** Every day by 07:00 UTC. */
export function rule(changes: Partial<DeadlineRule> = {}): DeadlineRule {
  return {
    by: "07:00",
    days: WEEKDAYS,
    monthDays: null,
    timeZone: "UTC",
    dataFrom: null,
    holidays: [],
    allowanceMinutes: 0,
    from: null,
    until: null,
    ...changes,
  };
}

/** The same for the whole company, made long ago. */
export function deadline(changes: Partial<Deadline> = {}): Deadline {
  return {
    ...rule(),
    id: "d1",
    partner: null,
    endpointId: null,
    madeMs: 0,
    endedMs: null,
    ...changes,
  };
}

const ODD_ZONES = [
  "UTC",
  "Europe/Berlin",
  "Europe/Oslo",
  "America/New_York",
  "America/St_Johns",
  "America/Santiago",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Asia/Kathmandu",
  "Asia/Tehran",
  "Africa/Casablanca",
];
/** Around changes of clocks and ends of months. */
export const FIRST_DAYS = [
  "2026-03-06",
  "2026-03-27",
  "2026-04-03",
  "2026-09-04",
  "2026-09-25",
  "2026-10-02",
  "2026-10-23",
  "2026-10-30",
  "2026-12-24",
  "2027-02-26",
  "2028-02-27",
].map((date) => Date.parse(`${date}T00:00:00Z`));

const quarter = fc
  .integer({ min: 0, max: 95 })
  .map(
    (n) => `${String(Math.floor(n / 4)).padStart(2, "0")}:${String((n % 4) * 15).padStart(2, "0")}`,
  );
const monthDay = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constantFrom(...NAMED_MONTH_DAYS));
const date = fc
  .tuple(fc.constantFrom(...FIRST_DAYS), fc.integer({ min: 0, max: 5 }))
  .map(([ms, n]) => iso(ms + n * DAY_MS).slice(0, 10));

/** Any calendar, in zones with odd offsets. */
export const anyRule: fc.Arbitrary<DeadlineRule> = fc
  .record({
    by: quarter,
    isMonthly: fc.boolean(),
    days: fc.subarray([...WEEKDAYS], { minLength: 2 }),
    monthDays: fc.uniqueArray(monthDay, { minLength: 3, maxLength: 10 }),
    timeZone: fc.constantFrom(...ODD_ZONES),
    dataFrom: fc.option(quarter),
    holidays: fc.array(date, { maxLength: 6 }),
    allowanceMinutes: fc.constantFrom(0, 0, 10, 60, 1440),
    from: fc.option(date, { freq: 5 }),
  })
  .map(({ isMonthly, days, monthDays, dataFrom, ...one }) => ({
    ...one,
    days: isMonthly ? null : days,
    monthDays: isMonthly ? monthDays : null,
    dataFrom: dataFrom !== null && dataFrom < one.by ? dataFrom : null,
    until: null,
  }));
