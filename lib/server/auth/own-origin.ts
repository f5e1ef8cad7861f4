import { Failure } from "@/lib/contracts/failure";
import type { Evidence } from "@/lib/server/evidence";
import { clientAddress } from "./address-bucket";
import type { Person } from "./person";

/**
 * The origin under which a request reached us, such as `http://192.168.1.5:3000`: the front says it of a host
 * that it has admitted, and lets no client say it. `Host` itself is what a client makes of it, or what a foreign
 * name that leads to our address makes a browser send.
 * @returns null when the front said nothing, or nothing that is an origin
 */
export function reachedOrigin(headers: Pick<Headers, "get">): string | null {
  const said = headers.get("x-plumbline-origin") ?? "";
  if (!URL.canParse(said)) return null;
  const { origin, protocol } = new URL(said);
  return /^https?:$/.test(protocol) ? origin : null;
}

/**
 * Where a request says that it comes from. Browsers send `Sec-Fetch-Site` and, with every POST,
 * `Origin`, and let no page forge them. Scheme, host and port count.
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
 * Notes that a request was not taken for our own.
 * @param why its origin, or a form whose token is not of this browser
 * @returns what is to be answered
 */
export function refuseCrossSite(
  evidence: Evidence,
  headers: Pick<Headers, "get">,
  person: Person | null,
  why: "origin" | "token" = "origin",
): Failure {
  // Who set APP_URL wrongly finds here what it should have been.
  const given = headers.get("origin") ?? "";
  const from = URL.canParse(given) ? { from: new URL(given).origin } : {};
  const whom = { address: clientAddress(headers), person };
  evidence.note("cross_site_refused", whom, { why, ...(why === "origin" && from) });
  return new Failure("cross_site", "This request came from another site.");
}
