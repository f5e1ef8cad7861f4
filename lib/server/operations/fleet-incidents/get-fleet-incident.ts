import { Failure } from "@/lib/contracts/failure";
import type { FleetIncident, FleetIncidentsView } from "@/lib/contracts/fleet-incidents";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import type { Person } from "@/lib/server/auth/person";
import { pageMeta, placeOf, rowsAt } from "@/lib/server/http/paging";
import { choice, isUuid } from "@/lib/server/http/query";
import type { Database } from "@/lib/server/store/database";
import {
  listFleetIncidents,
  readFleetIncident,
  readMemberEvents,
  readPartnerFleet,
} from "@/lib/server/store/fleet-incidents/read-fleet-incidents";
import { fleetHead, fleetView, seeFleet, seenBy, type SeenFleet } from "./fleet-view";
import { NO_FLEET_INCIDENT } from "./words";

export type FleetRuntime = {
  database: Database;
  readonly connections: readonly { company: string; name: string }[];
};

/**
 * Fleet incidents with at least two companies that the person may see, latest first:
 * `GET /api/fleet-incidents?state&page&per_page`.
 * @throws Failure `invalid_request`
 */
export async function listFleets(
  runtime: FleetRuntime,
  { person, query }: { person: Person; query: URLSearchParams },
): Promise<FleetIncidentsView> {
  const state = choice(query, "state", ["open", "ended"] as const) ?? "open";
  const place = placeOf(query);
  const companies = seenBy(runtime, person);
  const list = { companies, state, ...rowsAt(place) };
  const { rows, total } = await listFleetIncidents(runtime.database.orm, list);
  const data = rows.flatMap((row) => {
    const seen = seeFleet(row, person);
    return seen === null ? [] : fleetHead(seen);
  });
  return { data, meta: pageMeta(place, total) };
}

/**
 * A fleet incident: `GET /api/fleet-incidents/[id]`.
 * @throws Failure `not_found`, identical for unknown ones and those with fewer than two visible companies
 */
export async function getFleet(
  runtime: FleetRuntime,
  { person, id }: { person: Person; id: string | undefined },
): Promise<FleetIncident> {
  const row = await readFleetIncident(runtime.database.orm, fleetId(id), seenBy(runtime, person));
  const seen = seeFleet(row, person);
  if (seen === null) throw noSuchFleet();
  return withTimeline(runtime, seen);
}

/**
 * The open fleet incident of a partner, as the person sees it.
 * @param given.partner as any of its companies writes it
 * @param given.atMs as of then, epoch milliseconds; null: now
 * @returns null: none, or it is over for this person, or fewer than two of its companies are visible
 */
export async function openFleetOf(
  runtime: FleetRuntime,
  { person, partner, atMs }: { person: Person; partner: string; atMs: number | null },
): Promise<FleetIncident | null> {
  const companies = seenBy(runtime, person);
  const row = await readPartnerFleet(runtime.database.orm, partnerKey(partner), companies, atMs);
  const seen = seeFleet(row, person, atMs);
  if (seen === null || seen.fleet.endedMs !== null) return null;
  return withTimeline(runtime, seen, atMs);
}

async function withTimeline(
  runtime: FleetRuntime,
  seen: SeenFleet,
  atMs: number | null = null,
): Promise<FleetIncident> {
  const events = await readMemberEvents(runtime.database.orm, seen.row.members);
  return fleetView(seen, events, runtime, atMs);
}

/** @throws Failure `not_found` for an invalid id */
export function fleetId(given: string | undefined): string {
  if (given === undefined || !isUuid(given)) throw noSuchFleet();
  return given;
}

export function noSuchFleet(): Failure {
  return new Failure("not_found", NO_FLEET_INCIDENT);
}
