import { z } from "zod";

/** `GET|PUT /api/companies/[company]/endpoints/[endpoint]/learned-week`: whether its week is learned. */
export const LearnedWeekSwitch = z.object({ on: z.boolean() });

/** The body of `PUT`. */
export const LearnedWeekChange = z.strictObject({ on: z.boolean() });

export type LearnedWeekSwitch = z.infer<typeof LearnedWeekSwitch>;
