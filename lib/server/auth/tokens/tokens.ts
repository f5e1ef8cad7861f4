import { LRUCache } from "lru-cache";
import { Failure } from "@/lib/contracts/failure";
import { narrowGrants, type TokenScope } from "@/lib/domain/tokens/narrow-grants";
import { restsAt } from "@/lib/domain/tokens/token-rest";
import type { Access } from "@/lib/server/auth/access";
import type { Person } from "@/lib/server/auth/person";
import { createRevalidatingCache, readSingly } from "@/lib/server/auth/revalidating-cache";
import { secretHash } from "@/lib/server/auth/secret";
import { createWrongCredentials } from "@/lib/server/auth/wrong-credentials";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { readToken, type TokenRow } from "@/lib/server/store/tokens/api-tokens";
import { isApiToken, TOKEN_PREFIX } from "./token-form";
import { createTokenTurns, type TokenTurns } from "./token-turns";
import { createUsesOfTokens, type TokenParts, type UsesOfTokens } from "./token-uses";

/** Requests with unknown tokens allowed per client and window: every client can compute a checksum. */
export const UNKNOWN_TOKENS = { lengthMs: 60_000, limit: 60 } as const;
const KNOWN = 10_000;

/** The token of a request. */
export type TokenFacts = {
  id: string;
  name: string;
  scope: TokenScope;
  /** Slugs; null: all companies of its person. */
  companies: readonly string[] | null;
  /** It belongs to no person. */
  isService: boolean;
};

export type TokenIdentity =
  | {
      state: "known";
      /** The token's person, with the grants that the token has now; for a service token, the token itself. */
      person: Person;
      token: TokenFacts;
      isConfirmed: boolean;
      /** Key for limits on its requests. */
      clientKey: string;
    }
  /** Valid, but refused until its person signs in (`unused`) or an administrator resumes tokens (`restored`). */
  | { state: "resting"; why: "unused" | "restored" }
  | { state: "anonymous" }
  | { state: "unavailable" };

type Why = "malformed" | "unknown" | "revoked" | "expired" | "disabled";
type Good = { lastsMs: number; person: Person; token: TokenFacts };
type Resting = { lastsMs: number; resting: "unused" | "restored" };
type Ended = { lastsMs: number; why: Why; id: string };

export type ApiTokens = TokenTurns &
  UsesOfTokens & {
    /**
     * Looks up a token; synchronously if it was read within seconds. Refusals are written to the security log, without
     * the token.
     * @param isReadOnly see `RevalidatingCache.check`
     * @param address the client address
     * @throws Failure `too_many_requests` for a client that has sent many unknown tokens
     */
    identify(token: string, isReadOnly: boolean, address: string): MaybePromise<TokenIdentity>;
    /** Removes a token from the cache. @param tokenHash null: notifications may have been missed */
    forget(tokenHash: string | null): void;
    /** Makes the next check of every token query the database. */
    recheckAll(): void;
  };

/**
 * The token of an `Authorization` header. Only this form is ours: others may be a proxy's, and are ignored.
 * @returns null: there is none
 */
export function bearerToken(authorization: string | null): string | null {
  if (authorization === null) return null;
  const scheme = authorization.slice(0, "Bearer ".length);
  if (scheme.toLowerCase() !== "bearer ") return null;
  const token = authorization.slice(scheme.length).trim();
  return token.startsWith(TOKEN_PREFIX) ? token : null;
}

/** API tokens are looked up in the database, like sessions: their rights are those of their person at that moment. */
export function createApiTokens({
  database,
  access,
  time,
  clock,
  securityLog,
}: TokenParts & { access: Access }): ApiTokens {
  const wrong = createWrongCredentials(clock, UNKNOWN_TOKENS);
  /** Hashes of tokens that exist: their requests need no limit on unknown ones. */
  const existing = new LRUCache<string, true>({ max: KNOWN });

  async function read(tokenHash: string): Promise<Good | Resting | Ended | null> {
    const found = await readToken(database, tokenHash);
    if (found === null) return null;
    existing.set(tokenHash, true);
    const { row } = found;
    const { judgedMs } = time.observe(found.databaseMs);
    const why = endOfToken(row, judgedMs);
    if (why !== null) return { lastsMs: Number.POSITIVE_INFINITY, why, id: row.id };
    const lastsMs = row.expiresAt.getTime() - judgedMs;
    if (found.isPaused) return { lastsMs, resting: "restored" };
    const restsMs = restOf(row);
    if (restsMs !== null && restsMs <= judgedMs) return { lastsMs, resting: "unused" };
    const { id, name, scope, companies } = row;
    const token = { id, name, scope, companies, isService: row.person === null };
    return { lastsMs, person: personOf(row, access), token };
  }

  const rows = createRevalidatingCache({
    read: readSingly(read),
    what: "tokens",
    clock,
    securityLog,
  });

  function refuse(address: string, why: Why, id: string | null): TokenIdentity {
    securityLog.record(
      "api_token_refused",
      { address },
      { why, ...(id !== null && { token: id }) },
    );
    return { state: "anonymous" };
  }

  return {
    ...createTokenTurns({ database, time, clock, securityLog }),
    ...createUsesOfTokens({ database, time, clock, securityLog }),

    identify(token, isReadOnly, address) {
      if (!isApiToken(token)) return refuse(address, "malformed", null);
      const tokenHash = secretHash(token);
      const isCounted = !existing.has(tokenHash);
      // Before the query, so that concurrent requests can't exceed the limit.
      const retryAfterSeconds = isCounted ? wrong.count(address) : null;
      if (retryAfterSeconds !== null) {
        securityLog.record("limit_hit", { address }, { limit: "unknown_tokens" });
        throw new Failure("too_many_requests", TOO_MANY_UNKNOWN, { retryAfterSeconds });
      }
      return andThen(rows.check(tokenHash, isReadOnly), (checked): TokenIdentity => {
        if (checked.state === "unknown") return refuse(address, "unknown", null);
        if (isCounted) wrong.uncount(address);
        if (checked.state === "unavailable") return checked;
        const { value, isConfirmed } = checked;
        if ("why" in value) return refuse(address, value.why, value.id);
        if ("resting" in value) return { state: "resting", why: value.resting };
        const { person, token: facts } = value;
        return {
          state: "known",
          person,
          token: facts,
          isConfirmed,
          clientKey: `token ${facts.id}`,
        };
      });
    },

    forget(tokenHash) {
      if (tokenHash === null) rows.recheckAll();
      else rows.forget(tokenHash);
    },

    recheckAll: () => rows.recheckAll(),
  };
}

const TOO_MANY_UNKNOWN = "Too many unknown tokens. Try again later.";

/**
 * Why a token has ended; null: it hasn't.
 * @param nowMs on PostgreSQL's clock
 */
export function endOfToken(
  { revokedAt, expiresAt, person }: Pick<TokenRow, "revokedAt" | "expiresAt" | "person">,
  nowMs: number,
): "revoked" | "expired" | "disabled" | null {
  if (revokedAt !== null) return "revoked";
  if (person?.isDisabled === true) return "disabled";
  return expiresAt.getTime() <= nowMs ? "expired" : null;
}

/** When a token starts to rest unless its person signs in, epoch milliseconds; null: never. */
export function restOf({
  person,
  createdAt,
  signedInAt,
}: Pick<TokenRow, "person" | "createdAt" | "signedInAt">): number | null {
  return restsAt({
    isFromProvider: person !== null && person.issuer !== null,
    createdMs: createdAt.getTime(),
    signedInMs: signedInAt?.getTime() ?? null,
  });
}

/** The person of a token, with the grants that the token has now. */
export function personOf(row: TokenRow, access: Pick<Access, "find">): Person {
  const { person, companies } = row;
  if (person === null) {
    const grants = (companies ?? []).map((company) => ({ role: "viewer" as const, company }));
    return { id: row.id, name: row.name, email: "", kind: "local", grants };
  }
  const grants = narrowGrants([...person.grants, ...access.find(person)], companies);
  const { id, name, email, issuer } = person;
  return { id, name, email, kind: issuer === null ? "local" : "oidc", grants };
}
