import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload } from "jose";
import { authorizationCodeGrant, fetchUserInfo, type IDToken } from "openid-client";
import type { ClaimSet } from "@/lib/domain/access-rules";
import { isStorable } from "@/lib/server/store/storable";
import { ALGORITHMS, CLOCK_TOLERANCE_SECONDS, type Discovered } from "./discovery";
import { NotProvenAgain, ProviderRefused } from "./errors";

/** A person who has just signed in at the provider, verified. */
export type ProvenPerson = {
  /** The provider's identifier of the person, unique and never reassigned. */
  subject: string;
  claims: ClaimSet;
  /** The provider's session (`sid`); null: none. */
  session: string | null;
  /** Needed to end the session there; secret. */
  idToken: string;
  /** When the person last authenticated there, epoch milliseconds; null: unknown. */
  authenticatedAtMs: number | null;
};

/** The subject of a logout token: one session at the provider, or all of a person's. */
export type LogoutToken = {
  /** Issuer and `jti`: globally unique. */
  id: string;
  issuedAtMs: number;
} & (
  | { session: string; subject: string | null }
  | {
      session: null;
      subject: string;
    }
);

/** What was stored in cookies when a person was sent to the provider. */
export type SignInChecks = {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** How long ago they were sent with `max_age=0`, to prove again who they are, milliseconds; null: they weren't. */
  sinceReauthenticationMs: number | null;
};

/** All claims of a person are read with each of their sessions. */
const MAX_CLAIM_BYTES = 128 * 1024;
/** Longest subject that OpenID Connect allows. */
const LONGEST_SUBJECT = 255;
/** The end of the year 9999. */
const LAST_INSTANT_SECONDS = 253_402_300_799;
/** Maximum age of a logout token, which providers send as soon as they issue it. */
export const LOGOUT_TOKEN_SECONDS = 10 * 60;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Claims about the token, not about the person. */
const PROTOCOL_CLAIMS = new Set([
  "iss",
  "aud",
  "azp",
  "exp",
  "iat",
  "nbf",
  "jti",
  "nonce",
  "sid",
  "auth_time",
  "at_hash",
  "c_hash",
  "s_hash",
]);

/**
 * Redeems an authorization code.
 * @param returned the address that the person returned to, with its parameters
 * @throws ProviderRefused, and what the OpenID Connect library throws
 */
export async function redeemCode(
  { client, metadata }: Discovered,
  returned: URL,
  { state, nonce, codeVerifier, sinceReauthenticationMs }: SignInChecks,
): Promise<ProvenPerson> {
  const tokens = await authorizationCodeGrant(client, returned, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const proven = tokens.claims();
  const idToken = tokens.id_token;
  if (proven === undefined || idToken === undefined) throw new ProviderRefused("no_id_token");
  // Some providers put only the identity into the token, and all other claims here.
  const more =
    metadata.userinfo_endpoint === undefined
      ? {}
      : await fetchUserInfo(client, tokens.access_token, proven.sub);
  const claims = ofPerson({ ...more, ...proven });
  if (Buffer.byteLength(JSON.stringify(claims)) > MAX_CLAIM_BYTES) {
    throw new ProviderRefused("too_many_claims");
  }
  // An empty one would make one person of everyone without a subject.
  if (proven.sub === "" || proven.sub.length > LONGEST_SUBJECT) {
    throw new ProviderRefused("odd_subject");
  }
  // PostgreSQL can't store it, and with a part of it replaced it would be another person.
  if (!isStorable(proven.sub)) throw new ProviderRefused("odd_characters");
  return {
    subject: proven.sub,
    claims,
    session: sessionOf(proven.sid),
    idToken,
    authenticatedAtMs: authenticatedAtMs(proven, sinceReauthenticationMs),
  };
}

function sessionOf(sid: unknown): string | null {
  const isSession = typeof sid === "string" && sid !== "" && sid.length <= 255 && isStorable(sid);
  return isSession ? sid : null;
}

/** @throws NotProvenAgain when the person was to prove again who they are, and didn't */
function authenticatedAtMs(
  { auth_time: given, iat }: IDToken,
  sinceReauthenticationMs: number | null,
): number | null {
  const authTime = instantSeconds(given);
  // Both times are on the provider's clock, so its offset from ours doesn't matter.
  const agoSeconds = authTime === null ? Number.POSITIVE_INFINITY : iat - authTime;
  if (
    sinceReauthenticationMs !== null &&
    agoSeconds > sinceReauthenticationMs / 1000 + CLOCK_TOLERANCE_SECONDS
  ) {
    throw new NotProvenAgain();
  }
  return authTime === null ? null : authTime * 1000;
}

/**
 * Verifies a logout token.
 * @throws ProviderRefused, and what the JWT library throws
 */
export async function verifyLogoutToken(
  { metadata, keys }: Pick<Discovered, "metadata" | "keys">,
  token: string,
  { clientId, nowMs }: { clientId: string; nowMs: number },
): Promise<LogoutToken> {
  refuseForeign(token, { issuer: metadata.issuer, audience: clientId });
  const { payload } = await jwtVerify(token, keys, {
    algorithms: ALGORITHMS,
    issuer: metadata.issuer,
    audience: clientId,
    requiredClaims: ["iat", "jti"],
    maxTokenAge: LOGOUT_TOKEN_SECONDS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(nowMs),
  });
  return logoutOf(payload, metadata.issuer);
}

function logoutOf({ jti, iat, sub, sid, events, nonce }: JWTPayload, issuer: string): LogoutToken {
  const event =
    typeof events === "object" && events !== null ? (events as ClaimSet)[LOGOUT_EVENT] : undefined;
  // An ID token is no logout token.
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    throw new ProviderRefused("no_logout_event");
  }
  if (nonce !== undefined) throw new ProviderRefused("nonce");
  if (typeof jti !== "string" || jti === "" || iat === undefined) {
    throw new ProviderRefused("no_jti");
  }
  const [subject, session] = [sub, sid].map((one) =>
    typeof one === "string" && one !== "" ? one : null,
  ) as [string | null, string | null];
  if (!isStorable(subject) || !isStorable(session)) throw new ProviderRefused("odd_characters");
  const about = { id: `${issuer} ${jti}`, issuedAtMs: iat * 1000 };
  if (session !== null) return { ...about, session, subject };
  if (subject !== null) return { ...about, session, subject };
  throw new ProviderRefused("neither_sid_nor_sub");
}

/**
 * Refuses a token that names another issuer or audience, before its signature is checked or a key is loaded.
 * @throws ProviderRefused, or an error of the JWT library for a malformed token
 */
function refuseForeign(
  token: string,
  { issuer, audience }: { issuer: string; audience: string },
): void {
  const { alg } = decodeProtectedHeader(token);
  if (alg === undefined || !ALGORITHMS.includes(alg)) throw new ProviderRefused("algorithm");
  const { iss, aud } = decodeJwt(token);
  if (iss !== issuer) throw new ProviderRefused("another_issuer");
  if (![aud].flat().includes(audience)) throw new ProviderRefused("another_audience");
}

/** Whole seconds since 1970 within the range of dates; null: it isn't such a number. */
function instantSeconds(given: unknown): number | null {
  const isInstant = typeof given === "number" && given > 0 && given <= LAST_INSTANT_SECONDS;
  return isInstant ? Math.floor(given) : null;
}

function ofPerson(claims: ClaimSet): ClaimSet {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !PROTOCOL_CLAIMS.has(name)));
}
