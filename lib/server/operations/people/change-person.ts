import { PersonChange, type PersonEntry } from "@/lib/contracts/people";
import { hasRight, type Grant } from "@/lib/domain/rights";
import { mayHandleBy } from "@/lib/server/auth/access";
import type { Person } from "@/lib/server/auth/person";
import type { SessionFacts } from "@/lib/server/auth/sessions";
import { isUuid, notValid } from "@/lib/server/http/query";
import { sessionsEnded } from "@/lib/server/store/audit/installation-log";
import { releaseIncidents } from "@/lib/server/store/incidents/release-incidents";
import {
  changePeople,
  endSessions as end,
  readFacts,
  readGivenGrants,
  readListed,
  readPerson,
  renamePerson,
  replaceGrants,
  setDisabled,
  type PeopleChange,
  type PersonRow,
} from "@/lib/server/store/people/administration";
import { changeBy } from "./invite-person";
import {
  areSame,
  checkedGrants,
  grantWords,
  noSuchPerson,
  personView,
  refuseToLose,
  type PeopleRuntime,
  type WithAccess,
  type WithAdministrators,
} from "./person-view";

type Given = { id: string; person: Person; address: string };

/**
 * Changes a person's name, manual grants, or whether they may sign in: `PATCH /api/people/[id]`.
 * Takes effect within seconds on every instance.
 * @throws Failure `invalid_request`; `not_found`; `conflict` when no other person could manage
 *   people, or it's the first administrator
 */
export async function changePerson(
  runtime: PeopleRuntime,
  { id, person: by, address, body }: Given & { body: unknown },
): Promise<PersonEntry> {
  const parsed = PersonChange.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { name, grants, disabled } = parsed.data;
  const done = await changePeople(runtime.database, changeBy(runtime, by), async (change) => {
    const whom = isUuid(id) ? await readPerson(change.tx, id) : null;
    if (whom === null) throw noSuchPerson();
    if (name !== undefined && name !== whom.name) {
      await renamePerson(change, id, name);
      change.log({
        action: "rename",
        subject: whom.email,
        detail: { person: id, from: whom.name, to: name },
      });
    }
    const isRegranted = grants !== undefined && (await regrant(runtime, change, whom, grants));
    const isSwitched = disabled !== undefined && (await switchTo(runtime, change, whom, disabled));
    return { isRegranted, isSwitched };
  });
  const whom = { whom: id };
  if (done.isRegranted) runtime.securityLog.record("grants_changed", { address, person: by }, whom);
  if (done.isSwitched) {
    const event = disabled === true ? "person_disabled" : "person_enabled";
    runtime.securityLog.record(event, { address, person: by }, whom);
  }
  return viewOf(runtime, id);
}

/** @returns whether anything changed */
async function regrant(
  runtime: PeopleRuntime,
  change: PeopleChange,
  whom: PersonRow,
  given: readonly Grant[],
): Promise<boolean> {
  const before = await readGivenGrants(change.tx, whom.id);
  const after = checkedGrants(runtime, given, before);
  if (areSame(before, after)) return false;
  const managed = (grants: readonly Grant[]) => hasRight(grants, "manage-people", null);
  if (managed(before) && !managed(after)) await refuseToLose(runtime, change.tx, whom);
  await setGrants(runtime, change, whom, { before, after });
  return true;
}

/**
 * Makes a person an administrator by a manual grant; their grants for single companies stay.
 * @returns false when they were an administrator already
 */
export async function promote(
  runtime: WithAccess,
  change: PeopleChange,
  whom: PersonRow,
): Promise<boolean> {
  const before = await readGivenGrants(change.tx, whom.id);
  if (hasRight(before, "manage-people", null)) return false;
  const atCompanies = before.filter(({ company }) => company !== null);
  const after: Grant[] = [{ role: "administrator", company: null }, ...atCompanies];
  await setGrants(runtime, change, whom, { before, after });
  return true;
}

async function setGrants(
  { connections = [], ...runtime }: WithAccess & Partial<Pick<PeopleRuntime, "connections">>,
  change: PeopleChange,
  whom: PersonRow,
  { before, after }: { before: readonly Grant[]; after: readonly Grant[] },
): Promise<void> {
  await replaceGrants(change, whom.id, after);
  await leaveIncidents(runtime, change, whom.id);
  const words = [before, after].map((all) => grantWords(all, connections)).join(" → ");
  change.log({
    action: "grant",
    subject: whom.email,
    detail: { person: whom.id, from: before, to: after, because: words },
  });
}

/** @returns whether anything changed */
export async function switchTo(
  runtime: WithAdministrators,
  change: PeopleChange,
  whom: PersonRow,
  isDisabled: boolean,
): Promise<boolean> {
  if ((whom.disabledAt !== null) === isDisabled) return false;
  // Passes for people who can't manage people: those who can are unaffected.
  if (isDisabled) await refuseToLose(runtime, change.tx, whom);
  await setDisabled(change, whom.id, isDisabled);
  await leaveIncidents(runtime, change, whom.id);
  change.log({
    action: isDisabled ? "disable" : "enable",
    subject: whom.email,
    detail: { person: whom.id },
  });
  return true;
}

/** Removes acknowledgements and ownership where the person may no longer handle incidents. */
function leaveIncidents(
  { auth }: WithAccess,
  { tx, by, nowMs }: PeopleChange,
  personId: string,
): Promise<void> {
  return releaseIncidents(tx, personId, { by, nowMs, mayHandle: mayHandleBy(auth.access) });
}

/**
 * Ends all sessions of a person: `DELETE /api/people/[id]/sessions`. Takes effect within seconds.
 * @returns the number of open sessions that ended
 * @throws Failure `not_found`
 */
export async function endSessions(
  runtime: PeopleRuntime,
  { id, person: by, session, address }: Given & { session: SessionFacts },
): Promise<{ ended: number }> {
  const ended = await changePeople(runtime.database, changeBy(runtime, by), async (change) => {
    const whom = isUuid(id) ? await readPerson(change.tx, id) : null;
    if (whom === null) throw noSuchPerson();
    const all = await end(change.tx, id, change.nowMs);
    if (all.length > 0) {
      const browsers = all.map(({ browser }) => browser);
      change.log(sessionsEnded({ by: change.by, whom, sessions: all.length, browsers }));
    }
    return all;
  });
  if (ended.length > 0) {
    const isOwn = ended.some((one) => one.id === session.id);
    const facts = { whom: id, sessions: String(ended.length), own: isOwn };
    runtime.securityLog.record("sessions_ended", { address, person: by }, facts);
  }
  return { ended: ended.length };
}

/** A person as JSON, after a change. @throws Failure `not_found` */
export async function viewOf(runtime: PeopleRuntime, id: string): Promise<PersonEntry> {
  const { judgedMs } = await runtime.auth.time.now();
  const listed = await readListed(runtime.database, id);
  const facts = (await readFacts(runtime.database, [id], judgedMs)).get(id);
  if (listed === null || facts === undefined) throw noSuchPerson();
  return personView(runtime, listed, facts);
}
