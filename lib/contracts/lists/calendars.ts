import { z } from "zod";

/**
 * The JSON of links to calendars. Times are ISO 8601, on PostgreSQL's clock.
 */

/** `POST /api/companies/[company]/calendars`. */
export const CalendarRequest = z.strictObject({});

/** What it answers: the only answer with the address. */
export const MadeCalendar = z.object({ id: z.uuid(), url: z.string() });

export const CalendarEntry = z.object({
  id: z.uuid(),
  made_by: z.object({ name: z.string(), is_you: z.boolean() }),
  created_at: z.string(),
  /** False: it is answered like a missing one, because its creator can't share this company now. */
  is_open: z.boolean(),
});

/** `GET /api/companies/[company]/calendars`: one's own, newest first; all for administrators. */
export const CalendarsView = z.object({ data: z.array(CalendarEntry) });

export type MadeCalendar = z.infer<typeof MadeCalendar>;
export type CalendarEntry = z.infer<typeof CalendarEntry>;
export type CalendarsView = z.infer<typeof CalendarsView>;
