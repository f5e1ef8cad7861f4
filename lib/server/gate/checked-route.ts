import { Failure } from "@/lib/contracts/failure";
import { withHeaders, type Answer } from "@/lib/server/http/answer";
import type { HttpRequest } from "@/lib/server/http/http-request";
import {
  everyMethod,
  METHODS,
  type Handlers,
  type Method,
  type RouteHandler,
} from "@/lib/server/http/handlers";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { clientAddress } from "@/lib/server/http/front-headers";
import { databaseAway, failureResponse, PERSONAL_HEADERS } from "./answers";
import { inTurn } from "./in-turn";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import { parseCookies } from "@/lib/server/auth/cookies";
import { refuseCrossSite, requestOrigin } from "./own-origin";
import { canOpen, type Person } from "@/lib/server/auth/person";
import { readBody, readJsonBody } from "./request-body";
import type { SessionFacts } from "@/lib/server/auth/sessions";
import { hasRight, type Right } from "@/lib/domain/rights";
import {
  SIGN_IN,
  SIGN_IN_AGAIN,
  FORBIDDEN,
  NOT_FOUND,
  METHOD_NOT_ALLOWED,
  NOT_JSON,
} from "./words";

export type RouteSpec = {
  /**
   * Permission for the company in the address; without one, for all companies. Null, without a
   * company: every signed-in person, limited by their grants.
   */
  right: Right | null;
  /** It changes something: JSON from our own origin only. */
  mutation?: boolean;
  /** It is always irreversible: requires a sign-in within the last hour. */
  needsRecentSignIn?: boolean;
};

export type RouteContext<R> = {
  runtime: R;
  /** Slug of a company that the person may see, possibly no longer connected. */
  company: string;
  person: Person;
  session: SessionFacts;
  /**
   * For actions that are irreversible depending on the request.
   * @throws Failure `reauthentication_required` unless the person signed in within the last hour
   */
  requireRecentSignIn: () => Promise<void>;
  request: HttpRequest;
  /** The client's true address. */
  address: string;
  /** See `RouteHandler`. */
  params: Readonly<Record<string, string>>;
  /** The query string. */
  query: URLSearchParams;
  /** The parsed JSON of a mutation; undefined without a body, and for other requests. */
  body: unknown;
};

/**
 * A handler under `/api/companies/[company]` that runs only when its request passes all checks. In
 * this order, each with its own response: session (401), company (404, identical bytes whether
 * missing or inaccessible), turn (429), permission (403), and for mutations content type (415),
 * origin (403), size (413), JSON (400) and, where required, a recent sign-in (403). Errors of the
 * handler become responses too.
 */
export function checkedRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  spec: RouteSpec,
  handler: (context: RouteContext<R>) => MaybePromise<Answer>,
): RouteHandler {
  return answering(runtimeOf, (runtime, request, params) =>
    andThen(admit(runtime, request, params), ({ person, company }) =>
      inPersonsTurn(runtime, request, person, () =>
        andThen(grant(runtime, request, person, { ...spec, company }), (body) =>
          handler({
            runtime,
            company,
            params,
            person: person.value,
            session: person.session,
            requireRecentSignIn: () => requireRecentSignIn(runtime, person.session),
            request,
            address: clientAddress(request.headers),
            body,
            get query() {
              return queryOf(request);
            },
          }),
        ),
      ),
    ),
  );
}

/**
 * Same for an address without a company, such as `/api/companies`: the handler limits its response
 * to companies that the person may see.
 */
export function checkedPersonRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  spec: RouteSpec,
  handler: (context: Omit<RouteContext<R>, "company">) => MaybePromise<Answer>,
): RouteHandler {
  return answering(runtimeOf, async (runtime, request, params) => {
    const person = await admitPerson(runtime, request);
    return inPersonsTurn(runtime, request, person, async () => {
      const body = await grant(runtime, request, person, { ...spec, company: null });
      const [query, address] = [queryOf(request), clientAddress(request.headers)];
      const { value, session } = person;
      return handler({
        runtime,
        params,
        person: value,
        session,
        requireRecentSignIn: () => requireRecentSignIn(runtime, session),
        request,
        address,
        query,
        body,
      });
    });
  });
}

/** A handler without a session; the checks of mutations still apply. */
export function checkedOpenRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  spec: Pick<RouteSpec, "mutation">,
  handler: (context: Pick<RouteContext<R>, "runtime" | "request">) => MaybePromise<Answer>,
): RouteHandler {
  return answering(runtimeOf, async (runtime, request) => {
    if (spec.mutation === true) await readMutation(runtime, request, null);
    return handler({ runtime, request });
  });
}

/**
 * A handler for a form on a page that hides its address. Browsers send `Origin: null` there, so the
 * form's content must prove that it is allowed.
 */
export function checkedFormRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  handler: (
    context: Pick<RouteContext<R>, "runtime" | "request" | "address"> & { fields: URLSearchParams },
  ) => MaybePromise<Answer>,
): RouteHandler {
  return answering(runtimeOf, async (runtime, request) => {
    const site = request.headers.get("sec-fetch-site");
    if (site !== null && site !== "same-origin") {
      throw refuseCrossSite(runtime.securityLog, request.headers, null);
    }
    const fields = new URLSearchParams(await readBody(request));
    return handler({ runtime, request, address: clientAddress(request.headers), fields });
  });
}

/**
 * Handlers for every method that an address does not take: 401 and 404 as usual, then 405. Next's
 * own 405 would reveal which addresses exist.
 * @param allowed methods that the address takes; `HEAD` comes with `GET`
 */
export function checkedOtherMethods(
  runtimeOf: () => AuthRuntime,
  allowed: readonly Method[],
): Handlers {
  return otherMethodsOf(runtimeOf, allowed, async (runtime, request, params) => {
    const isOfCompany = params["company"] !== undefined;
    await (isOfCompany ? admit(runtime, request, params) : admitPerson(runtime, request));
  });
}

/**
 * Same where other rules decide who may know of an address.
 * @param admitted throws for those who may not
 */
export function otherMethodsOf<R extends AuthRuntime>(
  runtimeOf: () => R,
  allowed: readonly Method[],
  admitted: (
    runtime: R,
    request: HttpRequest,
    params: Readonly<Record<string, string>>,
  ) => MaybePromise<unknown>,
): Handlers {
  const handler = answering(runtimeOf, async (runtime, request, params) => {
    await admitted(runtime, request, params);
    const allow = METHODS.filter(
      (method) => allowed.includes(method) || (method === "HEAD" && allowed.includes("GET")),
    ).join(", ");
    return failureResponse(
      new Failure("method_not_allowed", METHOD_NOT_ALLOWED),
      request,
      runtime.securityLog,
      { Allow: allow },
    );
  });
  return everyMethod(handler);
}

/** The handler of every missing address under `/api/companies`. */
export function checkedNothing(runtimeOf: () => AuthRuntime): RouteHandler {
  return answering(runtimeOf, async (runtime, request) => {
    await admitPerson(runtime, request);
    throw nothingHere();
  });
}

function inPersonsTurn(
  runtime: AuthRuntime,
  request: HttpRequest,
  { value, asker }: Admitted,
  work: () => MaybePromise<Answer>,
): MaybePromise<Answer> {
  return inTurn(runtime, request, { asker, person: value }, work);
}

function queryOf({ url }: HttpRequest): URLSearchParams {
  return new URL(url).searchParams;
}

/** Checks what the person may do; returns the parsed JSON of a mutation. */
function grant(
  runtime: AuthRuntime,
  request: HttpRequest,
  { value: person, session, isConfirmed }: Admitted,
  {
    right,
    mutation = false,
    needsRecentSignIn = false,
    company,
  }: RouteSpec & { company: string | null },
): MaybePromise<unknown> {
  if (right !== null && !hasRight(person.grants, right, company)) {
    const address = clientAddress(request.headers);
    runtime.securityLog.record("forbidden", { address, person }, { right });
    throw new Failure("forbidden", FORBIDDEN);
  }
  refuseUnconfirmed(isConfirmed, mutation || (right !== "view" && right !== null));
  const body = mutation ? readMutation(runtime, request, person) : undefined;
  if (!needsRecentSignIn) return body;
  return andThen(body, async (read) => {
    await requireRecentSignIn(runtime, session);
    return read;
  });
}

async function requireRecentSignIn(
  { auth }: Pick<AuthRuntime, "auth">,
  session: SessionFacts,
): Promise<void> {
  // A client with only the previous secret may not be the one who reauthenticated.
  if (session.isPrevious !== true && (await auth.hasRecentSignIn(session.id))) return;
  throw new Failure("reauthentication_required", SIGN_IN_AGAIN);
}

/** An unconfirmed credential allows reading at most. */
export function refuseUnconfirmed(isConfirmed: boolean, isMoreThanReading: boolean): void {
  if (!isConfirmed && isMoreThanReading) {
    throw databaseAway();
  }
}

/** Turns a handler's result or error into a response. */
export function answering<R extends AuthRuntime>(
  runtimeOf: () => R,
  work: (
    runtime: R,
    request: HttpRequest,
    params: Readonly<Record<string, string>>,
  ) => MaybePromise<Answer>,
): RouteHandler {
  return (request, params) => {
    const runtime = runtimeOf();
    const finish = (answer: Answer) => withHeaders(answer, PERSONAL_HEADERS);
    const fail = (error: unknown) => failureResponse(error, request, runtime.securityLog);
    try {
      const answer = work(runtime, request, params);
      return answer instanceof Promise ? answer.then(finish).catch(fail) : finish(answer);
    } catch (error) {
      return fail(error);
    }
  };
}

function admit(
  runtime: AuthRuntime,
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
) {
  return andThen(admitPerson(runtime, request), (person) => {
    const company = params["company"];
    if (company === undefined || !canOpen(person.value, company, runtime)) throw nothingHere();
    return { person, company };
  });
}

type Admitted = Awaited<ReturnType<typeof admitPerson>>;

function admitPerson(runtime: AuthRuntime, request: HttpRequest) {
  const cookies = parseCookies(request.headers.get("cookie"));
  const isReadOnly = request.method === "GET" || request.method === "HEAD";
  const address = clientAddress(request.headers);
  return andThen(
    runtime.auth.identify((name) => cookies.get(name), isReadOnly, address),
    (identity) => {
      if (identity.state === "anonymous") throw new Failure("unauthenticated", SIGN_IN);
      if (identity.state === "unavailable") {
        throw databaseAway();
      }
      const { person, session, isConfirmed, asker } = identity;
      return { value: person, session, isConfirmed, asker };
    },
  );
}

/**
 * The JSON of a mutation; undefined without a body.
 * @param person who sent it, if known
 * @throws Failure `unsupported_media_type`, `cross_site`, `payload_too_large`, `invalid_request`
 */
export async function readMutation(
  runtime: Pick<AuthRuntime, "appUrl" | "securityLog">,
  request: HttpRequest,
  person: Person | null,
): Promise<unknown> {
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    throw new Failure("unsupported_media_type", NOT_JSON);
  }
  // A missing origin is treated as foreign, because every browser sends it.
  if (requestOrigin(request.headers, runtime.appUrl) !== "own") {
    throw refuseCrossSite(runtime.securityLog, request.headers, person);
  }
  return readJsonBody(request);
}

/** The common response for missing and inaccessible resources. */
export function nothingHere(): Failure {
  return new Failure("not_found", NOT_FOUND);
}
