import { Failure } from "@/lib/contracts/failure";
import type { Incident, TimelineEvent } from "@/lib/contracts/incidents";
import { forgetOngoing } from "@/lib/server/cache/held-ongoing";
import { holds } from "@/lib/server/auth/access";
import type { Person } from "@/lib/server/auth/person";
import { invalid } from "@/lib/server/http/query";
import {
  actOnIncident,
  type Act,
  type IncidentAct,
} from "@/lib/server/store/incidents/incident-acts";
import type { IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import type { Grantee } from "@/lib/server/store/people/grantee";
import {
  acknowledging,
  claiming,
  noting,
  ownerIn,
  owning,
  refuseEnded,
  unacknowledging,
  type Acknowledged,
} from "./decisions";
import { timelineEvent } from "./get-incident";
import {
  incidentId,
  incidentView,
  noSuchIncident,
  seeCompany,
  type IncidentsRuntime,
} from "./incident-view";
import { RIGHT_LOST } from "./words";

type Given = { company: string; id: string | undefined; person: Person };

/**
 * Acknowledges an incident: `PUT .../incidents/[id]/acknowledgement`. Replaces an earlier
 * acknowledgement; a repeat changes nothing.
 * @throws Failure `invalid_request`; `not_found`; `conflict` when it has ended
 */
export async function acknowledgeIncident(
  runtime: IncidentsRuntime,
  { body, ...given }: Given & { body: unknown },
): Promise<Incident> {
  const id = incidentId(given.id);
  const act = actOf(runtime, given.person);
  const decide = acknowledging(body, act);
  return (await acted(runtime, { company: given.company, id, act }, decide)).incident;
}

/**
 * Acknowledges an incident that no one has acknowledged.
 * @returns who had; null: no one, so that the person does now
 * @throws Failure `not_found`; `forbidden`; `conflict` when it has ended
 */
export async function claimIncident(
  runtime: IncidentsRuntime,
  { company, id, person }: { company: string; id: number; person: Person },
): Promise<Acknowledged | null> {
  const act = actOf(runtime, person);
  let taken: Acknowledged | null = null;
  await acted(
    runtime,
    { company, id, act },
    claiming(act, (by) => {
      taken = by;
    }),
  );
  return taken;
}

/**
 * Removes the acknowledgement: `DELETE .../incidents/[id]/acknowledgement`.
 * @throws Failure `not_found`; `conflict` when it has ended
 */
export async function unacknowledgeIncident(
  runtime: IncidentsRuntime,
  { company, ...given }: Given,
): Promise<Incident> {
  const act = actOf(runtime, given.person);
  const id = incidentId(given.id);
  return (await acted(runtime, { company, id, act }, unacknowledging(act))).incident;
}

/**
 * Assigns the incident to a person who may own it, or (null) to the administrators:
 * `PUT .../incidents/[id]/owner`.
 * @throws Failure `invalid_request`; `not_found`; `conflict` when it has ended
 */
export async function ownIncident(
  runtime: IncidentsRuntime,
  { body, ...given }: Given & { body: unknown },
): Promise<Incident> {
  const id = incidentId(given.id);
  const person = ownerIn(body);
  const { company } = given;
  const act = actOf(runtime, given.person);
  const others = person === null ? [] : [person];
  const { incident } = await acted(runtime, { company, id, act, others }, (before, holders) => {
    refuseEnded(before);
    const [owner = null] =
      person === null ? [] : requireHandlers(runtime, holders, company, { person });
    return owning(runtime, owner, act)(before);
  });
  return incident;
}

/**
 * Adds a note, also to an incident that has ended: `POST .../incidents/[id]/notes`.
 * @throws Failure `invalid_request`; `not_found`
 */
export async function noteIncident(
  runtime: IncidentsRuntime,
  { body, ...given }: Given & { body: unknown },
): Promise<TimelineEvent> {
  const id = incidentId(given.id);
  const decide = noting(body);
  const act = actOf(runtime, given.person);
  const { event } = await acted(runtime, { company: given.company, id, act }, decide);
  if (event === null) throw new Error("the note was not written");
  return event;
}

export function actOf({ clock }: Pick<IncidentsRuntime, "clock">, person: Person): Act {
  const { id, name, email } = person;
  return { person: { id, name, email }, nowMs: clock.nowMs() };
}

/**
 * People who may currently handle incidents of a company, in the given order.
 * @param holders candidates
 * @param ids by the request property that names them
 * @throws Failure `invalid_request` naming the property whose person is unknown or not permitted
 */
export function requireHandlers(
  { auth }: Pick<IncidentsRuntime, "auth">,
  holders: readonly Grantee[],
  company: string,
  ids: Readonly<Record<string, string>>,
): { id: string; name: string }[] {
  return Object.entries(ids).map(([member, id]) => {
    const holder = holders.find((one) => one.id === id);
    if (holder === undefined || !holds(auth.access, holder, "handle-incidents", company))
      throw invalid(member, "must be someone who can handle incidents here");
    return holder;
  });
}

async function acted(
  runtime: IncidentsRuntime,
  given: Parameters<typeof actOnIncident>[1],
  decide: (before: IncidentRow, holders: readonly Grantee[]) => IncidentAct | null,
): Promise<{ incident: Incident; event: TimelineEvent | null }> {
  const { company, act } = given;
  const done = await actOnIncident(runtime.database, given, (before, holders) => {
    const actor = holders.find(({ id }) => id === act.person.id);
    // The permission may have been revoked since the request was authorised.
    if (actor === undefined || !holds(runtime.auth.access, actor, "handle-incidents", company))
      throw new Failure("forbidden", RIGHT_LOST);
    return decide(before, holders);
  });
  if (done === null) throw noSuchIncident();
  forgetOngoing(runtime, company);
  return {
    incident: incidentView(runtime, done.incident, seeCompany(runtime, company), act.person.id),
    event: done.event === null ? null : timelineEvent(done.event, (endpointId) => endpointId),
  };
}
