import { z } from "zod";
import { PROMISE_STATES } from "@/lib/domain/deadlines/deadline";

/** What rows of other pages contain of promises. Instants are ISO 8601 on the API's clock. */

/** `promise` of a row of `sync-status`. */
export const RowPromise = z.object({
  id: z.string(),
  date: z.string(),
  due_at: z.string(),
  state: z.enum(PROMISE_STATES),
  /** Start of the attempt that counts; null: none is known, or the promise isn't open. */
  attempt_at: z.string().nullable(),
  /** How long it usually takes; null: unknown. */
  usually_seconds: z.number().nullable(),
  /** Of a missed one; null: no data yet, or not missed. */
  late_seconds: z.number().nullable(),
  late_at_most: z.boolean(),
});

/** Numbers of closed days by outcome; of the promises to a partner or an endpoint in the report. */
export const PromiseCounts = z.object({
  met: z.int(),
  missed: z.int(),
  not_observed: z.int(),
  excused: z.int(),
});

export type RowPromise = z.infer<typeof RowPromise>;
export type PromiseCounts = z.infer<typeof PromiseCounts>;
