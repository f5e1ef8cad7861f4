import { z } from "zod";
import { ExternalId } from "@/lib/contracts/companies/company-name";
import { myAlertsSchema } from "@/lib/contracts/delivery";

/** How many messages people and channels got in the past 30 days. Instants are ISO 8601 in UTC. */

const Messages = {
  messages: z.int(),
  /** Messages a day, with one decimal below ten. */
  per_day: z.number(),
};

/** An endpoint whose incidents were sent; an incident counts for the endpoint that opened it. */
const NoisyEndpoint = z.object({
  company: z.string(),
  external_id: ExternalId,
  partner_name: z.string(),
  endpoint_id: z.string(),
  endpoint_key: z.string(),
  ...Messages,
});

/** Changes that would have been quieter, quietest first, and what they would have sent. */
const Suggested = z.array(
  z.object({
    change: myAlertsSchema
      .pick({ from_verdict: true, after_minutes: true, only_mine: true, quiet: true })
      .partial(),
    ...Messages,
  }),
);

/** `POST /api/rules/rehearsal/quieter`: of a rule as it is, and with each change. */
export const Suggestions = z.object({ now: z.object(Messages), suggestions: Suggested });

const period = { since: z.string(), until: z.string() };

/**
 * `GET /api/me/alarm-load`: what was sent to the person, by inbox or mail, without what is about companies that they
 * may no longer see.
 */
export const MyAlarmLoad = z.object({
  ...period,
  ...Messages,
  /** The three with most messages. `without`: what the alerts would have sent if it had been in planned quiet. */
  noisiest: z.array(NoisyEndpoint.extend({ without: z.object(Messages).nullable() })),
  /** What the alerts as they are now would have sent; null: they are turned off, or it is too much to compute. */
  now: z.object(Messages).nullable(),
  suggestions: Suggested,
});

/** `GET /api/rules/alarm-load`: each person and channel that got messages, most first; at most 100. */
export const AlarmLoadView = z.object({
  ...period,
  data: z.array(
    z.object({
      to: z.string(),
      to_kind: z.enum(["channel", "person"]),
      ...Messages,
      noisiest: z.array(NoisyEndpoint),
    }),
  ),
});

export type MyAlarmLoad = z.infer<typeof MyAlarmLoad>;
export type AlarmLoadView = z.infer<typeof AlarmLoadView>;
export type Suggestions = z.infer<typeof Suggestions>;
