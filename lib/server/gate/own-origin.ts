import { Failure } from "@/lib/contracts/failure";
import type { SecurityLog } from "@/lib/server/security-log";
import { clientAddress, reachedOrigin } from "@/lib/server/http/front-headers";
import type { Person } from "@/lib/server/auth/person";
import { OTHER_SITE } from "./words";

/**
 * The origin of a request. Browsers send `Sec-Fetch-Site` and, with every POST, `Origin`, and pages
 * can't forge them. Scheme, host and port count.
 * @param appUrl our public origin; the one under which the browser reached us counts as ours too
 * @returns `own`, `foreign`, or `unsaid` when there is neither header
 */
export function requestOrigin(
  headers: Pick<Headers, "get">,
  appUrl: string,
): "own" | "foreign" | "unsaid" {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site === null && origin === null) return "unsaid";
  if (site !== null && site !== "same-origin") return "foreign";
  const isOwn = origin === new URL(appUrl).origin || origin === reachedOrigin(headers);
  return origin === null || isOwn ? "own" : "foreign";
}

/**
 * Logs a request that was refused as cross-site.
 * @param why its origin, or a form with another browser's token
 * @returns the failure to respond with
 */
export function refuseCrossSite(
  securityLog: SecurityLog,
  headers: Pick<Headers, "get">,
  person: Person | null,
  why: "origin" | "token" = "origin",
): Failure {
  // Shows the correct value to administrators with a wrong APP_URL.
  const given = headers.get("origin") ?? "";
  const from = URL.canParse(given) ? { from: new URL(given).origin } : {};
  const whom = { address: clientAddress(headers), person };
  securityLog.record("cross_site_refused", whom, { why, ...(why === "origin" && from) });
  return new Failure("cross_site", OTHER_SITE);
}
