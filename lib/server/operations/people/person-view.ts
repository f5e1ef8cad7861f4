import { Failure } from "@/lib/contracts/failure";
import type { GivenGrant, PersonEntry } from "@/lib/contracts/people";
import { hasRight, ROLES, type Grant } from "@/lib/domain/rights";
import type { Auth } from "@/lib/server/auth/auth";
import type { Clock } from "@/lib/server/clock";
import type { Mailer } from "@/lib/server/delivery/mail";
import type { Evidence } from "@/lib/server/evidence";
import { invalid } from "@/lib/server/http/query";
import type { Database, Orm } from "@/lib/server/store/database";
import {
  readOthersWhoSignIn,
  type ListedPerson,
  type PersonFacts,
} from "@/lib/server/store/people/administration";
import { LAST_ADMINISTRATOR, NO_PERSON } from "./words";

/** What the operations on people need. */
export type PeopleRuntime = {
  database: Database;
  clock: Clock;
  auth: Pick<Auth, "time" | "access">;
  evidence: Evidence;
  config: { adminEmail: string };
  /** Null: no mail is sent. */
  mailer: Mailer | null;
  readonly connections: readonly { company: string }[];
};

/** What tells who gets what by rules. */
export type WithAccess = { auth: Pick<Auth, "access"> };

/** A person in the wire's form. */
export function personView(
  { config, auth }: Pick<PeopleRuntime, "config"> & WithAccess,
  person: ListedPerson,
  facts: PersonFacts,
): PersonEntry {
  const byHand = facts.grants.map(({ role, company, givenBy, givenAt }) => ({
    role,
    company,
    because: { kind: "hand", by: givenBy, at: givenAt.toISOString() } as const,
  }));
  const byRule = auth.access.find(person).map(({ role, company, because }) => ({
    role,
    company,
    because: { kind: "rule", ...because } as const,
  }));
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    kind: person.issuer === null ? "local" : "oidc",
    is_first_administrator: person.issuer === null && person.email === config.adminEmail,
    grants: [...byHand, ...byRule],
    status: statusOf(person),
    link_expires_at: facts.linkExpiresAt?.toISOString() ?? null,
    disabled_at: facts.disabledAt?.toISOString() ?? null,
    last_seen_at: facts.lastSeenAt?.toISOString() ?? null,
    sessions: facts.openSessions,
  };
}

export function statusOf({
  isDisabled,
  canSignIn,
}: Pick<ListedPerson, "isDisabled" | "canSignIn">): PersonEntry["status"] {
  if (isDisabled) return "disabled";
  return canSignIn ? "active" : "invited";
}

/** Whether somebody may manage people, by hand or by a rule. */
export function isAdministrator(
  { auth }: WithAccess,
  person: Pick<ListedPerson, "isAdministrator" | "issuer" | "claims">,
): boolean {
  return person.isAdministrator || hasRight(auth.access.find(person), "manage-people", null);
}

/**
 * Within a change: refuses what would leave nobody who can manage people.
 * @throws Failure `conflict`
 */
export async function refuseIfLast(runtime: WithAccess, tx: Orm, exceptId: string): Promise<void> {
  const others = await readOthersWhoSignIn(tx, exceptId);
  if (others.some((person) => isAdministrator(runtime, person))) return;
  throw new Failure("conflict", LAST_ADMINISTRATOR);
}

/**
 * What somebody shall be made, as it was sent.
 * @param before what they are; a company that has left may stay
 * @throws Failure `invalid_request`, naming what is wrong
 */
export function checkedGrants(
  { connections }: Pick<PeopleRuntime, "connections">,
  given: readonly GivenGrant[],
  before: readonly Grant[] = [],
): readonly Grant[] {
  const known = new Set([
    ...connections.map(({ company }) => company),
    ...before.flatMap(({ company }) => company ?? []),
  ]);
  if (given.some(({ company }) => company !== null && !known.has(company))) {
    throw invalid("grants", "must be at companies connected to this Plumbline");
  }
  if (given.some(({ role, company }) => role === "administrator" && company !== null)) {
    throw invalid("grants", "must make administrators so for all companies");
  }
  if (new Set(given.map(({ company }) => company)).size < given.length) {
    throw invalid("grants", "can name each company only once");
  }
  return given;
}

/** "operator at northgate, viewer at all companies": for the log. */
export function grantWords(grants: readonly Grant[]): string {
  if (grants.length === 0) return "no access";
  return grants
    .toSorted((a, b) => ROLES.indexOf(b.role) - ROLES.indexOf(a.role))
    .map(({ role, company }) =>
      role === "administrator" ? role : `${role} at ${company ?? "all companies"}`,
    )
    .join(", ");
}

/** Whether both say the same, in any order. */
export function areSame(a: readonly Grant[], b: readonly Grant[]): boolean {
  const keys = (grants: readonly Grant[]) =>
    grants
      .map(({ role, company }) => JSON.stringify([company, role]))
      .toSorted()
      .join();
  return keys(a) === keys(b);
}

export function noSuchPerson(): Failure {
  return new Failure("not_found", NO_PERSON);
}
