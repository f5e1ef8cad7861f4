import { isFailure } from "@/lib/contracts/failure";
import type { Right } from "@/lib/domain/rights";
import type { TokenScope } from "@/lib/domain/tokens/narrow-grants";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import type { PairedDisplay } from "@/lib/server/auth/displays";
import type { Person } from "@/lib/server/auth/person";
import type { SessionFacts } from "@/lib/server/auth/sessions";
import type { TokenAllowance } from "@/lib/server/auth/tokens/token-turns";
import type { TokenFacts } from "@/lib/server/auth/tokens/tokens";
import type { SharedLink, ShareIdentity } from "@/lib/server/auth/share-links";
import type { WallPrincipal } from "@/lib/server/auth/wall-principal";
import {
  isHandlerResponse,
  withHeaders,
  type HandlerResponse,
} from "@/lib/server/http/handler-response";
import { clientAddress, reachedOrigin } from "@/lib/server/http/front-headers";
import type { RouteHandler } from "@/lib/server/http/handlers";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { toResponse } from "@/lib/server/http/routes/next-response";
import { tooManyPage, UNREACHABLE_PAGE } from "@/lib/server/http/pages.mjs";
import { originToShow } from "@/lib/server/http/preview/shown-origin";
import { isDatabaseOutage } from "@/lib/server/outage";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { getRuntime, type Runtime } from "@/lib/server/running";
import { databaseUnavailable, failureResponse, PERSONAL_HEADERS } from "./failure-response";
import { withRequestLimits } from "./request-limits";
import { readForm, readMutation } from "./mutation";
import {
  admitPerson,
  admitToWall,
  type AdmittedPerson,
  identifyLink,
  notFoundFailure,
  refuseUnconfirmed,
  requireDisplay,
  requireRecentSignIn,
  requireRight,
  requireScope,
} from "./principal";

/**
 * For people. Checked in this order, each with its own response: session or token (401), company in the address (404),
 * turn (429), scope of the token (403), right (403), and for mutations content type (415), origin (403), size (413),
 * JSON (400) and a recent sign-in (403).
 */
export type PersonSpec = {
  /**
   * For the company in the address, or for all companies if it has none. Null: every signed-in person; the operation
   * limits the response to what they may see.
   */
  right: Right | null;
  /** Changes state: accepts only JSON from our own origin. */
  mutation?: true;
  /** Irreversible: requires a sign-in within the last hour. */
  needsRecentSignIn?: true;
  /** Largest body, bytes, which `body-limit.mjs` must allow too; default: 64 KB. */
  maxBodyBytes?: number;
  /** Status of a successful response; default: 200. */
  status?: 201;
  /** Scope of API tokens that may request it: `read` for both, `act` only for those; omitted: no token. */
  tokens?: TokenScope;
};
/** For paired displays, and people who view a wall. Mutations are for displays only. */
type DisplaySpec = { principal: "display"; mutation?: true };
/** For readers of a share link, by the token or the preview's name in the path. */
type LinkSpec = { principal: "link"; mutation?: true };
/** For every client. `form`: the body is a form of one of our pages. */
type OpenSpec = { principal: "anyone"; mutation?: true; form?: true };
export type RouteSpec = PersonSpec | DisplaySpec | LinkSpec | OpenSpec;

type CommonContext<R> = {
  runtime: R;
  request: HttpRequest;
  /** The client's IP address. */
  address: string;
  /** See `originToShow`. */
  origin: string;
  /** Decoded path parameters; those of a catch-all are joined by `/`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  ifNoneMatch: string | null;
};
export type PersonContext<R> = CommonContext<R> & {
  /** Slug of a company visible to the person, even if it is no longer connected. Throws if the address has none. */
  company: string;
  person: Person;
  session: SessionFacts;
  /**
   * For operations that only sometimes need a recent sign-in.
   * @throws Failure `reauthentication_required`
   */
  requireRecentSignIn: () => Promise<void>;
  /** Parsed JSON of a mutation; undefined without a body, and for other requests. */
  body: unknown;
};
/** Of an address that is open to API tokens. */
export type TokenContext<R> = Omit<PersonContext<R>, "session"> & {
  /** Null: the request was sent with a token. */
  session: SessionFacts | null;
  /** Null: the request was sent with a session. */
  token: TokenFacts | null;
};
type WallContext<R> = CommonContext<R> & { principal: WallPrincipal; company: string };
type DisplayContext<R> = CommonContext<R> & { display: PairedDisplay; body: unknown };
type FormContext<R> = CommonContext<R> & { fields: URLSearchParams };

type Context<S extends RouteSpec, R> = S extends PersonSpec
  ? S extends { tokens: TokenScope }
    ? TokenContext<R>
    : PersonContext<R>
  : S extends { principal: "display"; mutation: true }
    ? DisplayContext<R>
    : S extends { principal: "display" }
      ? WallContext<R>
      : S extends { principal: "link"; mutation: true }
        ? CommonContext<R> & { link: SharedLink }
        : S extends { principal: "link" }
          ? CommonContext<R> & { identity: ShareIdentity }
          : S extends { form: true }
            ? FormContext<R>
            : CommonContext<R>;

/** Returns the response, or the data of a JSON response. Errors become responses too. */
export type Operation<S extends RouteSpec, R> = (
  context: Context<S, R>,
) => MaybePromise<HandlerResponse | NonNullable<object>>;

/** A handler as Next calls it, with the request and the path parameters. */
export type NextHandler = (
  request: Request,
  context: { params: Promise<Readonly<Record<string, string | string[] | undefined>> | undefined> },
) => Promise<Response>;

/**
 * Handler of one method, as exported by a `route.ts`:
 * `export const GET = route({ right: "view" }, ({ runtime, company }) => listIncidents(runtime, company));`
 */
export function route<const S extends RouteSpec>(
  spec: S,
  operation: Operation<S, Runtime>,
): NextHandler & { spec: RouteSpec } {
  return Object.assign(nextHandler(createHandler(getRuntime, spec, operation)), { spec });
}

/** Adapts a handler for Next. */
export function nextHandler(handler: RouteHandler): NextHandler {
  return async (request, { params }) =>
    toResponse(await handler(request, joined((await params) ?? {})), request);
}

/**
 * Same, as the front calls it. The front and Next load separate modules, so state that outlives a request belongs to
 * the runtime.
 * @param runtimeOf called for each request
 */
export function createHandler<const S extends RouteSpec, R extends AuthRuntime>(
  runtimeOf: () => R,
  spec: S,
  operation: Operation<S, R>,
): RouteHandler {
  const call = callBy(spec);
  const work = operation as Work;
  return (request, params) => {
    const context = new RequestContext(runtimeOf, request, params);
    const finish = (made: HandlerResponse | object): HandlerResponse => {
      const answer = withHeaders(
        isHandlerResponse(made) ? made : jsonResponse(made, spec),
        PERSONAL_HEADERS,
      );
      return context.allowance === null ? answer : withAllowance(answer, context.allowance);
    };
    const fail = (error: unknown) => {
      const headers = context.allowance === null ? {} : allowanceHeaders(context.allowance);
      return failureResponse(error, request, runtimeOf().securityLog, headers);
    };
    try {
      const made = call(context, work);
      return made instanceof Promise ? made.then(finish).catch(fail) : finish(made);
    } catch (error) {
      return fail(error);
    }
  };
}

function jsonResponse(data: object, spec: RouteSpec): HandlerResponse {
  const status = "status" in spec ? (spec.status ?? 200) : 200;
  const headers = { "content-type": "application/json" };
  return { status, headers, body: JSON.stringify(data) };
}

const allowanceHeaders = ({ limit, remaining, resetSeconds }: TokenAllowance) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds),
});

/** Not by `withHeaders`, because an answer may be that of many requests. */
function withAllowance(answer: HandlerResponse, allowance: TokenAllowance): HandlerResponse {
  const headers = allowanceHeaders(allowance);
  if (answer instanceof Response) return withHeaders(answer, headers);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

type Work = (context: object) => MaybePromise<HandlerResponse | object>;
type Call = (context: RequestContext, work: Work) => MaybePromise<HandlerResponse | object>;

function callBy(spec: RouteSpec): Call {
  if (!("principal" in spec)) return (context, work) => callForPerson(context, spec, work);
  switch (spec.principal) {
    case "display":
      return spec.mutation === true ? callForDisplay : callForWall;
    case "link":
      return spec.mutation === true ? callForSender : callForReader;
    case "anyone":
      return (context, work) => callForAnyone(context, spec, work);
  }
}

function callForPerson(context: RequestContext, spec: PersonSpec, work: Work) {
  const { runtime, request, params } = context;
  return andThen(admitPerson(runtime, request, params), (admitted) => {
    const { person, session, token, clientKey } = admitted;
    const requestLimits =
      token === null ? runtime.requestLimits : limitsOfToken(context, admitted, token);
    return withRequestLimits(
      { requestLimits, securityLog: runtime.securityLog },
      request,
      { clientKey, person },
      () => {
        requireScope(runtime, request, admitted, spec.tokens);
        requireRight(runtime, request, admitted, spec);
        Object.assign(context, {
          person,
          session,
          token,
          requireRecentSignIn: () => requireRecentSignIn(runtime, session),
        });
        if (spec.mutation !== true && spec.needsRecentSignIn !== true) return work(context);
        return prove(context, spec, admitted).then(() => work(context));
      },
    );
  });
}

/** The limits of a request with a token. Also counts the use. */
function limitsOfToken(
  context: RequestContext,
  { person }: AdmittedPerson,
  token: TokenFacts,
): AuthRuntime["requestLimits"] {
  const { requestLimits, auth } = context.runtime;
  auth.tokens.record(token, token.isService ? null : person, context.address);
  return {
    take: (_, given) =>
      auth.tokens.take(token.id, {
        ...given,
        requestLimits,
        allowed: (allowance) => void (context.allowance = allowance),
      }),
    beginExport: (personId, refused) => requestLimits.beginExport(personId, refused),
  };
}

async function prove(
  context: RequestContext,
  spec: PersonSpec,
  { person, session, token }: AdmittedPerson,
): Promise<void> {
  const { runtime, request } = context;
  if (spec.mutation === true) {
    context.body = await readMutation(runtime, request, person, token !== null, spec.maxBodyBytes);
  }
  if (spec.needsRecentSignIn === true) await requireRecentSignIn(runtime, session);
}

function callForWall(context: RequestContext, work: Work) {
  const { runtime, request, params } = context;
  return andThen(admitToWall(runtime, request, params), (principal) =>
    withRequestLimits(runtime, request, principal, () =>
      work(Object.assign(context, { principal })),
    ),
  );
}

async function callForDisplay(context: RequestContext, work: Work) {
  const { runtime, request, params } = context;
  const principal = await admitToWall(runtime, request, params);
  const display = requireDisplay(runtime, request, principal);
  return withRequestLimits(runtime, request, principal, async () => {
    context.body = await readMutation(runtime, request, null);
    return work(Object.assign(context, { display }));
  });
}

/** Calls the operation for invalid tokens too, because every response is a page or a picture. */
async function callForReader(context: RequestContext, work: Work) {
  const { runtime, request, params } = context;
  const identity = await identifyLink(runtime, request, params);
  try {
    return await inReadersTurn(context, identity, () => work(Object.assign(context, { identity })));
  } catch (error) {
    if (params["token"] === undefined) throw error;
    if (isDatabaseOutage(error)) {
      runtime.securityLog.failed("request_unanswered", error, request);
      return UNREACHABLE_PAGE;
    }
    if (!isFailure(error) || error.code !== "too_many_requests") throw error;
    return tooManyPage(error.retryAfterSeconds ?? 1, new URL(request.url).pathname);
  }
}

/** Requests of a share link's page: checked like mutations, and 404 unless the link is valid. */
async function callForSender(context: RequestContext, work: Work) {
  const { runtime, request, params } = context;
  const identity = await identifyLink(runtime, request, params);
  if (identity.state === "unavailable") throw databaseUnavailable();
  if (identity.state !== "known") throw notFoundFailure();
  refuseUnconfirmed(identity.isConfirmed, true);
  return inReadersTurn(context, identity, async () => {
    await readMutation(runtime, request, null);
    return work(Object.assign(context, { link: identity.link }));
  });
}

/** A link may have many readers, so turns are per client address. */
function inReadersTurn(
  { runtime, request, address }: RequestContext,
  identity: ShareIdentity,
  work: () => MaybePromise<HandlerResponse | object>,
): MaybePromise<HandlerResponse | object> {
  const link = identity.state === "known" ? identity.link : null;
  const id = identity.state === "ended" ? identity.ended.id : link?.id;
  if (id === undefined) return work();
  return withRequestLimits(
    runtime,
    request,
    { clientKey: `link ${id} ${address}`, person: null },
    work,
  );
}

function callForAnyone(context: RequestContext, { mutation, form }: OpenSpec, work: Work) {
  if (mutation === true) {
    return readMutation(context.runtime, context.request, null).then(() => work(context));
  }
  if (form !== true) return work(context);
  return readForm(context.runtime, context.request).then((fields) =>
    work(Object.assign(context, { fields })),
  );
}

/** What operations get of a request. Don't spread it: a spread omits getters. */
class RequestContext {
  readonly #runtimeOf: () => AuthRuntime;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
  body: unknown = undefined;
  /** What is left to the request's token; null: it has none. */
  allowance: TokenAllowance | null = null;

  constructor(
    runtimeOf: () => AuthRuntime,
    request: HttpRequest,
    params: Readonly<Record<string, string>>,
  ) {
    this.#runtimeOf = runtimeOf;
    this.request = request;
    this.params = params;
  }

  /** Lazy, because liveness is requested before the runtime exists. */
  get runtime(): AuthRuntime {
    return this.#runtimeOf();
  }

  get address(): string {
    return clientAddress(this.request.headers);
  }

  get origin(): string {
    return originToShow(this.runtime.appUrl, reachedOrigin(this.request.headers));
  }

  get query(): URLSearchParams {
    return new URL(this.request.url).searchParams;
  }

  get ifNoneMatch(): string | null {
    return this.request.headers.get("if-none-match");
  }

  /** The person is admitted before the operation is called. */
  get company(): string {
    const { company } = this.params;
    if (company === undefined) throw new Error("this address names no company");
    return company;
  }
}

function joined(
  params: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    [value ?? []].flat().join("/"),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}
