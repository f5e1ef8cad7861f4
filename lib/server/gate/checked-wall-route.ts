import { Failure } from "@/lib/contracts/failure";
import type { Answer } from "@/lib/server/http/answer";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { clientAddress } from "@/lib/server/http/front-headers";
import type { Handlers, Method, RouteHandler } from "@/lib/server/http/handlers";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import {
  answering,
  nothingHere,
  otherMethodsOf,
  readMutation,
  refuseUnconfirmed,
} from "./checked-route";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { inTurn } from "./in-turn";
import { parseCookies } from "@/lib/server/auth/cookies";
import { DISPLAYS_PAUSED, endedSentence, type PairedDisplay } from "@/lib/server/auth/displays";
import {
  identifyPrincipal,
  shownCompanies,
  type WallPrincipal,
} from "@/lib/server/auth/wall-principal";
import { databaseAway } from "./answers";
import { NOT_PAIRED, DISPLAYS_ONLY } from "./words";

export type WallContext<R> = {
  runtime: R;
  principal: WallPrincipal;
  /** Slug of a company on this wall; empty at an address without one. */
  company: string;
  request: HttpRequest;
};

/**
 * A read-only handler under `/api/wall`, for a paired screen or a signed-in person. Checks in this
 * order: credential (401; 403 with the reason for a screen that was unpaired or has ended), company
 * (404, identical bytes whether missing or not on this wall), turn (429).
 */
export function checkedWallRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  handler: (context: WallContext<R>) => MaybePromise<Answer>,
): RouteHandler {
  return answering(runtimeOf, (runtime, request, params) =>
    andThen(admitPrincipal(runtime, request, params), (principal) =>
      inTurn(runtime, request, principal, () =>
        handler({ runtime, principal, company: params["company"] ?? "", request }),
      ),
    ),
  );
}

export type ScreenContext<R> = {
  runtime: R;
  display: PairedDisplay;
  request: HttpRequest;
  /** The parsed JSON; undefined without a body. */
  body: unknown;
};

/** A handler with which a paired screen writes about itself only; checked like mutations. */
export function checkedScreenRoute<R extends AuthRuntime>(
  runtimeOf: () => R,
  handler: (context: ScreenContext<R>) => MaybePromise<Answer>,
): RouteHandler {
  return answering(runtimeOf, async (runtime, request, params) => {
    const principal = await admitPrincipal(runtime, request, params);
    const { display, person, isConfirmed } = principal;
    if (display === null) {
      const address = clientAddress(request.headers);
      runtime.securityLog.record("forbidden", { address, person }, { right: "report" });
      throw new Failure("forbidden", DISPLAYS_ONLY);
    }
    refuseUnconfirmed(isConfirmed, true);
    return inTurn(runtime, request, principal, async () => {
      const body = await readMutation(runtime, request, null);
      return handler({ runtime, display, request, body });
    });
  });
}

/** The handler of every missing address under `/api/wall`. */
export function checkedNothingOnWalls(runtimeOf: () => AuthRuntime): RouteHandler {
  return checkedWallRoute(runtimeOf, () => {
    throw nothingHere();
  });
}

/** See `checkedOtherMethods`. */
export function checkedWallOtherMethods(
  runtimeOf: () => AuthRuntime,
  allowed: readonly Method[],
): Handlers {
  return otherMethodsOf(runtimeOf, allowed, admitPrincipal);
}

function admitPrincipal(
  runtime: AuthRuntime,
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
): MaybePromise<WallPrincipal & { isConfirmed: boolean; asker: string }> {
  const cookies = parseCookies(request.headers.get("cookie"));
  const isReadOnly = request.method === "GET" || request.method === "HEAD";
  const address = clientAddress(request.headers);
  return andThen(
    identifyPrincipal(runtime.auth, (name) => cookies.get(name), isReadOnly, address),
    (principal) => {
      if (principal.state === "nobody") {
        throw new Failure("unauthenticated", NOT_PAIRED);
      }
      if (principal.state === "ended")
        throw new Failure("forbidden", endedSentence(principal.ended));
      if (principal.state === "paused") throw new Failure("paused", DISPLAYS_PAUSED);
      if (principal.state === "unavailable") {
        throw databaseAway();
      }
      const company = params["company"];
      const isShown = shownCompanies(runtime.connections, principal).some(
        ({ slug }) => slug === company,
      );
      if (company !== undefined && !isShown) throw nothingHere();
      return principal;
    },
  );
}
