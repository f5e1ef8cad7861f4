import { Failure } from "@/lib/contracts/failure";
import type { PersonEntry } from "@/lib/contracts/people";
import type { Person } from "@/lib/server/auth/person";
import { isUuid } from "@/lib/server/http/query";
import { mailNotice } from "@/lib/server/operations/me/notice-mail";
import { sessionsEnded } from "@/lib/server/store/audit/installation-log";
import {
  changePeople,
  endSessions,
  readPerson,
  type PeopleChange,
  type PersonRow,
} from "@/lib/server/store/people/administration";
import { removeSecondFactor } from "@/lib/server/store/people/second-factors";
import { viewOf } from "./change-person";
import { changeBy } from "./invite-person";
import { noSuchPerson, type PeopleRuntime } from "./person-view";
import { NO_SECOND_FACTOR, OWN_SECOND_FACTOR } from "./words";

/**
 * Turns off the second factor of a person who has lost it, and ends their sessions:
 * `DELETE /api/people/[id]/second-factor`. Administrators turn off their own with a code.
 * @throws Failure `not_found`; `conflict` for oneself, and when it is off
 */
export async function resetSecondFactor(
  runtime: PeopleRuntime & { appUrl: string },
  { id, person: by, address }: { id: string; person: Person; address: string },
): Promise<PersonEntry> {
  const whom = await changePeople(runtime.database, changeBy(runtime, by), async (change) => {
    const found = isUuid(id) ? await readPerson(change.tx, id) : null;
    if (found === null) throw noSuchPerson();
    if (found.id === by.id) throw new Failure("conflict", OWN_SECOND_FACTOR);
    await dropSecondFactor(change, found);
    return found;
  });
  runtime.securityLog.record("second_factor_reset", { address, person: by }, { whom: id });
  mailNotice(runtime, whom, "second-factor-reset");
  return viewOf(runtime, id);
}

/**
 * Within a change: turns off a person's second factor and ends their sessions.
 * @throws Failure `conflict` when it is off
 */
export async function dropSecondFactor(change: PeopleChange, whom: PersonRow): Promise<void> {
  if (!(await removeSecondFactor(change.tx, whom.id))) {
    throw new Failure("conflict", NO_SECOND_FACTOR);
  }
  change.log({
    action: "reset-second-factor",
    subject: whom.email,
    detail: { person: whom.id },
  });
  const ended = await endSessions(change.tx, whom.id, change.nowMs);
  if (ended.length === 0) return;
  const browsers = ended.map(({ browser }) => browser);
  change.log(sessionsEnded({ by: change.by, whom, sessions: ended.length, browsers }));
}
