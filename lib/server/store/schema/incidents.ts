import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import type { IncidentEnding, Member, Suspect, Trouble } from "@/lib/domain/incidents/incident";
import type { IncidentsReplay } from "@/lib/domain/incidents/replay";
import type { EventDetail } from "@/lib/domain/incidents/event-detail";
import { people } from "./people";
import { instant } from "./instant";

/**
 * Incidents and their events, written in the transaction of the snapshot that revealed them. Timestamps are on
 * the API clock, like the record's; those of user actions are on ours.
 */

/** State of incident detection, per company. */
export const incidentStates = pgTable("incident_states", {
  company: text().primaryKey(),
  /** The last snapshot processed. */
  observedAt: instant("observed_at").notNull(),
  /**
   * The last snapshot with events: of incidents, with a gap, or with a closed day or a risk of a promise. What follows from
   * others follows from time. Null: unknown.
   */
  eventfulAt: instant("eventful_at"),
  /** The last incident id assigned. */
  lastId: integer("last_id").notNull(),
  /** Endpoints in trouble that aren't members yet, by id. */
  suspects: jsonb().$type<Record<string, Suspect>>().notNull(),
  /** The first snapshot processed; null: unknown. */
  firstObservedAt: instant("first_observed_at"),
  /** Progress of deriving incidents from the earlier record; null: not started, or finished. */
  replay: jsonb().$type<IncidentsReplay>(),
  /**
   * Since when incidents are recorded, including those derived from the earlier record; null: not known yet.
   */
  recordedSince: instant("recorded_since"),
});

/** Retained permanently. */
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
    /** The worst verdict among its members now; null while none is in trouble. */
    verdict: text().$type<Trouble>(),
    worstVerdict: text("worst_verdict").$type<Trouble>().notNull(),
    flaps: integer().notNull(),
    /** Observed time since its last member recovered, milliseconds; null while any hasn't. */
    calmMs: bigint("calm_ms", { mode: "number" }),
    members: jsonb().$type<Member[]>().notNull(),
    /** Owner; null: the administrators. A person who has lost permission doesn't count. */
    ownerId: uuid("owner_id").references(() => people.id),
    ownerSince: instant("owner_since"),
    /** Handed over: returns to this person at `lentUntil`; both null: not handed over. */
    lentById: uuid("lent_by_id").references(() => people.id),
    lentUntil: instant("lent_until"),
    /** Who acknowledged it; null: not acknowledged, or no longer. */
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

/** Events of an incident, in order; append-only. */
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
    /** Who did it, with the name at the time; null: observed by Plumbline. */
    byId: uuid("by_id").references(() => people.id),
    byName: text("by_name"),
    /** Their note. */
    text: text(),
    /** Further details, depending on `kind`. */
    detail: jsonb().$type<EventDetail>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.incidentId, table.seq] }),
    // An incident's end is dated earlier than it is confirmed; this finds ends confirmed since a given time.
    index("incident_endings")
      .on(table.company, table.at)
      .where(sql`${table.kind} in ('ended', 'seen_again')`),
  ],
);

/** Incident owner of each company. No row: the administrators. */
export const incidentCare = pgTable("incident_care", {
  company: text().primaryKey(),
  ownerId: uuid("owner_id").references(() => people.id),
  /** When `ownerId` became the owner; null: not recorded. */
  ownerSince: instant("owner_since"),
  /** Stands in for the owner during this period; all null: no stand-in. */
  standInId: uuid("stand_in_id").references(() => people.id),
  standInFrom: instant("stand_in_from"),
  standInUntil: instant("stand_in_until"),
  /** Whom a hand-over replaced as the stand-in, and who is it again afterwards: the last one first. */
  laterStandIns: jsonb("later_stand_ins").$type<LaterStandIn[]>().notNull().default([]),
});

/** A person, and their whole period as ISO 8601. */
export type LaterStandIn = { id: string; from: string; until: string };
