import { Failure } from "@/lib/contracts/failure";
import type { GivenGrant, PersonEntry } from "@/lib/contracts/people";
import { hasRight, ROLES, type Grant } from "@/lib/domain/rights";
import type { Auth } from "@/lib/server/auth/auth";
import type { PasswordMeter } from "@/lib/server/auth/password-meter";
import { ADDRESS_KNOWN_MS, isLocallyOpenTo } from "@/lib/server/auth/password-sign-in";
import type { Clock } from "@/lib/server/clock";
import type { Mailer } from "@/lib/server/delivery/mail";
import type { SecurityLog } from "@/lib/server/security-log";
import { invalid } from "@/lib/server/http/query";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import type { Database, Orm } from "@/lib/server/store/database";
import {
  haveSignedInSince,
  readOthersWhoSignIn,
  type ListedPerson,
  type PersonFacts,
} from "@/lib/server/store/people/administration";
import { requireConnected } from "@/lib/server/operations/connections/require-connected";
import { FIRST_ADMINISTRATOR, LAST_ADMINISTRATOR, NO_PERSON } from "./words";

/** Dependencies of the operations on people. */
export type PeopleRuntime = {
  database: Database;
  clock: Clock;
  auth: Pick<Auth, "time" | "access" | "local">;
  securityLog: SecurityLog;
  passwordMeter: PasswordMeter;
  config: { adminEmail: string };
  /** Null when no mail is sent. */
  mailer: Mailer | null;
  readonly connections: readonly { company: string; name: string }[];
};

/** Provides the rules' grants. */
export type WithAccess = { auth: Pick<Auth, "access"> };

/** Provides what the last-administrator check needs. */
export type WithAdministrators = {
  auth: Pick<Auth, "access" | "local" | "time">;
  config: Pick<PeopleRuntime["config"], "adminEmail">;
};

/** A person as JSON. */
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
    is_first_administrator: isFirstAdministrator({ config }, person),
    has_second_factor: facts.hasSecondFactor,
    grants: [...byHand, ...byRule],
    status: statusOf(person),
    link_expires_at: facts.linkExpiresAt?.toISOString() ?? null,
    created_at: facts.createdAt.toISOString(),
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

/** Whether an account is the local one of `ADMIN_EMAIL`. */
function isFirstAdministrator(
  { config }: Pick<WithAdministrators, "config">,
  { issuer, email }: Pick<ListedPerson, "issuer" | "email">,
): boolean {
  return issuer === null && email === config.adminEmail;
}

/** Whether a person may manage people, manually or by a rule. */
export function isAdministrator(
  { auth }: WithAccess,
  person: Pick<ListedPerson, "isAdministrator" | "issuer" | "claims">,
): boolean {
  return person.isAdministrator || hasRight(auth.access.find(person), "manage-people", null);
}

/**
 * Within a change: refuses to take administration from the first administrator, and from the last person who can manage
 * people. Only administrators who can sign in count. One by rules alone may be gone at the provider, which doesn't tell
 * us: only those count who signed in here in the last 30 days.
 * @throws Failure `conflict`
 */
export async function refuseToLose(
  runtime: WithAdministrators,
  tx: Orm,
  whom: Pick<ListedPerson, "id" | "issuer" | "email">,
): Promise<void> {
  if (isFirstAdministrator(runtime, whom)) throw new Failure("conflict", FIRST_ADMINISTRATOR);
  const { access, local } = runtime.auth;
  const others = (await readOthersWhoSignIn(tx, whom.id)).filter((person) =>
    person.issuer === null ? isLocallyOpenTo(local, person) : person.issuer === access.issuer,
  );
  if (others.some((person) => person.isAdministrator)) return;
  const byRules = others.filter((person) => isAdministrator(runtime, person)).map(({ id }) => id);
  const { judgedMs } = await runtime.auth.time.now();
  if (await haveSignedInSince(tx, byRules, judgedMs - ADDRESS_KNOWN_MS)) return;
  throw new Failure("conflict", LAST_ADMINISTRATOR);
}

/**
 * Parses the grants or state that a person gets.
 * @param before current grants; a company that has left may stay
 * @throws Failure `invalid_request` naming the invalid property
 */
export function checkedGrants(
  { connections }: Pick<PeopleRuntime, "connections">,
  given: readonly GivenGrant[],
  before: readonly Grant[] = [],
): readonly Grant[] {
  const slugsOf = (grants: readonly { company: string | null }[]) =>
    grants.flatMap(({ company }) => company ?? []);
  requireConnected(connections, slugsOf(given), slugsOf(before), {
    name: "grants",
    must: "must be at companies connected to this Plumbline",
  });
  if (given.some(({ role, company }) => role === "administrator" && company !== null)) {
    throw invalid("grants", "must make administrators so for all companies");
  }
  if (new Set(given.map(({ company }) => company)).size < given.length) {
    throw invalid("grants", "can name each company only once");
  }
  return given;
}

/** "operator at Northgate Builders, viewer at all companies": for the log. @param connections name the companies */
export function grantWords(
  grants: readonly Grant[],
  connections: PeopleRuntime["connections"] = [],
): string {
  if (grants.length === 0) return "no access";
  return grants
    .toSorted((a, b) => ROLES.indexOf(b.role) - ROLES.indexOf(a.role))
    .map(({ role, company }) =>
      role === "administrator"
        ? role
        : `${role} at ${company === null ? "all companies" : (connectedName(connections, company) ?? company)}`,
    )
    .join(", ");
}

/** Whether both have equal grants, in any order. */
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
