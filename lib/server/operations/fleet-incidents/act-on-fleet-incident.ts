import { Failure } from "@/lib/contracts/failure";
import type { FleetIncident } from "@/lib/contracts/fleet-incidents";
import { hasRight } from "@/lib/domain/rights";
import { holds } from "@/lib/server/auth/access";
import type { Auth } from "@/lib/server/auth/auth";
import type { Person } from "@/lib/server/auth/person";
import { forgetOngoing } from "@/lib/server/cache/held-ongoing";
import type { Clock } from "@/lib/server/clock";
import { actOf } from "@/lib/server/operations/incidents/act-on-incident";
import {
  acknowledging,
  noting,
  ownerIn,
  owning,
  unacknowledging,
} from "@/lib/server/operations/incidents/decisions";
import { actOnFleet, type Target } from "@/lib/server/store/fleet-incidents/fleet-acts";
import type { FleetRow } from "@/lib/server/store/fleet-incidents/read-fleet-incidents";
import type { IncidentAct } from "@/lib/server/store/incidents/incident-acts";
import type { IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import type { Grantee } from "@/lib/server/store/people/grantee";
import { seeFleet, seenBy } from "./fleet-view";
import { fleetId, getFleet, noSuchFleet, type FleetRuntime } from "./get-fleet-incident";
import { FLEET_HAS_ENDED, MAY_NOT_HANDLE, MAY_NOT_OWN } from "./words";

type ActRuntime = FleetRuntime & { clock: Clock; auth: Pick<Auth, "access"> };
type Given = { person: Person; id: string | undefined };

/*
 * Each acts on the incident of every company in it for which the person has the right to handle incidents, in one
 * transaction. All throw Failure `not_found`; `forbidden` without that right at any of its visible companies;
 * `conflict` when it has ended, notes aside.
 */

/**
 * Acknowledges its open incidents: `PUT /api/fleet-incidents/[id]/acknowledgement`.
 * @throws Failure also `invalid_request`
 */
export async function acknowledgeFleet(
  runtime: ActRuntime,
  { body, ...given }: Given & { body: unknown },
): Promise<FleetIncident> {
  const id = fleetId(given.id);
  const act = actOf(runtime, given.person);
  return acted(runtime, { ...given, id }, { act, decide: acknowledging(body, act) });
}

/** Removes the acknowledgements: `DELETE /api/fleet-incidents/[id]/acknowledgement`. */
export async function unacknowledgeFleet(
  runtime: ActRuntime,
  given: Given,
): Promise<FleetIncident> {
  const id = fleetId(given.id);
  const act = actOf(runtime, given.person);
  return acted(runtime, { ...given, id }, { act, decide: unacknowledging(act) });
}

/**
 * Assigns its open incidents to a person, or (null) to the administrators: `PUT /api/fleet-incidents/[id]/owner`.
 * @throws Failure also `invalid_request`; `conflict` if the person may not handle one of them
 */
export async function ownFleet(
  runtime: ActRuntime,
  { body, ...given }: Given & { body: unknown },
): Promise<FleetIncident> {
  const id = fleetId(given.id);
  const person = ownerIn(body);
  const act = actOf(runtime, given.person);
  let owner: { id: string; name: string } | null = null;
  return acted(
    runtime,
    { ...given, id },
    {
      act,
      others: person === null ? [] : [person],
      accept(targets, holders) {
        const holder = holders.find((one) => one.id === person);
        const mayOwn = ({ company }: Target) =>
          holder !== undefined && holds(runtime.auth.access, holder, "handle-incidents", company);
        if (person !== null && !targets.every(mayOwn)) throw new Failure("conflict", MAY_NOT_OWN);
        owner = person === null ? null : (holder ?? null);
      },
      decide: (before) => owning(runtime, owner, act)(before),
    },
  );
}

/**
 * Adds a note to the latest incident of each company, also where it has ended: `POST /api/fleet-incidents/[id]/notes`.
 * @throws Failure also `invalid_request`
 */
export async function noteFleet(
  runtime: ActRuntime,
  { body, ...given }: Given & { body: unknown },
): Promise<FleetIncident> {
  const id = fleetId(given.id);
  const decide = noting(body);
  const act = actOf(runtime, given.person);
  return acted(runtime, { ...given, id }, { act, decide, isForEnded: true });
}

async function acted(
  runtime: ActRuntime,
  { person, id }: { person: Person; id: string },
  {
    decide,
    accept,
    isForEnded = false,
    ...more
  }: {
    act: Parameters<typeof actOnFleet>[1]["act"];
    others?: readonly string[];
    decide: (before: IncidentRow) => IncidentAct | null;
    /** Throws to abort. */
    accept?: (targets: readonly Target[], holders: readonly Grantee[]) => void;
    /** Whether it acts on incidents that have ended too. */
    isForEnded?: boolean;
  },
): Promise<FleetIncident> {
  const companies = seenBy(runtime, person);
  const choose = (row: FleetRow | null, holders: readonly Grantee[]) => {
    const seen = seeFleet(row, person);
    if (seen === null) throw noSuchFleet();
    const actor = holders.find((one) => one.id === person.id);
    const mayHandle = (company: string) =>
      // The right may have been revoked since the request was authorised, and a token's may be narrower.
      actor !== undefined &&
      holds(runtime.auth.access, actor, "handle-incidents", company) &&
      hasRight(person.grants, "handle-incidents", company);
    const own = seen.fleet.companies.filter(({ company }) => mayHandle(company));
    if (own.length === 0) throw new Failure("forbidden", MAY_NOT_HANDLE);
    const targets = isForEnded
      ? own.map(({ company, incidentId }) => ({ company, id: incidentId }))
      : seen.row.members.filter(
          ({ company, leftMs, endedMs }) =>
            leftMs === null && endedMs === null && mayHandle(company),
        );
    if (targets.length === 0 || (!isForEnded && seen.row.truth.closedMs !== null))
      throw new Failure("conflict", FLEET_HAS_ENDED);
    accept?.(targets, holders);
    return targets;
  };
  const changed = await actOnFleet(
    runtime.database,
    { id, companies, ...more },
    choose,
    // It may have ended while others were being locked.
    (before) => (before.endedAt !== null && !isForEnded ? null : decide(before)),
  );
  for (const company of changed) forgetOngoing(runtime, company);
  return getFleet(runtime, { person, id });
}
