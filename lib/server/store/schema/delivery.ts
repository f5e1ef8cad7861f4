import { sql } from "drizzle-orm";
import {
  bigserial,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ChannelKind } from "@/lib/domain/delivery/channel";
import type { Message, MessageType } from "@/lib/domain/delivery/message";
import type { Rule } from "@/lib/domain/delivery/rule";
import { people } from "./people";
import { instant } from "./instant";

/** Message destinations. All timestamps in this file are on our clock. */
export const channels = pgTable(
  "channels",
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text().$type<ChannelKind>().notNull(),
    name: text().notNull(),
    /** The settings that may be shown. */
    shown: jsonb().$type<Record<string, string>>().notNull(),
    /** All settings as JSON, encrypted. */
    sealed: text().notNull(),
    /** IANA name of the zone of times in its messages; null: that of reports. */
    timeZone: text("time_zone"),
    /** Changes of incidents before this aren't sent to it. */
    followsFrom: instant("follows_from").notNull().defaultNow(),
    createdById: uuid("created_by_id")
      .notNull()
      .references(() => people.id),
    createdAt: instant("created_at").notNull(),
    /** Since when every delivery has failed; null: the last one succeeded, or none was attempted. */
    failingSince: instant("failing_since"),
    /** Result of the last attempt, in our wording. */
    said: text(),
    triedAt: instant("tried_at"),
    /** Of a Slack app with an app-level token: its connection, as last seen; null: none was opened yet. */
    socket: jsonb().$type<{ isConnected: boolean; said: string; atMs: number }>(),
  },
  (table) => [
    check(
      "channels_kind_known",
      sql`${table.kind} in ('slack_app', 'slack_webhook', 'teams', 'email', 'webhook')`,
    ),
  ],
);

/** Which events are delivered to whom. */
export const rules = pgTable(
  "rules",
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    rule: jsonb().$type<Rule>().notNull(),
    /** Ids of `channels`; empty for a personal rule. */
    channelIds: uuid("channel_ids").array().notNull(),
    /** Owner of a personal rule; null: shared rule. */
    personId: uuid("person_id").references(() => people.id),
    /**
     * Of a personal rule: which personal destinations it uses, and whether only for incidents that the person
     * owns.
     */
    own: jsonb().$type<{ inbox: boolean; mail: boolean; only_mine: boolean }>(),
    /** Events due before this aren't sent. */
    since: instant("since").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("rules_own").on(table.personId)],
);

/** One message to one destination: the outbox, and the delivery result. */
export const deliveries = pgTable(
  "deliveries",
  {
    /** Delivery order. */
    seq: bigserial({ mode: "number" }).primaryKey(),
    /** Message id; derived from content and recipient, so that inserting is idempotent. */
    id: text().notNull(),
    /** Destination: `channel:`, `inbox:` or `mail:`, followed by its id. */
    destination: text("place").notNull(),
    /** The event; unique per destination and company. */
    key: text().notNull(),
    channelId: uuid("channel_id"),
    /** Recipient of an inbox or mail delivery. */
    personId: uuid("person_id").references(() => people.id),
    to: text("to_kind").$type<"channel" | "inbox" | "mail">().notNull(),
    /** Name of the channel or person at the time. */
    toName: text("to_name").notNull(),
    company: text(),
    /** Of a message about several companies: which. */
    about: text().array(),
    incidentId: integer("incident_id"),
    /** Ordering key: deliveries of one incident, or of one company's visibility, are sent in order. */
    thread: text().notNull(),
    type: text().$type<MessageType>().notNull(),
    dueAt: instant("due_at").notNull(),
    createdAt: instant("created_at").notNull(),
    message: jsonb().$type<Message>().notNull(),
    /** Id of the message that includes this one; it isn't sent separately. */
    includedIn: text("told_in"),
    /** `unknown`: the destination may have received it; retried with the same id. */
    state: text().$type<"queued" | "unknown" | "sent" | "failed">().notNull(),
    attempts: integer().notNull().default(0),
    nextAt: instant("next_at").notNull(),
    /** Result of the last attempt, in our wording. */
    said: text(),
    /** The destination's reference to this message, for follow-ups. */
    reference: text(),
    settledAt: instant("settled_at"),
    readAt: instant("read_at"),
  },
  (table) => [
    uniqueIndex("deliveries_id").on(table.id),
    index("deliveries_unsettled")
      .on(table.nextAt)
      .where(sql`${table.settledAt} is null`),
    index("deliveries_told").on(table.company, table.incidentId),
    index("deliveries_channel").on(table.channelId, table.state),
    index("deliveries_thread").on(table.destination, table.thread, table.seq),
    index("deliveries_inbox")
      .on(table.personId, table.seq)
      .where(sql`${table.to} = 'inbox'`),
    index("deliveries_included")
      .on(table.includedIn)
      .where(sql`${table.includedIn} is not null`),
    // Messages about several.
    index("deliveries_of_groups")
      .on(table.destination, table.thread)
      .where(
        sql`${table.type} in ('partner.opened', 'partner.changed', 'partner.ended', 'company.limited', 'company.limited_ended', 'host.blind', 'host.seen_again')`,
      ),
    index("deliveries_of_promises")
      .on(table.company, table.createdAt)
      .where(
        sql`${table.type} in ('promise.at_risk', 'promise.missed', 'promise.met', 'promise.ended')`,
      ),
    check("deliveries_state_known", sql`${table.state} in ('queued', 'unknown', 'sent', 'failed')`),
  ],
);
