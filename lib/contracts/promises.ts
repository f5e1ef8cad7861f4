import { z } from "zod";
import { PromiseCounts } from "./row-promise";
import {
  DAY_OUTCOMES,
  EXCUSES,
  LONGEST_ALLOWANCE,
  LONGEST_DEADLINE_NOTE,
  MAX_HOLIDAYS,
  MAX_MONTH_DAYS,
  NAMED_MONTH_DAYS,
} from "@/lib/domain/deadlines/deadline";
import { isDate } from "@/lib/domain/deadlines/dates";
import { minutesOf } from "@/lib/domain/time/day";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { presentZoneName } from "@/lib/domain/time/present-zone";
import { enteredText } from "@/lib/domain/text/entered-text";

/**
 * The JSON of promises: by when data has to be there, as agreed with the customer. Dates and times of day are in the
 * promise's zone; instants are ISO 8601 on the API's clock.
 */

const TimeOfDay = z.string().refine((time) => time !== "24:00" && minutesOf(time) !== null);
const DateText = z.string().refine(isDate);
const Instant = z.string();

const Days = z
  .array(z.enum(WEEKDAYS))
  .min(1)
  .max(7)
  .transform((days) => WEEKDAYS.filter((day) => days.includes(day)));
const MonthDayValue = z.union([z.int().min(1).max(31), z.enum(NAMED_MONTH_DAYS)]);
const MonthDays = z
  .array(MonthDayValue)
  .min(1)
  .max(MAX_MONTH_DAYS)
  .transform((days) => [
    ...[...new Set(days)].filter((day) => typeof day === "number").toSorted((a, b) => a - b),
    ...NAMED_MONTH_DAYS.filter((day) => days.includes(day)),
  ]);
const Holidays = z
  .array(DateText)
  .max(MAX_HOLIDAYS)
  .transform((dates) => [...new Set(dates)].toSorted());

const optional = <T extends z.ZodType>(type: T) => type.nullable().default(null);

const Rule = {
  /** Neither `partner` nor `endpoint_id`: the whole company. */
  partner: optional(z.string().min(1).max(500)),
  endpoint_id: optional(z.string().min(1).max(500)),
  /** In a new promise not 00:00, when its day starts, unless it has an allowance. */
  by: TimeOfDay,
  /** Exactly one of `days` and `month_days`. */
  days: optional(Days),
  month_days: optional(MonthDays),
  /** IANA name; offsets are refused. */
  time_zone: z.string().min(1).max(100).transform(presentZoneName),
  /** Data counts from this time of the same day on, which is before `by`. */
  data_from: optional(TimeOfDay),
  holidays: Holidays.nullish().transform((dates) => dates ?? []),
  allowance_minutes: z
    .int()
    .min(0)
    .max(LONGEST_ALLOWANCE)
    .nullish()
    .transform((minutes) => minutes ?? 0),
  /**
   * First and last date, in this order, inclusive. Neither is before today in a new promise, and one of its days lies
   * between them.
   */
  from: optional(DateText),
  until: optional(DateText),
  target_percent: optional(z.number().min(0).max(100)),
  note: z
    .string()
    .overwrite(enteredText)
    .max(LONGEST_DEADLINE_NOTE)
    .nullish()
    .transform((note) => (note === undefined || note === "" ? null : note)),
};

type Coherent = {
  by: string;
  days: unknown;
  month_days: unknown;
  data_from: string | null;
  from: string | null;
  until: string | null;
};
const hasOneKindOfDays = (given: Coherent) => (given.days === null) !== (given.month_days === null);
const beginsBefore = (given: Coherent) => given.data_from === null || given.data_from < given.by;
const isOrdered = (given: Coherent) =>
  given.from === null || given.until === null || given.from <= given.until;

/** `POST /api/companies/[company]/promises`. */
export const PromiseRequest = z
  .strictObject(Rule)
  .refine(hasOneKindOfDays, { path: ["days"] })
  .refine(beginsBefore, { path: ["data_from"] })
  .refine(isOrdered, { path: ["until"], params: { must: "can’t be before from" } });

/** `PATCH .../promises/[id]`: the members to change; null removes an optional one. Its scope stays. */
export const PromiseChange = z
  .strictObject({
    by: z.unknown(),
    days: z.unknown(),
    month_days: z.unknown(),
    time_zone: z.unknown(),
    data_from: z.unknown(),
    holidays: z.unknown(),
    allowance_minutes: z.unknown(),
    from: z.unknown(),
    until: z.unknown(),
    target_percent: z.unknown(),
    note: z.unknown(),
  })
  .partial();

/** The promise's next day; absent days have none. */
const NextDay = z.object({ date: z.string(), from_at: Instant, due_at: Instant });

/** A promise, as answered. */
export const PromiseView = z.object({
  id: z.uuid(),
  partner: z.string().nullable(),
  endpoint_id: z.string().nullable(),
  by: z.string(),
  days: z.array(z.enum(WEEKDAYS)).nullable(),
  month_days: z.array(MonthDayValue).nullable(),
  time_zone: z.string(),
  data_from: z.string().nullable(),
  holidays: z.array(z.string()),
  allowance_minutes: z.int(),
  from: z.string().nullable(),
  until: z.string().nullable(),
  target_percent: z.number().nullable(),
  note: z.string().nullable(),
  /** Who made it; the name is from then. */
  author: z.object({ id: z.uuid(), name: z.string() }),
  /** When it was made. */
  at: Instant,
  /** The first day whose deadline and allowance aren't over; null: there is none left. */
  next: NextDay.nullable(),
});

/** `GET .../promises`: oldest first. */
export const PromisesView = z.object({ data: z.array(PromiseView) });

/** One day of one feed under one promise. */
export const KeptDay = z.object({
  date: z.string(),
  due_at: Instant,
  outcome: z.enum(DAY_OUTCOMES),
  /** The data that kept it, or the first one after it; null: none yet, or unknown. */
  received_at: Instant.nullable(),
  /** Of a missed one, from the promised time to that data; null: no data yet, or not missed. */
  late_seconds: z.number().nullable(),
  /** Whether earlier data may lie hidden in a gap, so that it was missed by at most `late_seconds`. */
  late_at_most: z.boolean(),
  /** Why it is excused; null: it isn't. */
  excuse: z.enum(EXCUSES).nullable(),
});

/** `GET .../promises/kept?month=2026-11&promise&endpoint`: closed days of the month, also of promises that were deleted. */
export const KeptView = z.object({
  month: z.string(),
  data: z.array(
    z.object({
      promise_id: z.uuid(),
      endpoint_id: z.string(),
      partner_name: z.string(),
      endpoint_key: z.string(),
      ...PromiseCounts.shape,
      /** Ascending. */
      days: z.array(KeptDay),
    }),
  ),
});

/** The same with `per=promise`: its days over all its feeds, each as the worst of them. */
export const KeptPerPromiseView = z.object({
  month: z.string(),
  data: z.array(
    z.object({
      promise_id: z.uuid(),
      /** Of days of feeds. */
      ...PromiseCounts.shape,
      /** Ascending. */
      days: z.array(
        KeptDay.pick({ date: true, outcome: true, late_seconds: true, late_at_most: true }),
      ),
    }),
  ),
});

/** `POST .../promises/rehearsal`: a promise, and the first and the last date to try it on (`until`). */
export const RehearsalRequest = z
  .strictObject({ ...Rule, since: DateText, until: DateText })
  .refine(hasOneKindOfDays, { path: ["days"] })
  .refine(beginsBefore, { path: ["data_from"] });

/** A rehearsed day. */
const RehearsedDay = KeptDay.extend({
  /** When a warning would have been sent; null: none, or not known. */
  warned_at: Instant.nullable(),
  /** Whether that can be told; false where no attempts are recorded, and for all days where they are too many to read. */
  is_warning_known: z.boolean(),
});

export const RehearsalView = z.object({
  endpoints: z.array(
    z.object({
      endpoint_id: z.string(),
      partner_name: z.string(),
      endpoint_key: z.string(),
      days: z.array(RehearsedDay),
    }),
  ),
});

/** `POST .../promises/import`. */
export const PromiseImport = z.strictObject({
  csv: z.string(),
  dry_run: z.boolean().default(false),
});

/** Its answer. With errors nothing was, or would be, written; only a dry run answers with errors. */
export const PromiseImported = z.object({
  dry_run: z.boolean(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  /** At most 50, by line; the header is line 1. */
  errors: z.array(z.object({ line: z.int(), message: z.string() })),
});

export type PromiseRequest = z.input<typeof PromiseRequest>;
export type PromiseView = z.infer<typeof PromiseView>;
export type PromisesView = z.infer<typeof PromisesView>;
export type KeptDay = z.infer<typeof KeptDay>;
export type KeptView = z.infer<typeof KeptView>;
export type KeptPerPromiseView = z.infer<typeof KeptPerPromiseView>;
export type RehearsedDay = z.infer<typeof RehearsedDay>;
export type RehearsalView = z.infer<typeof RehearsalView>;
export type PromiseImported = z.infer<typeof PromiseImported>;
