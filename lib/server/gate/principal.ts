import { Failure } from "@/lib/contracts/failure";
import { hasRight, type Right } from "@/lib/domain/rights";
import type { TokenScope } from "@/lib/domain/tokens/narrow-grants";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import { parseCookies } from "@/lib/server/auth/cookies";
import { DISPLAYS_PAUSED, endedSentence, type PairedDisplay } from "@/lib/server/auth/displays";
import { canOpen, type Person } from "@/lib/server/auth/person";
import type { SessionFacts } from "@/lib/server/auth/sessions";
import { bearerToken, type TokenFacts } from "@/lib/server/auth/tokens/tokens";
import type { ShareIdentity } from "@/lib/server/auth/share-links";
import {
  identifyPrincipal,
  shownCompanies,
  type WallPrincipal,
} from "@/lib/server/auth/wall-principal";
import { clientAddress } from "@/lib/server/http/front-headers";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { databaseUnavailable } from "./failure-response";
import {
  DISPLAYS_ONLY,
  FORBIDDEN,
  NOT_FOUND,
  NOT_PAIRED,
  RESTING,
  SIGN_IN,
  SIGN_IN_AGAIN,
  TOKEN_NOT_HERE,
  TOKEN_ONLY_READS,
  WRONG_TOKEN,
} from "./words";

/**
 * Who may request an address: people with a session or, where the route says so, an API token; displays, and people who
 * view a wall; readers of a share link; or every client, including those whose credential the operation checks, such as
 * a bearer token.
 */
export type Principal = "person" | "display" | "link" | "anyone";

const OPEN =
  /^\/(?:calendar|metrics|pair\/step|signin\/password|api\/(?:auth|health|pair|previews|v3))(?:\/|$)/;

/** The principal of a path, by its folder. The path need not have a route. */
export function principalAt(path: string): Principal {
  if (path.startsWith("/s/")) return "link";
  if (path === "/api/wall" || path.startsWith("/api/wall/")) return "display";
  return OPEN.test(path) ? "anyone" : "person";
}

type Params = Readonly<Record<string, string>>;

export type AdmittedPerson = {
  /** With a token: its person with the token's grants, or a service token. */
  person: Person;
  /** What the request was sent with: one of the two, the other is null. */
  session: SessionFacts | null;
  token: TokenFacts | null;
  /** False while the database can't confirm the session or the token. */
  isConfirmed: boolean;
  /** See `RequestLimits.take`. */
  clientKey: string;
  /** Slug of a company visible to the person, even if it is no longer connected; null: the address has none. */
  company: string | null;
};

/**
 * Admits the person of the request's API token or session, and checks access to the company in the address. With a
 * token, cookies are ignored, even if the token is invalid.
 * @throws Failure `unauthenticated`; `token_resting`; `too_many_requests` after many unknown tokens; `not_found`,
 * identical for missing and inaccessible companies; `unavailable`
 */
export function admitPerson(
  runtime: AuthRuntime,
  request: HttpRequest,
  params: Params,
): MaybePromise<AdmittedPerson> {
  const given = bearerToken(request.headers.get("authorization"));
  if (given !== null) return admitToken(runtime, request, params, given);
  const identity = runtime.auth.identify(
    cookiesOf(request),
    isReadOnly(request),
    clientAddress(request.headers),
  );
  return andThen(identity, (found) => {
    if (found.state === "anonymous") throw new Failure("unauthenticated", SIGN_IN);
    if (found.state === "unavailable") throw databaseUnavailable();
    const { person, session, isConfirmed, clientKey } = found;
    const company = openCompany(runtime, person, params);
    return { person, session, token: null, isConfirmed, clientKey, company };
  });
}

function admitToken(
  runtime: AuthRuntime,
  request: HttpRequest,
  params: Params,
  given: string,
): MaybePromise<AdmittedPerson> {
  const address = clientAddress(request.headers);
  const identity = runtime.auth.tokens.identify(given, isReadOnly(request), address);
  return andThen(identity, (found) => {
    if (found.state === "anonymous") throw new Failure("unauthenticated", WRONG_TOKEN);
    if (found.state === "resting") throw new Failure("token_resting", RESTING[found.why]);
    if (found.state === "unavailable") throw databaseUnavailable();
    const { person, token, isConfirmed, clientKey } = found;
    const company = openCompany(runtime, person, params);
    return { person, session: null, token, isConfirmed, clientKey, company };
  });
}

/** @throws Failure `not_found` */
function openCompany(runtime: AuthRuntime, person: Person, params: Params): string | null {
  const company = params["company"] ?? null;
  if (company !== null && !canOpen(person, company, runtime)) throw notFoundFailure();
  return company;
}

/**
 * Checks whether the address is open to the request's token, if it has one: a route without `tokens` is open to none.
 * @param tokens the scope that the route declares
 * @throws Failure `forbidden`
 */
export function requireScope(
  { securityLog }: Pick<AuthRuntime, "securityLog">,
  request: HttpRequest,
  { person, token }: Pick<AdmittedPerson, "person" | "token">,
  tokens: TokenScope | undefined,
): void {
  if (token === null || tokens === "read" || (tokens === "act" && token.scope === "act")) return;
  const address = clientAddress(request.headers);
  securityLog.record("forbidden", { address, person }, { token: token.id });
  throw new Failure("forbidden", tokens === undefined ? TOKEN_NOT_HERE : TOKEN_ONLY_READS);
}

/**
 * Checks a person's permission.
 * @param right for the company in the address, or for all companies if it has none; null: every signed-in person
 * @throws Failure `forbidden`; `unavailable` for anything but reading while the session can't be confirmed
 */
export function requireRight(
  { securityLog }: Pick<AuthRuntime, "securityLog">,
  request: HttpRequest,
  { person, company, isConfirmed }: AdmittedPerson,
  { right, mutation = false }: { right: Right | null; mutation?: boolean },
): void {
  if (right !== null && !hasRight(person.grants, right, company)) {
    const address = clientAddress(request.headers);
    securityLog.record("forbidden", { address, person }, { right });
    throw new Failure("forbidden", FORBIDDEN);
  }
  refuseUnconfirmed(isConfirmed, mutation || (right !== "view" && right !== null));
}

/**
 * @param session null: the request was sent with a token, which has none
 * @throws Failure `reauthentication_required` unless the person signed in within the last hour
 */
export async function requireRecentSignIn(
  { auth }: Pick<AuthRuntime, "auth">,
  session: SessionFacts | null,
): Promise<void> {
  // A client with only the previous secret may not be the one that signed in.
  if (session !== null && session.isPrevious !== true && (await auth.hasRecentSignIn(session.id)))
    return;
  throw new Failure("reauthentication_required", SIGN_IN_AGAIN);
}

/** An unconfirmed credential permits only reading. */
export function refuseUnconfirmed(isConfirmed: boolean, isMoreThanReading: boolean): void {
  if (!isConfirmed && isMoreThanReading) throw databaseUnavailable();
}

export type AdmittedToWall = WallPrincipal & { isConfirmed: boolean; clientKey: string };

/**
 * Admits the paired display, or the person, that views a wall.
 * @throws Failure `unauthenticated`; `forbidden` for an unpaired or expired display; `paused`; `unavailable`;
 * `not_found`, identical for companies that are missing or not on this wall
 */
export function admitToWall(
  runtime: AuthRuntime,
  request: HttpRequest,
  params: Params,
): MaybePromise<AdmittedToWall> {
  const identity = identifyPrincipal(
    runtime.auth,
    cookiesOf(request),
    isReadOnly(request),
    clientAddress(request.headers),
  );
  return andThen(identity, (principal) => {
    if (principal.state === "anonymous") throw new Failure("unauthenticated", NOT_PAIRED);
    if (principal.state === "ended") throw new Failure("forbidden", endedSentence(principal.ended));
    if (principal.state === "paused") throw new Failure("paused", DISPLAYS_PAUSED);
    if (principal.state === "unavailable") throw databaseUnavailable();
    const company = params["company"];
    const shown = shownCompanies(runtime.connections, principal);
    if (company !== undefined && !shown.some(({ slug }) => slug === company))
      throw notFoundFailure();
    return principal;
  });
}

/**
 * Requires a display, for requests that only displays may send.
 * @throws Failure `forbidden` for a person; `unavailable` while the display can't be confirmed
 */
export function requireDisplay(
  { securityLog }: Pick<AuthRuntime, "securityLog">,
  request: HttpRequest,
  { display, person, isConfirmed }: AdmittedToWall,
): PairedDisplay {
  if (display === null) {
    const address = clientAddress(request.headers);
    securityLog.record("forbidden", { address, person }, { right: "report" });
    throw new Failure("forbidden", DISPLAYS_ONLY);
  }
  refuseUnconfirmed(isConfirmed, true);
  return display;
}

/** Identifies a share link by the token or preview name in its path. Session cookies are ignored. */
export function identifyLink(
  { auth }: Pick<AuthRuntime, "auth">,
  request: HttpRequest,
  { token = "", preview }: Params,
): MaybePromise<ShareIdentity> {
  return preview === undefined
    ? auth.shareLinks.identify(token, clientAddress(request.headers))
    : auth.shareLinks.identifyPreview(preview);
}

/** Identical for missing and inaccessible resources. */
export function notFoundFailure(): Failure {
  return new Failure("not_found", NOT_FOUND);
}

function cookiesOf({ headers }: HttpRequest): (name: string) => string | undefined {
  const cookies = parseCookies(headers.get("cookie"));
  return (name) => cookies.get(name);
}

const isReadOnly = ({ method }: HttpRequest) => method === "GET" || method === "HEAD";
