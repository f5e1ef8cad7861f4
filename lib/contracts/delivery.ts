import { z } from "zod";
import { ExternalId } from "@/lib/contracts/companies/company-name";
import { CHANNEL_KINDS } from "@/lib/domain/delivery/channel";
import { MESSAGE_TYPES } from "@/lib/domain/delivery/message";
import { RULE_PROMISES } from "@/lib/domain/delivery/rule";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { minutesOf } from "@/lib/domain/time/day";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { presentZoneName } from "@/lib/domain/time/present-zone";
import { enteredLine } from "@/lib/domain/text/entered-text";

/** A channel as administrators see it: its secrets are never returned. Instants are ISO 8601 in UTC. */
export const channelSchema = z.object({
  id: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  name: z.string(),
  /** The public part: host of a URL, Slack's channel, mail addresses. */
  settings: z.record(z.string(), z.string()),
  /** Of times in its messages, an IANA name; null: that of reports. */
  time_zone: z.string().nullable(),
  created_at: z.string(),
  /**
   * `untested`: nothing was sent yet. `dead`: nothing has got through for at least 5 minutes, or its settings can't be
   * decrypted.
   */
  state: z.enum(["untested", "working", "failing", "dead"]),
  failing_since: z.string().nullable(),
  /** The last response, in our words; null: nothing was sent yet. */
  said: z.string().nullable(),
  tried_at: z.string().nullable(),
  /**
   * The connection of a Slack app with an app-level token, as last seen at `at`; null: none was opened yet, or it has no
   * such token.
   */
  socket: z.object({ connected: z.boolean(), said: z.string(), at: z.string() }).nullable(),
  /** Whether it is a Slack app with an app-level token. */
  has_app_token: z.boolean(),
  /** Undelivered messages: those waiting and those given up. */
  missed: z.number(),
  /** Of those, how many are waiting for their next attempt. */
  waiting: z.number(),
});
export type Channel = z.infer<typeof channelSchema>;

const quietHoursSchema = z.object({
  days: z.array(z.enum(WEEKDAYS)),
  from: z.string(),
  until: z.string(),
  time_zone: z.string(),
});
const briefSchema = z.object({
  days: z.array(z.enum(WEEKDAYS)),
  at: z.string(),
  time_zone: z.string(),
});

/** See `Rule` in lib/domain/delivery. */
export const ruleFieldsSchema = z.object({
  companies: z.union([z.literal("all"), z.array(z.string())]),
  partners: z.union([z.literal("all"), z.array(z.string())]),
  from_verdict: z.enum(TROUBLES),
  after_minutes: z.number(),
  unacknowledged_only: z.boolean(),
  remind_every_minutes: z.number().nullable(),
  promises: z.enum(RULE_PROMISES),
  quiet: quietHoursSchema.nullable(),
  brief: briefSchema.nullable(),
});

export const ruleSchema = ruleFieldsSchema.extend({
  id: z.string(),
  name: z.string(),
  channels: z.array(z.string()),
  created_at: z.string(),
});
export type RuleView = z.infer<typeof ruleSchema>;

/** A member's own alerts, to their inbox and by mail. */
export const myAlertsSchema = ruleFieldsSchema.extend({
  inbox: z.boolean(),
  mail: z.boolean(),
  only_mine: z.boolean(),
});
export type MyAlerts = z.infer<typeof myAlertsSchema>;

/** What a rule would have sent, computed by the code that sends. */
export const rehearsalSchema = z.object({
  since: z.string(),
  until: z.string(),
  count: z.number(),
  /** Companies that the person owns or covers for now, in a rehearsal of only what is theirs; null: of all. */
  own_companies: z.number().nullable(),
  /** Latest first, at most 200. */
  messages: z.array(
    z.object({
      type: z.enum(MESSAGE_TYPES),
      /** A reminder of an incident that nothing has changed of. Absent: no. */
      is_reminder: z.literal(true).optional(),
      at: z.string(),
      company: z.string().nullable(),
      external_id: ExternalId,
      partner_name: z.string().nullable(),
      incident_id: z.number().nullable(),
      text: z.string(),
    }),
  ),
});
export type Rehearsal = z.infer<typeof rehearsalSchema>;

/** One message to one destination. */
export const deliverySchema = z.object({
  id: z.string(),
  type: z.enum(MESSAGE_TYPES),
  /** The channel's or person's name. */
  to: z.string(),
  to_kind: z.enum(["channel", "inbox", "mail"]),
  company: z.string().nullable(),
  external_id: ExternalId,
  incident_id: z.number().nullable(),
  text: z.string(),
  due_at: z.string(),
  state: z.enum(["queued", "unknown", "sent", "failed"]),
  attempts: z.number(),
  /** Time of the next attempt; null: none. */
  next_at: z.string().nullable(),
  said: z.string().nullable(),
  settled_at: z.string().nullable(),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const inboxItemSchema = z.object({
  id: z.string(),
  type: z.enum(MESSAGE_TYPES),
  at: z.string(),
  company: z.string().nullable(),
  external_id: ExternalId,
  incident_id: z.number().nullable(),
  text: z.string(),
  /** A path of this Plumbline instance. */
  href: z.string(),
  read_at: z.string().nullable(),
});
export type InboxItem = z.infer<typeof inboxItemSchema>;

const TimeOfDay = z.string().refine((time) => minutesOf(time) !== null);
const BeginOfDay = TimeOfDay.refine((time) => time !== "24:00");
const Days = z
  .array(z.enum(WEEKDAYS))
  .min(1)
  .transform((days) => WEEKDAYS.filter((day) => days.includes(day)));
const TimeZone = z.string().min(1).max(100).transform(presentZoneName);
/** Unique names or slugs. */
const Names = z
  .array(z.string().min(1).max(500))
  .min(1)
  .max(500)
  .transform((names) => [...new Set(names)]);

/** At most a week, in minutes. */
const LONGEST_MINUTES = 7 * 24 * 60;
const MIN_REMINDER_MINUTES = 15;

const ruleRequestFields = {
  companies: z.union([z.literal("all"), Names]).default("all"),
  partners: z.union([z.literal("all"), Names]).default("all"),
  from_verdict: z.enum(TROUBLES).default("late"),
  after_minutes: z.int().min(0).max(LONGEST_MINUTES).default(0),
  unacknowledged_only: z.boolean().default(false),
  remind_every_minutes: z
    .int()
    .min(MIN_REMINDER_MINUTES)
    .max(LONGEST_MINUTES)
    .nullable()
    .default(null),
  promises: z.enum(RULE_PROMISES).default("none"),
  quiet: z
    .strictObject({ days: Days, from: BeginOfDay, until: TimeOfDay, time_zone: TimeZone })
    .refine(({ from, until }) => from !== until, { path: ["until"] })
    .nullable()
    .default(null),
  brief: z
    .strictObject({ days: Days, at: BeginOfDay, time_zone: TimeZone })
    .nullable()
    .default(null),
};

/** `POST /api/rules`, and `/api/rules/rehearsal`; `PATCH /api/rules/[id]` takes any subset. */
export const RuleRequest = z.strictObject({
  name: z.string().overwrite(enteredLine).min(1).max(100),
  channels: z
    .array(z.uuid())
    .min(1)
    .max(50)
    .transform((ids) => [...new Set(ids)]),
  ...ruleRequestFields,
});
export const RehearsalRequest = RuleRequest.partial({ name: true, channels: true });
export type RuleRequest = z.input<typeof RuleRequest>;

/** `POST /api/me/alerts/rehearsal`: inbox and mail get the same messages. */
export const AlertsRehearsalRequest = z.strictObject({
  ...ruleRequestFields,
  only_mine: z.boolean(),
});

/** `PUT /api/me/alerts`; null removes them. */
export const MyAlertsRequest = z.strictObject({
  alerts: z
    .strictObject({
      ...ruleRequestFields,
      inbox: z.boolean(),
      mail: z.boolean(),
      only_mine: z.boolean(),
    })
    .nullable(),
});

/** `POST /api/me/inbox/read`: the last message seen. */
export const InboxRead = z.strictObject({ until: z.string().regex(/^[\w-]{1,100}$/) });

const ChannelName = z.string().overwrite(enteredLine).min(1).max(100);
/** A web address without credentials, at a port that exists. */
const TargetUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  // Refinements also run for text that isn't a URL.
  .refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    return url?.username === "" && url.password === "" && url.port !== "0";
  });
const MAX_ADDRESSES = 50;
const Addresses = z
  .union([
    z
      .string()
      .max(5_000)
      .transform((text) => text.split(/[\s,;]+/).filter(Boolean)),
    z.array(z.string()),
  ])
  .pipe(z.array(z.email().max(254)).min(1).max(MAX_ADDRESSES))
  .transform((addresses) => [...new Set(addresses)]);

/** Settings of a channel, by kind. */
export const channelSettings = {
  slack_app: z.strictObject({
    token: z.string().regex(/^xox[a-z]-[\w-]{1,500}$/),
    channel: z
      .string()
      .trim()
      .regex(/^#?[\p{L}\p{N}._-]{1,80}$/u),
    /** App-level token: unfolds links, and lets people acknowledge incidents in Slack. Null removes it. */
    app_token: z
      .string()
      .regex(/^xapp-[\w-]{1,500}$/)
      .nullable()
      .optional(),
  }),
  slack_webhook: z.strictObject({ url: TargetUrl }),
  teams: z.strictObject({ url: TargetUrl }),
  email: z.strictObject({ to: Addresses }),
  webhook: z.strictObject({
    url: TargetUrl,
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/)
      .optional(),
  }),
};

/** `POST /api/channels`: `settings` as `channelSettings` of its kind. */
export const ChannelRequest = z.strictObject({
  kind: z.enum(CHANNEL_KINDS),
  name: ChannelName,
  settings: z.record(z.string(), z.unknown()),
  time_zone: TimeZone.nullable().default(null),
});
/** `PATCH /api/channels/[id]`; omitted members remain unchanged. */
export const ChannelChange = z.strictObject({
  name: ChannelName.optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  time_zone: TimeZone.nullable().optional(),
});
