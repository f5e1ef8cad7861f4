import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import type { IncidentEnding, Member, Suspect, Trouble } from "@/lib/domain/incidents/incident";
import type { IncidentsReplay } from "@/lib/domain/incidents/replay";
import type { EventDetail } from "@/lib/domain/incidents/event-detail";
import { people } from "./people";

/**
 * Incidents and what happened in them, written in the transaction of the snapshot that showed it. Instants are on the
 * API's clock, as those of the record; those of what people do are on ours.
 */
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Where the rule stands in each company. */
export const incidentStates = pgTable("incident_states", {
  company: text().primaryKey(),
  /** The last snapshot that was taken into account. */
  observedAt: instant("observed_at").notNull(),
  /** The last id that was given. */
  lastId: integer("last_id").notNull(),
  /** Endpoints in trouble that are no members yet, by id. */
  suspects: jsonb().$type<Record<string, Suspect>>().notNull(),
  /** The first snapshot that was taken into account; null: it isn't known. */
  firstObservedAt: instant("first_observed_at"),
  /** How far the record from before it has been made into incidents; null: not begun, or done. */
  replay: jsonb().$type<IncidentsReplay>(),
  /** Since when incidents are recorded, those of the record from before them included; null: not known yet. */
  recordedSince: instant("recorded_since"),
});

/** Kept for good. */
export const incidents = pgTable(
  "incidents",
  {
    company: text().notNull(),
    /** Counts up from 1 in each company. */
    id: integer().notNull(),
    partnerName: text("partner_name").notNull(),
    beganAt: instant("began_at").notNull(),
    openedAt: instant("opened_at").notNull(),
    /** When the last member's trouble ended; null while the incident is open. */
    endedAt: instant("ended_at"),
    ending: text().$type<IncidentEnding>(),
    /** The worst of its members now; null while none is seen in trouble. */
    verdict: text().$type<Trouble>(),
    worstVerdict: text("worst_verdict").$type<Trouble>().notNull(),
    flaps: integer().notNull(),
    /** Observed time since its last member ended, milliseconds; null while one hasn't. */
    calmMs: bigint("calm_ms", { mode: "number" }),
    members: jsonb().$type<Member[]>().notNull(),
    /** Who looks after it; null: the administrators do. Whoever may not any more is nobody. */
    ownerId: uuid("owner_id").references(() => people.id),
    ownerSince: instant("owner_since"),
    /** Whose it is again from `lentUntil` on; both null: the owner has it for good. */
    lentById: uuid("lent_by_id").references(() => people.id),
    lentUntil: instant("lent_until"),
    /** Who is on it; null: nobody, or not any more. */
    acknowledgedById: uuid("acknowledged_by_id").references(() => people.id),
    acknowledgedAt: instant("acknowledged_at"),
    /** Null: until it ends. */
    acknowledgedUntil: instant("acknowledged_until"),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.id] }),
    index("open_incidents")
      .on(table.company)
      .where(sql`${table.endedAt} is null`),
    index("ended_incidents")
      .on(table.company, table.endedAt)
      .where(sql`${table.endedAt} is not null`),
    index("incidents_opened").on(table.company, table.openedAt),
  ],
);

/** What happened in an incident, in its order; rows are only ever added. */
export const incidentEvents = pgTable(
  "incident_events",
  {
    company: text().notNull(),
    incidentId: integer("incident_id").notNull(),
    /** Counts up from 1 in each incident. */
    seq: integer().notNull(),
    at: instant("at").notNull(),
    kind: text().notNull(),
    endpointId: text("endpoint_id"),
    /** Whose act it is; null: what we saw. The name is that of then. */
    byId: uuid("by_id").references(() => people.id),
    byName: text("by_name"),
    /** What they wrote with it. */
    text: text(),
    /** What its kind says beside that. */
    detail: jsonb().$type<EventDetail>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.incidentId, table.seq] }),
    // An incident is dated to end before we may say so; this finds those that we said it of since a moment.
    index("incident_endings")
      .on(table.company, table.at)
      .where(sql`${table.kind} in ('ended', 'seen_again')`),
  ],
);

/** Who looks after each company. No row: the administrators do. */
export const incidentCare = pgTable("incident_care", {
  company: text().primaryKey(),
  ownerId: uuid("owner_id").references(() => people.id),
  /** Takes the owner's place from one moment until another; all null: nobody does. */
  standInId: uuid("stand_in_id").references(() => people.id),
  standInFrom: instant("stand_in_from"),
  standInUntil: instant("stand_in_until"),
});
