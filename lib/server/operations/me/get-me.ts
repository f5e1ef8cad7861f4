import type { Because, MeView, MyGrant } from "@/lib/contracts/me";
import { ROLES, type Grant } from "@/lib/domain/rights";
import { Failure } from "@/lib/contracts/failure";
import { narrowGrants } from "@/lib/domain/tokens/narrow-grants";
import type { TokenFacts } from "@/lib/server/auth/tokens/tokens";
import { NO_PERSON } from "./words";
import type { Person } from "@/lib/server/auth/person";
import type { SecondFactors } from "@/lib/server/auth/second-factor/second-factors";
import type { SessionFacts } from "@/lib/server/auth/sessions";
import type { Database } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import { isPasswordPrinted } from "@/lib/server/store/people/people";
import { readGivenGrants, readOwnSessions } from "@/lib/server/store/people/own-sessions";

export type MeRuntime = {
  database: Database;
  auth: {
    time: DatabaseTime;
    /** The identity provider; null or absent without one. */
    provider?: { name: string } | null;
    secondFactors: Pick<SecondFactors, "read">;
  };
};

/**
 * The caller, their permissions with the reasons, and their sessions: `GET /api/me`. With a token, the permissions are
 * the token's, and no session is listed.
 * @throws Failure `forbidden` for a service token, which belongs to no person
 */
export async function getMe(
  { database, auth }: MeRuntime,
  {
    person,
    session: current,
    token = null,
  }: { person: Person; session: SessionFacts | null; token?: TokenFacts | null },
): Promise<MeView> {
  if (token?.isService === true) throw new Failure("forbidden", NO_PERSON);
  const { judgedMs } = await auth.time.now();
  const { id, name, email, kind } = person;
  const [local, all, sessions] = await Promise.all([
    kind === "local" && token === null ? localAccount({ database, auth }, id) : null,
    readGivenGrants(database.orm, person.id),
    current === null ? [] : readOwnSessions(database.orm, person.id, judgedMs),
  ]);
  const given = token === null ? all : narrowGrants(all, token.companies);
  const byHand = given.map(({ role, company, giver, givenAt }): MyGrant => ({
    role,
    company,
    because: { by: "hand", person: giver, at: givenAt.toISOString() },
  }));
  const provider = kind === "local" ? null : (auth.provider?.name ?? null);
  return {
    person: { id, name, email, kind, provider },
    local,
    grants: [...byHand, ...foundGrants(person.grants)].toSorted(
      (a, b) => ROLES.indexOf(b.role) - ROLES.indexOf(a.role),
    ),
    sessions: sessions
      .map(({ id: sessionId, browser, address, ...at }) => ({
        id: sessionId,
        current: sessionId === current?.id,
        browser,
        address,
        created_at: at.createdAt.toISOString(),
        seen_at: at.lastSeenAt.toISOString(),
        ends_at: at.expiresAt.toISOString(),
        authenticated_at: at.authenticatedAt?.toISOString() ?? null,
      }))
      .toSorted((a, b) => Number(b.current) - Number(a.current)),
  };
}

async function localAccount(
  { database, auth }: MeRuntime,
  personId: string,
): Promise<MeView["local"]> {
  const [isPrinted, factor] = await Promise.all([
    isPasswordPrinted(database.orm, personId),
    auth.secondFactors.read(personId),
  ]);
  return {
    is_password_printed: isPrinted,
    second_factor: factor && {
      on_since: factor.onSince.toISOString(),
      recovery_codes_left: factor.recoveryCodesLeft,
    },
  };
}

type FoundBecause = Omit<Extract<Because, { by: "rule" }>, "by">;

/** Grants that come from rules: these carry a reason, manual grants don't. */
function foundGrants(all: readonly (Grant & { because?: FoundBecause })[]): MyGrant[] {
  return all.flatMap(({ role, company, because }) => {
    if (because === undefined) return [];
    const { rule, claim, value } = because;
    return [{ role, company, because: { by: "rule", rule, claim, value } }];
  });
}
