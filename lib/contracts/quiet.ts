import { z } from "zod";
import { LONGEST_REASON } from "@/lib/domain/quiet/planned-quiet";
import { minutesOf } from "@/lib/domain/time/day";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { presentZoneName } from "@/lib/domain/time/present-zone";
import { enteredLine } from "@/lib/domain/text/entered-text";

/** The JSON of planned quiet times. Instants are ISO 8601; in responses they are on the API's clock. */

const TimeOfDay = z.string().refine((time) => minutesOf(time) !== null);

/** The same hours on days of every week; `until` is on the next day if it isn't after `from`. */
const WeeklyRequest = z
  .strictObject({
    days: z
      .array(z.enum(WEEKDAYS))
      .min(1)
      .transform((days) => WEEKDAYS.filter((day) => days.includes(day))),
    from: TimeOfDay.refine((time) => time !== "24:00"),
    until: TimeOfDay,
    /** IANA name. */
    time_zone: z.string().min(1).max(100).transform(presentZoneName),
  })
  .refine(({ from, until }) => from !== until, { path: ["until"] });

/**
 * `POST /api/companies/[company]/expectations`. Neither `partner` nor `endpoint_id`: the whole company. Without `from`
 * it starts now. Only a `weekly` one may omit `until`; it then lasts until it is ended.
 */
export const ExpectationRequest = z
  .strictObject({
    partner: z.string().min(1).max(500).nullable().default(null),
    endpoint_id: z.string().min(1).max(500).nullable().default(null),
    reason: z.string().overwrite(enteredLine).min(1).max(LONGEST_REASON),
    from: z.string().nullable().default(null),
    until: z.string().nullable().default(null),
    weekly: WeeklyRequest.nullable().default(null),
  })
  .refine(({ until, weekly }) => until !== null || weekly !== null, { path: ["until"] });

export const Expectation = z.object({
  id: z.uuid(),
  /** Null: every partner. */
  partner_name: z.string().nullable(),
  /** Null: every endpoint of those partners. The key is from when it was planned. */
  endpoint_id: z.string().nullable(),
  endpoint_key: z.string().nullable(),
  reason: z.string(),
  from: z.string(),
  /** Null: every week until it is ended. */
  until: z.string().nullable(),
  weekly: z
    .object({
      days: z.array(z.enum(WEEKDAYS)),
      from: z.string(),
      until: z.string(),
      time_zone: z.string(),
    })
    .nullable(),
  made_by: z.object({ name: z.string(), is_you: z.boolean() }),
  made_at: z.string(),
  /** Null: it wasn't ended early. */
  ended_at: z.string().nullable(),
  ended_by: z.string().nullable(),
  /** The current quiet time from its start on, or else the next one; null: there is none left. */
  quiet: z.object({ from: z.string(), until: z.string().nullable() }).nullable(),
  is_quiet: z.boolean(),
});

/**
 * `GET .../expectations?state&page&per_page`: current and future ones, earliest start first; with `state=over` past
 * ones, latest first.
 */
export const ExpectationsView = z.object({
  data: z.array(Expectation),
  meta: z.object({
    page: z.int(),
    per_page: z.int(),
    total_count: z.int(),
    total_pages: z.int(),
  }),
  /** The API's clock minus ours, milliseconds. */
  api_clock_offset_ms: z.number(),
});

export type ExpectationRequest = z.input<typeof ExpectationRequest>;
export type Expectation = z.infer<typeof Expectation>;
export type ExpectationsView = z.infer<typeof ExpectationsView>;
