import { z } from "zod";

/** A learned week, as rows have it. */
export const LearnedWeekFacts = z.object({
  time_zone: z.string().describe("IANA name of the zone of the times in `spans`."),
  spans: z
    .array(
      z.object({
        from: z.string().describe("Weekday and time, such as `sat 00:00`."),
        until: z.string().describe("Weekday and time, possibly in the next week."),
      }),
    )
    .describe("The parts of each week in which data isn't expected: time in them isn't overdue."),
  since: z.string().describe("When it was learned, on the API's clock."),
});

/** `GET|PUT /api/companies/[company]/endpoints/[endpoint]/learned-week`: whether its week is learned. */
export const LearnedWeekSwitch = z.object({
  on: z.boolean(),
  /** The week in force, which rows don't have while it isn't applied; null: none is. */
  learned_week: LearnedWeekFacts.nullable(),
});

/** The body of `PUT`. */
export const LearnedWeekChange = z.strictObject({ on: z.boolean() });

export type LearnedWeekSwitch = z.infer<typeof LearnedWeekSwitch>;
