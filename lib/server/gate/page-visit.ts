import type { AuthRuntime } from "@/lib/server/auth/auth";
import { parseCookies } from "@/lib/server/auth/cookies";
import { identifyPrincipal } from "@/lib/server/auth/wall-principal";
import type { HandlerResponse } from "@/lib/server/http/handler-response";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { clientAddress, reachedOrigin } from "@/lib/server/http/front-headers";
import { pageAddress, signInAddress } from "@/lib/server/http/own-path";
import { isWallPage, tooManyPage, unreachablePage } from "@/lib/server/http/pages.mjs";
import { isPreviewBot } from "@/lib/server/http/preview/preview-bots.mjs";
import { cardPage, genericCard } from "@/lib/server/http/preview/preview-card";
import { originToShow } from "@/lib/server/http/preview/shown-origin";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";

/** Counts page renders for visitors without a session, by address; `nowMs`: epoch milliseconds. */
type PageLimit = { take(address: string, nowMs: number): { allowed: boolean } };

/** The response to a page visit instead of the page; null: render the page. */
export type PageVisit = (
  runtime: AuthRuntime,
  request: HttpRequest,
  pageLimit: PageLimit,
) => MaybePromise<HandlerResponse | null>;

/** Page renders are limited per minute. */
const RETRY_SECONDS = 60;
const OPEN = /^\/(?:signin|pair|signin\/password\/[^/]+)$/;
/** Pages that don't depend on the session: rendered even while sessions can't be checked. */
const NO_SESSION = /^\/(?:pair|signin\/password\/[^/]+)$/;

/**
 * Responds to visitors without a session instead of rendering a page, which is the most expensive request they can
 * send. Rendered pages check the session again. While the database is unavailable, visitors whose session isn't cached
 * get a 503 page that explains it and reloads.
 */
export const visitPage: PageVisit = (runtime, request, pageLimit) => {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  const cookies = parseCookies(request.headers.get("cookie"));
  const cookie = (name: string) => cookies.get(name);
  const address = clientAddress(request.headers);

  function insteadOfPage(state: "known" | "stranger" | "unavailable"): HandlerResponse | null {
    if (state === "known") return null;
    if (isPreviewBot(request.method, request.headers.get("user-agent"))) {
      return cardPage(genericCard(originToShow(runtime.appUrl, reachedOrigin(request.headers))));
    }
    // A display or session that can't be checked may be valid: don't redirect it.
    if (state === "unavailable" && !NO_SESSION.test(path)) return unreachablePage(path);
    if (OPEN.test(path)) {
      if (pageLimit.take(address, runtime.clock.nowMs()).allowed) return null;
      runtime.securityLog.record("limit_hit", { address }, { limit: "drawn_pages" });
      return tooManyPage(RETRY_SECONDS, path);
    }
    return leadTo(isWallPage(path) ? "/pair" : signInAddress(pageAddress(path, searchParams)));
  }

  if (isWallPage(path)) {
    return andThen(identifyPrincipal(runtime.auth, cookie, true, address), ({ state }) =>
      insteadOfPage(
        state === "anonymous" ? "stranger" : state === "unavailable" ? "unavailable" : "known",
      ),
    );
  }
  return andThen(runtime.auth.identify(cookie, true, address), ({ state }) =>
    insteadOfPage(state === "anonymous" ? "stranger" : state),
  );
};

function leadTo(location: string): HandlerResponse {
  const headers = { location, "cache-control": "private, no-store" };
  return { status: 307, headers, body: null };
}
