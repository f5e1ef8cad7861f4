import { Failure } from "@/lib/contracts/failure";
import { failureResponse, PERSONAL_HEADERS } from "./answers";
import type { AuthRuntime } from "./auth";
import { parseCookies } from "./cookies";
import { requestOrigin } from "./own-origin";
import { canSee, type Person } from "./person";
import { readBody } from "./request-body";
import { hasRight, type Right } from "./rights";

/** What Next calls: the request, and the address's variable parts, if it has any. */
export type RouteHandler = (
  request: Request,
  context: { params: Promise<Readonly<Record<string, string | string[] | undefined>> | undefined> },
) => Promise<Response>;

export type RouteSpec = {
  right: Right;
  /** It changes something: JSON and our own origin only. */
  mutation?: boolean;
};

export type RouteContext<R> = {
  runtime: R;
  /** Slug of a company that the person may see. */
  company: string;
  person: Person;
  request: Request;
  /** The address's variable parts; a catch-all's are joined by `/`. */
  params: Readonly<Record<string, string>>;
  /** What stands behind the question mark. */
  query: URLSearchParams;
  /** The parsed JSON of a mutation; undefined when it had no body, and for everything else. */
  body: unknown;
};

/** Methods that a handler may be asked for. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof METHODS)[number];

/**
 * A handler under `/api/companies/[company]` that runs only when everything about its request is right.
 * Checked in this order, each with its own answer: session (401), company (404, the same bytes whether
 * it is missing or somebody else's), right (403), and for mutations content type (415), origin (403),
 * size (413) and JSON (400). Whatever the handler throws becomes an answer too.
 */
export function checkedRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  spec: RouteSpec,
  handler: (context: RouteContext<R>) => Response | Promise<Response>,
): RouteHandler {
  return answering(runtimeOf, async (runtime, request, params) => {
    const { person, company } = await admit(runtime, request, params);
    const granted = await grant(runtime, request, person, spec);
    return handler({ runtime, company, params, ...granted });
  });
}

/**
 * The same for an address that is no company's, such as `/api/companies` itself: whatever it answers of
 * companies it has to limit to those that the person may see.
 */
export function checkedPersonRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  spec: RouteSpec,
  handler: (context: Omit<RouteContext<R>, "company">) => Response | Promise<Response>,
): RouteHandler {
  return answering(runtimeOf, async (runtime, request, params) => {
    const person = await admitPerson(runtime, request);
    return handler({ runtime, params, ...(await grant(runtime, request, person, spec)) });
  });
}

/** A handler for whoever asks, without any session; a mutation's checks are the same as everywhere. */
export function checkedOpenRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  spec: Pick<RouteSpec, "mutation">,
  handler: (context: Pick<RouteContext<R>, "runtime" | "request">) => Response | Promise<Response>,
): RouteHandler {
  return answering(runtimeOf, async (runtime, request) => {
    if (spec.mutation === true) await readMutation(request, runtime.appUrl);
    return handler({ runtime, request });
  });
}

/**
 * Handlers for every method that an address does not take: 401 and 404 as for the others, then 405.
 * Next's own 405 would tell strangers which addresses exist.
 * @param allowed what the address takes; `HEAD` comes with `GET`
 */
export function checkedOtherMethods(
  runtimeOf: () => AuthRuntime,
  allowed: readonly Method[],
): Record<Method, RouteHandler> {
  return otherMethodsOf(runtimeOf, allowed, async (runtime, request, params) => {
    const isOfCompany = params["company"] !== undefined;
    await (isOfCompany ? admit(runtime, request, params) : admitPerson(runtime, request));
  });
}

/**
 * The same where other rules say who may know of an address.
 * @param admitted throws for those who may not
 */
export function otherMethodsOf<R extends AuthRuntime>(
  runtimeOf: () => R,
  allowed: readonly Method[],
  admitted: (
    runtime: R,
    request: Request,
    params: Readonly<Record<string, string>>,
  ) => Promise<unknown>,
): Record<Method, RouteHandler> {
  const handler = answering(runtimeOf, async (runtime, request, params) => {
    await admitted(runtime, request, params);
    const allow = METHODS.filter(
      (method) => allowed.includes(method) || (method === "HEAD" && allowed.includes("GET")),
    ).join(", ");
    return failureResponse(
      new Failure("method_not_allowed", "This address does not take that method."),
      request,
      runtime.log,
      { Allow: allow },
    );
  });
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Record<
    Method,
    RouteHandler
  >;
}

/** The handler of every address under `/api/companies` that does not exist. */
export function checkedNothing(runtimeOf: () => AuthRuntime): RouteHandler {
  return answering(runtimeOf, async (runtime, request) => {
    await admitPerson(runtime, request);
    throw nothingHere();
  });
}

/** What a person's request may do, and what it holds. */
async function grant(
  runtime: AuthRuntime,
  request: Request,
  { value: person, isConfirmed }: Awaited<ReturnType<typeof admitPerson>>,
  { right, mutation = false }: RouteSpec,
) {
  if (!hasRight(person.role, right)) {
    throw new Failure("forbidden", "Your role does not allow this.");
  }
  refuseUnconfirmed(isConfirmed, mutation || right !== "view");
  const body = mutation ? await readMutation(request, runtime.appUrl) : undefined;
  return { person, request, query: new URL(request.url).searchParams, body };
}

/** While nobody can confirm a credential it is good for looking, at most. */
export function refuseUnconfirmed(isConfirmed: boolean, isMoreThanLooking: boolean): void {
  if (!isConfirmed && isMoreThanLooking) {
    throw new Failure("unavailable", "This is not available right now.");
  }
}

/** Makes an answer of whatever a handler returns or throws. */
export function answering<R extends AuthRuntime>(
  runtimeOf: () => R,
  work: (runtime: R, request: Request, params: Record<string, string>) => Promise<Response>,
): RouteHandler {
  return async (request, context) => {
    const runtime = runtimeOf();
    try {
      const response = await work(runtime, request, flat((await context.params) ?? {}));
      for (const [name, value] of Object.entries(PERSONAL_HEADERS)) {
        if (!response.headers.has(name)) response.headers.set(name, value);
      }
      return response;
    } catch (error) {
      return failureResponse(error, request, runtime.log);
    }
  };
}

async function admit(
  runtime: AuthRuntime,
  request: Request,
  params: Readonly<Record<string, string>>,
) {
  const person = await admitPerson(runtime, request);
  const company = params["company"];
  const exists = runtime.connections.some((connection) => connection.company === company);
  if (company === undefined || !exists || !canSee(person.value, company)) throw nothingHere();
  return { person, company };
}

async function admitPerson(runtime: AuthRuntime, request: Request) {
  const cookies = parseCookies(request.headers.get("cookie"));
  const isLooking = request.method === "GET" || request.method === "HEAD";
  const identity = await runtime.auth.identify((name) => cookies.get(name), isLooking);
  if (identity.state === "anonymous") throw new Failure("unauthenticated", "Please sign in.");
  if (identity.state === "unavailable") {
    throw new Failure("unavailable", "This is not available right now.");
  }
  return { value: identity.person, isConfirmed: identity.isConfirmed };
}

/**
 * The JSON of a mutation; undefined without a body.
 * @throws Failure `unsupported_media_type`, `cross_site`, `payload_too_large`, `invalid_request`
 */
export async function readMutation(request: Request, appUrl: string): Promise<unknown> {
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    throw new Failure("unsupported_media_type", "This needs Content-Type: application/json.");
  }
  // Saying nothing about the origin is no better than a foreign one: every browser says it.
  if (requestOrigin(request.headers, appUrl) !== "own") {
    throw new Failure("cross_site", "This request comes from another site.");
  }
  const text = await readBody(request);
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("invalid_request", "The request is not valid JSON.");
  }
}

/** One answer for what is missing and what is somebody else's. */
export function nothingHere(): Failure {
  return new Failure("not_found", "There is nothing at this address.");
}

function flat(
  params: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    [value ?? []].flat().join("/"),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}
