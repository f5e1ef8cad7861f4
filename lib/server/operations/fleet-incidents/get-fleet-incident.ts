import { Failure } from "@/lib/contracts/failure";
import type { FleetIncident, FleetIncidentsView } from "@/lib/contracts/fleet-incidents";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import type { Person } from "@/lib/server/auth/person";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { choice, isUuid } from "@/lib/server/http/query";
import type { Database } from "@/lib/server/store/database";
import {
  listFleetIncidents,
  readFleetIncident,
  readMemberEvents,
  readPartnerFleet,
} from "@/lib/server/store/fleet-incidents/read-fleet-incidents";
import { boundRows, rowBudget } from "@/lib/server/store/most-rows";
import { fleetHead, fleetView, seeFleet, seenBy, type SeenFleet } from "./fleet-view";
import { NO_FLEET_INCIDENT } from "./words";

export type FleetRuntime = {
  database: Database;
  readonly connections: readonly { company: string; name: string }[];
};

/**
 * Fleet incidents with at least two companies that the person may see, latest first:
 * `GET /api/fleet-incidents?state&page&per_page`.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read
 */
export async function listFleets(
  runtime: FleetRuntime,
  { person, query }: { person: Person; query: URLSearchParams },
  budget = rowBudget(),
): Promise<FleetIncidentsView> {
  const state = choice(query, "state", ["open", "ended"] as const) ?? "open";
  const place = readPageRequest(query);
  const companies = seenBy(runtime, person);
  const list = { companies, state, ...offsetAndLimit(place) };
  const { database } = boundRows(runtime, budget);
  const { rows, total } = await listFleetIncidents(database.orm, list);
  const data = rows.flatMap((row) => {
    const seen = seeFleet(row, person);
    return seen === null ? [] : fleetHead(seen, runtime);
  });
  return { data, meta: pageMeta(place, total) };
}

/**
 * A fleet incident: `GET /api/fleet-incidents/[id]`.
 * @throws Failure `not_found`, identical for unknown ones and those with fewer than two visible companies;
 * `invalid_request` when it takes more rows than a request may read
 */
export async function getFleet(
  runtime: FleetRuntime,
  { person, id }: { person: Person; id: string | undefined },
  budget = rowBudget(),
): Promise<FleetIncident> {
  const bounded = boundRows(runtime, budget);
  const companies = seenBy(runtime, person);
  const row = await readFleetIncident(bounded.database.orm, fleetId(id), companies);
  const seen = seeFleet(row, person);
  if (seen === null) throw noSuchFleet();
  return withTimeline(bounded, seen);
}

/**
 * The open fleet incident of a partner, as the person sees it.
 * @param given.partner as any of its companies writes it
 * @param given.atMs as of then, epoch milliseconds; null: now
 * @returns null: none, or it is over for this person, or fewer than two of its companies are visible
 * @throws Failure `invalid_request` when it takes more rows than a request may read
 */
export async function openFleetOf(
  unbound: FleetRuntime,
  { person, partner, atMs }: { person: Person; partner: string; atMs: number | null },
): Promise<FleetIncident | null> {
  const runtime = boundRows(unbound, rowBudget());
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
