import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { WrittenMessage } from "@/lib/domain/delivery/cause";
import type { CompanyFacts } from "@/lib/domain/delivery/incident-parts";
import { followedBy, type Followed } from "@/lib/domain/delivery/plan";
import type { Orm } from "@/lib/server/store/database";
import { deliveries } from "@/lib/server/store/schema/delivery";
import type { DeliveryRow } from "./outbox";
import { isUnended } from "./promise-facts";

/** What was written to destinations before. */

/** Messages written about a company: about some of its incidents, and about whether it can be seen. */
export type WrittenAbout = {
  /** Ids of all of them. */
  ids: ReadonlySet<string>;
  /** How each destination was notified of incidents' openings and endings: by destination and incident. */
  written: ReadonlyMap<string, CompanyFacts["written"]>;
  /** By destination and incident. */
  followed: ReadonlyMap<string, ReadonlyMap<number, Followed>>;
  /** Those about whether it can be seen. */
  visibility: readonly VisibilityMessage[];
};

/** A message about whether a company can be seen. */
export type VisibilityMessage = WrittenMessage & { id: string; destination: string; key: string };

const NOTHING_WRITTEN = { opening: null, ending: null };
export const NO_MESSAGES: WrittenAbout = {
  ids: new Set(),
  written: new Map(),
  followed: new Map(),
  visibility: [],
};

/** @param given.visibilitySinceMs messages about its visibility are read since then, on our clock */
export async function readWrittenAbout(
  orm: Orm,
  company: string,
  given: { incidentIds: readonly number[]; visibilitySinceMs: number },
): Promise<WrittenAbout> {
  const since = new Date(given.visibilitySinceMs).toISOString();
  const rows = await orm
    .select({
      id: deliveries.id,
      key: deliveries.key,
      destination: deliveries.destination,
      incidentId: deliveries.incidentId,
      dueAt: deliveries.dueAt,
      createdAt: deliveries.createdAt,
      within: whole.key,
    })
    .from(deliveries)
    .leftJoin(whole, eq(whole.id, deliveries.includedIn))
    .where(
      and(
        eq(deliveries.company, company),
        or(
          sql`${deliveries.incidentId} = any (${sql.param([...given.incidentIds])}::int[])`,
          and(
            isNull(deliveries.incidentId),
            inArray(deliveries.type, ["company.blind", "company.seen_again"]),
            sql`${deliveries.createdAt} > ${since}::timestamptz`,
          ),
        ),
      ),
    )
    .orderBy(deliveries.seq);
  type Own = { opening: WrittenMessage | null; ending: WrittenMessage | null };
  const written = new Map<string, Map<number, Own>>();
  const followed = new Map<string, Map<number, Followed>>();
  const visibility: VisibilityMessage[] = [];
  for (const { id, key, destination, incidentId, dueAt, createdAt, within } of rows) {
    const one = { dueMs: dueAt.getTime(), within };
    if (incidentId === null) {
      visibility.push({ ...one, id, destination, key });
      continue;
    }
    const others = followed.get(destination) ?? new Map<number, Followed>();
    followed.set(destination, others);
    const message = { key, writtenMs: createdAt.getTime(), dueMs: dueAt.getTime() };
    others.set(incidentId, followedBy(others.get(incidentId) ?? null, message));
    // Not by type: an edit that shows an ending isn't the ending.
    const is = key.endsWith(":opened") ? "opening" : key.endsWith(":ended") ? "ending" : null;
    if (is === null) continue;
    const own = written.get(destination) ?? new Map<number, Own>();
    written.set(destination, own);
    own.set(incidentId, { ...(own.get(incidentId) ?? NOTHING_WRITTEN), [is]: one });
  }
  return { ids: new Set(rows.map(({ id }) => id)), written, followed, visibility };
}

/** The message that includes another one. */
const whole = alias(deliveries, "whole");

/** Those of some incidents of a company that messages to a destination told of, alone or with others. */
export async function readIncidentsTold(
  orm: Orm,
  { destination, company }: { destination: string; company: string },
  incidentIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (incidentIds.length === 0) return new Set();
  const rows = await orm
    .select({ incidentId: deliveries.incidentId })
    .from(deliveries)
    .leftJoin(whole, eq(whole.id, deliveries.includedIn))
    .where(
      and(
        eq(deliveries.destination, destination),
        eq(deliveries.company, company),
        sql`${deliveries.incidentId} = any (${sql.param([...incidentIds])}::int[])`,
        sql`coalesce(${whole.state}, ${deliveries.state}) = 'sent'`,
      ),
    )
    .groupBy(deliveries.incidentId);
  return new Set(rows.flatMap(({ incidentId }) => incidentId ?? []));
}

/** Destinations with notifications that still need a follow-up, whose rules may be gone. @param nowMs our clock */
export async function readNotifiedDestinations(
  orm: Orm,
  nowMs: number,
): Promise<Pick<DeliveryRow, "destination" | "to" | "channelId" | "personId" | "toName">[]> {
  const rows = await orm
    .select({
      destination: deliveries.destination,
      to: deliveries.to,
      channelId: deliveries.channelId,
      personId: deliveries.personId,
      toName: sql<string>`max(${deliveries.toName})`,
    })
    .from(deliveries)
    .where(
      sql`(${deliveries.type} = 'incident.opened' and not exists (
          select from deliveries over where over.place = ${deliveries.destination}
            and over.company = ${deliveries.company} and over.incident_id = ${deliveries.incidentId}
            and over.type = 'incident.ended'))
        or ${isUnended(nowMs)}
        or (${deliveries.type} = 'company.blind' and ${deliveries.createdAt} > now() - interval '30 days')`,
    )
    .groupBy(deliveries.destination, deliveries.to, deliveries.channelId, deliveries.personId);
  return rows;
}
