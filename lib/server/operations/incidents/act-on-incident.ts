import { Failure } from "@/lib/contracts/failure";
import {
  Acknowledgement,
  Note,
  OwnerChange,
  type Incident,
  type TimelineEvent,
} from "@/lib/contracts/incidents";
import { forgetOngoing } from "@/lib/server/cache/held-ongoing";
import { holds } from "@/lib/server/auth/access";
import type { Person } from "@/lib/server/auth/person";
import { invalid, notValid } from "@/lib/server/http/query";
import {
  actOnIncident,
  type Act,
  type IncidentAct,
} from "@/lib/server/store/incidents/incident-acts";
import type { IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import type { Grantee } from "@/lib/server/store/people/grantee";
import { storableMs } from "@/lib/server/store/storable";
import { timelineEvent } from "./get-incident";
import {
  acknowledgementOf,
  incidentId,
  incidentView,
  noSuchIncident,
  ownerOf,
  seeCompany,
  type IncidentsRuntime,
} from "./incident-view";
import { HAS_ENDED, NOT_SET, RIGHT_LOST } from "./words";

type Given = { company: string; id: string | undefined; person: Person };

/** Maximum length of an acknowledgement with an end, and of an absence. */
const LONGEST_MS = 366 * 24 * 3_600_000;

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
  const parsed = Acknowledgement.safeParse(body ?? {});
  if (!parsed.success) throw notValid(parsed.error, NOT_SET);
  const note = parsed.data.note === "" ? null : parsed.data.note;
  const act = actOf(runtime, given.person);
  const until = parsed.data.until === null ? null : untilOf(parsed.data.until, act.nowMs);
  const { incident } = await acted(runtime, { company: given.company, id, act }, (before) => {
    refuseEnded(before);
    const stands = acknowledgementOf(before, act.nowMs, act.person.id);
    const isSaid = stands?.is_you === true && stands.until === (until?.toISOString() ?? null);
    if (isSaid && note === null) return null;
    return {
      kind: "acknowledged",
      action: "acknowledge",
      set: {
        acknowledgedById: act.person.id,
        acknowledgedAt: stands?.is_you === true ? new Date(stands.at) : new Date(act.nowMs),
        acknowledgedUntil: until,
      },
      text: note,
      detail: { until: until?.toISOString() ?? null },
    };
  });
  return incident;
}

/**
 * Removes the acknowledgement: `DELETE .../incidents/[id]/acknowledgement`.
 * @throws Failure `not_found`; `conflict` when it has ended
 */
export async function unacknowledgeIncident(
  runtime: IncidentsRuntime,
  given: Given,
): Promise<Incident> {
  const act = actOf(runtime, given.person);
  const { incident } = await acted(
    runtime,
    { company: given.company, id: incidentId(given.id), act },
    (before) => {
      refuseEnded(before);
      if (acknowledgementOf(before, act.nowMs, act.person.id) === null) return null;
      const set = { acknowledgedById: null, acknowledgedAt: null, acknowledgedUntil: null };
      return { kind: "unacknowledged", action: "unacknowledge", set };
    },
  );
  return incident;
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
  const parsed = OwnerChange.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error, NOT_SET);
  const { company } = given;
  const act = actOf(runtime, given.person);
  const { person } = parsed.data;
  const others = person === null ? [] : [person];
  const { incident } = await acted(runtime, { company, id, act, others }, (before, holders) => {
    refuseEnded(before);
    const [owner = null] =
      person === null ? [] : requireHandlers(runtime, holders, company, { person });
    const previous = ownerOf(runtime.auth, before, act.nowMs);
    if (owner?.id === previous?.id && before.lentUntil === null) return null;
    return {
      kind: "owned",
      action: "own",
      set: {
        ownerId: owner?.id ?? null,
        ownerSince: new Date(act.nowMs),
        lentById: null,
        lentUntil: null,
      },
      detail: { owner: named(owner), previous_owner: named(previous) },
      because: `to ${owner?.name ?? "the administrators"}`,
    };
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
  const parsed = Note.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error, NOT_SET);
  const { text, told_customer } = parsed.data;
  const act = actOf(runtime, given.person);
  const { event } = await acted(runtime, { company: given.company, id, act }, () => ({
    kind: "noted",
    action: "note",
    text,
    detail: { told_customer },
    ...(told_customer && { because: "told the customer" }),
  }));
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

function refuseEnded({ endedAt }: IncidentRow): void {
  if (endedAt !== null) throw new Failure("conflict", HAS_ENDED);
}

/**
 * The end of an acknowledgement or absence.
 * @param nowMs our clock, epoch milliseconds
 * @throws Failure `invalid_request`
 */
export function untilOf(given: string, nowMs: number): Date {
  const ms = storableMs(given);
  if (ms === null || ms <= nowMs || ms > nowMs + LONGEST_MS)
    throw invalid("until", "must be an ISO 8601 time in the future, at most a year ahead");
  return new Date(ms);
}

function named(person: { id: string; name: string } | null): { id: string; name: string } | null {
  return person === null ? null : { id: person.id, name: person.name };
}
