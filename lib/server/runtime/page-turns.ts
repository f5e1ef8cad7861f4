import type { ServerResponse } from "node:http";
import { isFailure } from "@/lib/contracts/failure";
import { parseCookies } from "@/lib/server/auth/cookies";
import { sessionClientKey } from "@/lib/server/auth/sessions";
import { displayClientKey } from "@/lib/server/auth/wall-principal";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { clientAddress } from "@/lib/server/http/front-headers";
import { isWallPage, tooManyPage } from "@/lib/server/http/pages.mjs";
import type { Runtime } from "@/lib/server/running";

type PageRuntime = Pick<Runtime, "auth" | "requestLimits" | "securityLog">;

/**
 * Renders a page when its session's or display's turn comes: pages and JSON count together.
 * Visitors without either are redirected to the sign-in page, which is limited by address.
 * @param render renders it; the turn lasts until its response is sent
 * @returns the page to send instead after too many requests; null: it is rendered
 */
export async function renderInTurn(
  { auth, requestLimits, securityLog }: PageRuntime,
  request: HttpRequest,
  response: ServerResponse,
  render: () => void,
): Promise<PlainResponse | null> {
  const clientKey = await clientKeyOf(auth, request);
  if (clientKey === null) {
    render();
    return null;
  }
  const address = clientAddress(request.headers);
  try {
    const done = await requestLimits.take(clientKey, {
      get signal() {
        return request.signal;
      },
      refused: (limit) => securityLog.record("limit_hit", { address }, { limit }),
    });
    if (response.closed) done(response.statusCode);
    else response.once("close", () => done(response.statusCode));
    render();
    return null;
  } catch (error) {
    if (!isFailure(error) || error.retryAfterSeconds === null) throw error;
    return tooManyPage(error.retryAfterSeconds, new URL(request.url).pathname);
  }
}

/** Whether a session is still valid is checked by the page. */
async function clientKeyOf(auth: Runtime["auth"], request: HttpRequest): Promise<string | null> {
  const cookies = parseCookies(request.headers.get("cookie"));
  const cookie = (name: string) => cookies.get(name);
  const { pathname } = new URL(request.url);
  const screen = isWallPage(pathname)
    ? await auth.displays.identify(cookie, true, clientAddress(request.headers))
    : null;
  if (screen?.state === "known") return displayClientKey(screen.display);
  const session = await auth.openSession(cookie);
  return session === null ? null : sessionClientKey(session.id);
}
