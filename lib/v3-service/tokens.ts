import { createHmac, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { errors, jwtVerify, SignJWT } from "jose";
import { SCOPES, TOKEN_LIFETIME_SECONDS, type Scope } from "@/lib/contracts/v3";
import type { Client } from "./clients";
import type { KeyRing } from "./signing-keys";

/** What a valid token authorises. */
export type Grant = { clientId: string; companyId: number; scopes: readonly Scope[] };

export type Tokens = {
  issue(grant: Grant): Promise<string>;
  /** Null for a token that isn't ours, has expired, or whose client was revoked. */
  verify(token: string): Promise<Grant | null>;
};

const ALGORITHM = "HS256";
const TYPE = "at+jwt";
const ISSUER = "urn:plumbline:v3";
/** Maximum clock difference between processes. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** How long a client is cached: a revocation takes effect within this time. */
const CLIENT_CHECK_MS = 2_000;
const MAX_REMEMBERED = 1_000;

/** Maximum length of the first part of a token; ours are shorter. */
const LONGEST_HEADER = 200;
const HEADER = /^\{"alg":"HS256","typ":"at\+jwt","kid":"([^"\\]+)"\}$/;

type Verified = { grant: Grant; kid: string; expiresAtSeconds: number };

/**
 * Access tokens: JWTs of one fixed algorithm, signed with the stored key named by their `kid`. Verified signatures are
 * cached; expiry, key and client are checked on every request.
 */
export function createTokens(options: {
  keyRing: KeyRing;
  findClient: (clientId: string) => Promise<Client | null>;
  nowMs: () => number;
}): Tokens {
  const { keyRing, nowMs } = options;
  const verified = new LRUCache<string, Verified>({ max: MAX_REMEMBERED });
  const clients = new LRUCache<string, { client: Promise<Client | null>; readAtMs: number }>({
    max: MAX_REMEMBERED,
  });

  /** Whether we signed it, at a fraction of the cost of parsing it: foreign tokens are rejected here. */
  async function isOurs(token: string): Promise<boolean> {
    const end = token.lastIndexOf(".");
    const kid = kidOf(token);
    const key = end < 0 || kid === null ? null : await keyRing.find(kid);
    if (key === null) return false;
    const expected = createHmac("sha256", key.secret).update(token.slice(0, end)).digest();
    const given = Buffer.from(token.slice(end + 1), "base64url");
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  async function check(token: string): Promise<Verified | null> {
    if (!(await isOurs(token))) return null;
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = typeof kid === "string" ? await keyRing.find(kid) : null;
          if (!key) throw new errors.JWSInvalid("unknown kid");
          return key.secret;
        },
        {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer: ISSUER,
          audience: ISSUER,
          requiredClaims: ["sub", "company", "scope", "exp", "iat"],
          currentDate: new Date(nowMs()),
        },
      );
      const { sub, exp, company, scope } = payload;
      if (
        typeof sub !== "string" ||
        typeof company !== "number" ||
        typeof scope !== "string" ||
        !Number.isInteger(exp)
      ) {
        return null;
      }
      const expiresAtSeconds = exp as number;
      const latestSeconds = nowMs() / 1000 + TOKEN_LIFETIME_SECONDS + CLOCK_TOLERANCE_SECONDS;
      if (expiresAtSeconds > latestSeconds) return null;
      const words = scope.split(" ");
      const scopes = SCOPES.filter((known) => words.includes(known));
      const grant = { clientId: sub, companyId: company, scopes };
      const found = { grant, kid: protectedHeader.kid as string, expiresAtSeconds };
      verified.set(token, found);
      return found;
    } catch (error) {
      // Any other error (such as the database's) is our failure, not the token's.
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  async function isInUse({ clientId, companyId }: Grant): Promise<boolean> {
    let known = clients.get(clientId);
    if (!known || Math.abs(nowMs() - known.readAtMs) >= CLIENT_CHECK_MS) {
      known = { client: options.findClient(clientId), readAtMs: nowMs() };
      clients.set(clientId, known);
      known.client.catch(() => clients.delete(clientId));
    }
    const client = await known.client;
    return client !== null && client.companyId === companyId && client.revokedAt === null;
  }

  return {
    async issue({ clientId, companyId, scopes }) {
      const { kid, secret } = await keyRing.newest();
      const issuedAtSeconds = Math.floor(nowMs() / 1000);
      return await new SignJWT({ company: companyId, scope: scopes.join(" ") })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setSubject(clientId)
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(issuedAtSeconds + TOKEN_LIFETIME_SECONDS)
        .sign(secret);
    },

    async verify(token) {
      const known = verified.get(token) ?? (await check(token));
      if (!known) return null;
      if (known.expiresAtSeconds <= nowMs() / 1000 || !(await keyRing.find(known.kid))) {
        verified.delete(token);
        return null;
      }
      return (await isInUse(known.grant)) ? known.grant : null;
    },
  };
}

/**
 * The key id of a token; null if it doesn't start like ours. Throws nothing, because that would cost more than the
 * rest.
 */
function kidOf(token: string): string | null {
  const [header = ""] = token.split(".", 1);
  if (header.length > LONGEST_HEADER) return null;
  return HEADER.exec(Buffer.from(header, "base64url").toString())?.[1] ?? null;
}
