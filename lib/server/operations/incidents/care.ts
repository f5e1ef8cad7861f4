import { CareChange, type CareView } from "@/lib/contracts/incidents";
import { hasRight } from "@/lib/domain/rights";
import { compareText } from "@/lib/domain/text/compare-text";
import { iso } from "@/lib/domain/time/instant";
import { forgetOngoing } from "@/lib/server/cache/held-ongoing";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import { holds } from "@/lib/server/auth/access";
import type { Person } from "@/lib/server/auth/person";
import { invalid, notValid } from "@/lib/server/http/query";
import {
  changeCare as change,
  readCare,
  type CareRow,
} from "@/lib/server/store/incidents/incident-acts";
import { careOf } from "@/lib/server/store/incidents/read-incidents";
import { readGrantees } from "@/lib/server/store/people/grantee";
import { storableMs } from "@/lib/server/store/storable";
import { actOf, requireHandlers } from "./act-on-incident";
import type { IncidentsRuntime } from "./incident-view";

type Given = { company: string; person: Person };

/**
 * Owner of a company and stand-in: `GET .../care`. People who lost the permission and stand-ins
 * whose time is over, or who have become the owner, are left out.
 */
export async function getCare(
  runtime: IncidentsRuntime,
  { company, person }: Given,
): Promise<CareView> {
  const { orm } = runtime.database;
  const [care, holders] = await Promise.all([readCare(orm, company), readGrantees(orm, null)]);
  const able = holders
    .filter((holder) => holds(runtime.auth.access, holder, "handle-incidents", company))
    .map(({ id, name }) => ({ id, name }))
    .toSorted((a, b) => compareText(a.name, b.name));
  const find = (id: string | null) => able.find((one) => one.id === id) ?? null;
  const nowMs = runtime.clock.nowMs();
  // The present one, or the next.
  const set =
    careOf(care).standIns.find(({ id, untilMs }) => untilMs > nowMs && id !== care.ownerId) ?? null;
  const standIn = find(set?.id ?? null);
  return {
    owner: find(care.ownerId),
    stand_in:
      set === null || standIn === null
        ? null
        : { person: standIn, from: iso(set.fromMs), until: iso(set.untilMs) },
    people: hasRight(person.grants, "handle-incidents", company) ? able : [],
  };
}

/**
 * Sets the owner of a company, and the stand-in: `PUT .../care`. Open incidents keep their owners.
 * @throws Failure `invalid_request`
 */
export async function changeCare(
  runtime: IncidentsRuntime,
  { body, ...given }: Given & { body: unknown },
): Promise<CareView> {
  const parsed = CareChange.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { owner, stand_in: standIn } = parsed.data;
  const { company, person } = given;
  const ids = {
    ...(typeof owner === "string" && { owner }),
    ...(standIn && { stand_in: standIn.person }),
  };
  const people = requireHandlers(
    runtime,
    await readGrantees(runtime.database.orm, Object.values(ids)),
    company,
    ids,
  );
  const nameOf = (id: string) => people.find((one) => one.id === id)?.name ?? "";
  const set: Partial<CareRow> = {};
  const because: string[] = [];
  if (owner !== undefined) {
    set.ownerId = owner;
    because.push(owner === null ? "the administrators" : nameOf(owner));
  }
  if (standIn !== undefined) {
    const [from, until] = standIn === null ? [null, null] : spanOf(standIn);
    Object.assign(set, {
      standInId: standIn?.person ?? null,
      standInFrom: from,
      standInUntil: until,
      laterStandIns: [],
    } satisfies Partial<CareRow>);
    because.push(
      standIn === null || from === null || until === null
        ? "no stand-in"
        : `${nameOf(standIn.person)} stands in from ${from.toISOString()} until ${until.toISOString()}`,
    );
  }
  const name = connectedName(runtime.connections, company) ?? company;
  const act = actOf(runtime, person);
  await change(runtime.database, { company, name, act }, set, because.join("; "), (holders) => {
    requireHandlers(runtime, holders, company, ids);
  });
  forgetOngoing(runtime, company);
  return getCare(runtime, given);
}

function spanOf(given: { from: string; until: string }): [Date, Date] {
  const [fromMs, untilMs] = [storableMs(given.from), storableMs(given.until)];
  if (fromMs === null || untilMs === null || untilMs <= fromMs)
    throw invalid("stand_in", "must be from one ISO 8601 time until a later one");
  return [new Date(fromMs), new Date(untilMs)];
}
