import { Failure } from "@/lib/contracts/failure";
import { Handover, type HandoverDone, type HandoverView } from "@/lib/contracts/incidents";
import { hasRight, highestRole } from "@/lib/domain/rights";
import { compareText } from "@/lib/domain/text/compare-text";
import { forgetOngoing } from "@/lib/server/cache/held-ongoing";
import { holds } from "@/lib/server/auth/access";
import type { Person } from "@/lib/server/auth/person";
import { invalid, notValid } from "@/lib/server/http/query";
import { nameOf } from "@/lib/server/operations/connections/external-id";
import { handOverAll, readHandable } from "@/lib/server/store/incidents/hand-over";
import { readGrantees } from "@/lib/server/store/people/grantee";
import { actOf } from "./act-on-incident";
import { untilOf } from "./decisions";
import type { IncidentsRuntime } from "./incident-view";
import { NOTHING_IS_YOURS } from "./words";

/** What a person could hand over, and to whom: `GET /api/me/handover`. */
export async function getHandover(
  runtime: IncidentsRuntime,
  { person }: { person: Person },
): Promise<HandoverView> {
  const { database, auth, clock } = runtime;
  const places = companiesOf(runtime, person);
  const [owned, holders] = await Promise.all([
    readHandable(
      database.orm,
      { personId: person.id, isAdministrator: isAdministrator(person) },
      places.map(({ company }) => company),
      clock.nowMs(),
    ),
    readGrantees(database.orm, null),
  ]);
  const companies = places.flatMap((place) => {
    const { company: slug } = place;
    const isOwner = owned.companies.includes(slug);
    const openIncidents = owned.incidents.filter(({ company }) => company === slug).length;
    return isOwner || openIncidents > 0
      ? [{ ...nameOf(place), is_owner: isOwner, open_incidents: openIncidents }]
      : [];
  });
  const people = holders.flatMap((holder) => {
    const able = companies.filter(({ slug }) =>
      holds(auth.access, holder, "handle-incidents", slug),
    );
    return holder.id === person.id || able.length === 0
      ? []
      : [{ id: holder.id, name: holder.name, companies: able.map(({ slug }) => slug) }];
  });
  return { companies, people: people.toSorted((a, b) => compareText(a.name, b.name)) };
}

/**
 * Hands the caller's work to a colleague until a moment, in one transaction:
 * `POST /api/me/handover`. The colleague stands in at the caller's companies and gets the caller's
 * open incidents; both revert automatically. Administrators also hand over unassigned incidents.
 * @throws Failure `invalid_request`; `conflict` when there is nothing to hand over
 */
export async function handOver(
  runtime: IncidentsRuntime,
  { person, body }: { person: Person; body: unknown },
): Promise<HandoverDone> {
  const parsed = Handover.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { companies: wanted, to, until: given } = parsed.data;
  const { database, auth } = runtime;
  const act = actOf(runtime, person);
  const until = untilOf(given, act.nowMs);
  const [holder] = await readGrantees(database.orm, [to]);
  if (holder === undefined || holder.id === person.id)
    throw invalid("to", "must be a colleague who can handle incidents there");
  const own = companiesOf(runtime, person);
  if (wanted !== "mine" && wanted.some((slug) => !own.some(({ company }) => company === slug)))
    throw invalid("companies", "must be companies where you can handle incidents");
  const done = await handOverAll(database, {
    act,
    isAdministrator: isAdministrator(person),
    companies: own.filter(({ company }) => wanted === "mine" || wanted.includes(company)),
    to: { id: holder.id, name: holder.name },
    until,
    mayTake(company, taker) {
      if (taker === undefined || !holds(auth.access, taker, "handle-incidents", company))
        throw invalid("to", "must be a colleague who can handle incidents there");
    },
  });
  if (done.companies.length + done.incidents === 0) {
    throw new Failure("conflict", NOTHING_IS_YOURS);
  }
  forgetOngoing(runtime, null);
  return {
    to: { id: holder.id, name: holder.name },
    until: until.toISOString(),
    ...done,
  };
}

/** Whether unassigned incidents belong to this person. */
function isAdministrator({ grants }: Person): boolean {
  return highestRole(grants) === "administrator";
}

/** Companies where a person may handle incidents. */
function companiesOf(
  { connections }: Pick<IncidentsRuntime, "connections">,
  { grants }: Person,
): { company: string; name: string }[] {
  return connections.filter(({ company }) => hasRight(grants, "handle-incidents", company));
}
