import { sql } from "drizzle-orm";
import {
  bigserial,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { ChannelKind } from "@/lib/domain/delivery/channel";
import type { Message, MessageType } from "@/lib/domain/delivery/message";
import type { Rule } from "@/lib/domain/delivery/rule";
import { people } from "./people";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Where messages go. All instants of this file are on our clock. */
export const channels = pgTable(
  "channels",
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text().$type<ChannelKind>().notNull(),
    name: text().notNull(),
    /** What may be shown of its settings. */
    shown: jsonb().$type<Record<string, string>>().notNull(),
    /** All of its settings as JSON, sealed. */
    sealed: text().notNull(),
    createdById: uuid("created_by_id")
      .notNull()
      .references(() => people.id),
    createdAt: instant("created_at").notNull(),
    /** Since when nothing has got through; null: the last message did, or none was sent. */
    failingSince: instant("failing_since"),
    /** What came back last, in our words. */
    said: text(),
    triedAt: instant("tried_at"),
  },
  (table) => [
    check(
      "channels_kind_known",
      sql`${table.kind} in ('slack_app', 'slack_webhook', 'teams', 'email', 'webhook')`,
    ),
  ],
);

/** Who is told what. */
export const rules = pgTable(
  "rules",
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    rule: jsonb().$type<Rule>().notNull(),
    /** Of `channels`; of a person's own rule none. */
    channelIds: uuid("channel_ids").array().notNull(),
    /** Whose own rule it is; null: everybody's. */
    personId: uuid("person_id").references(() => people.id),
    /** Of a person's own rule: which of theirs it reaches, and whether only what they look after. */
    own: jsonb().$type<{ inbox: boolean; mail: boolean; only_mine: boolean }>(),
    /** What fell due before isn't sent. */
    since: instant("since").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("rules_own").on(table.personId)],
);

/** One message to one place: the outbox, and what became of it. */
export const deliveries = pgTable(
  "deliveries",
  {
    /** In the order in which they are to arrive. */
    seq: bigserial({ mode: "number" }).primaryKey(),
    /** The message's; follows from what it tells and to whom, so nothing is written twice. */
    id: text().notNull(),
    /** Where it goes: `channel:`, `inbox:` or `mail:`, and the id. */
    place: text().notNull(),
    /** What it tells: with its place and company it is there once. */
    key: text().notNull(),
    channelId: uuid("channel_id"),
    /** Whose inbox, or whose mail. */
    personId: uuid("person_id").references(() => people.id),
    to: text("to_kind").$type<"channel" | "inbox" | "mail">().notNull(),
    /** What the channel or person was called. */
    toName: text("to_name").notNull(),
    company: text(),
    /** Of a brief: the companies that it tells of. */
    about: text().array(),
    incidentId: integer("incident_id"),
    /** What must not overtake each other: one incident, or one company's sight. */
    thread: text().notNull(),
    type: text().$type<MessageType>().notNull(),
    dueAt: instant("due_at").notNull(),
    createdAt: instant("created_at").notNull(),
    message: jsonb().$type<Message>().notNull(),
    /** The id of the message that told this one among others; it isn't sent by itself. */
    toldIn: text("told_in"),
    /** `unknown`: we may have been heard, and try again with the same id. */
    state: text().$type<"queued" | "unknown" | "sent" | "failed">().notNull(),
    attempts: integer().notNull().default(0),
    nextAt: instant("next_at").notNull(),
    /** What came back last, in our words. */
    said: text(),
    /** What the place calls it, for what follows. */
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
    index("deliveries_thread").on(table.place, table.thread, table.seq),
    index("deliveries_inbox")
      .on(table.personId, table.seq)
      .where(sql`${table.to} = 'inbox'`),
    check("deliveries_state_known", sql`${table.state} in ('queued', 'unknown', 'sent', 'failed')`),
  ],
);
