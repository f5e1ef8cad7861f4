import { TargetRefused } from "@/lib/server/upstream/dial/allowed-targets";
import type { HttpAnswer, HttpFailure, HttpLimits } from "@/lib/server/upstream/http";
import type { UpstreamFailure } from "@/lib/server/upstream/upstream";
import { addressWords, budgetWords, type Finding } from "./check-words";

/** What came of the last request; null: nothing was sent. */
export type Received = HttpAnswer | HttpFailure | null;

/**
 * A failed request in our words, from what is known of its connection and response; the response is never quoted.
 * @param given.baseUrl of the API
 * @param given.nowMs our clock, epoch milliseconds
 * @returns `ok` null: nothing was sent, for a reason that says nothing about the API
 */
export function explainFailure(
  failure: UpstreamFailure,
  received: Received,
  { baseUrl, limits, nowMs }: { baseUrl: URL; limits: HttpLimits; nowMs: number },
): { ok: false | null; finding: Finding } {
  const { host } = baseUrl;
  const { retryAtMs, reason, isOurs } = failure;
  const waitMs = Math.max(0, (retryAtMs ?? nowMs) - nowMs);
  if (received === null) {
    if (reason !== "rate_limited") return { ok: null, finding: budgetWords.noDatabase };
    const words = isOurs ? budgetWords.ours : budgetWords.limited;
    return { ok: null, finding: words(host, waitMs) };
  }
  if (reason === "rate_limited") return { ok: false, finding: budgetWords.limited(host, waitMs) };
  const finding =
    "failed" in received
      ? ofConnection(received, baseUrl, limits)
      : (ofResponse(received, baseUrl) ?? addressWords.cached(host));
  return { ok: false, finding };
}

const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_UNTRUSTED",
]);

function ofConnection(
  { failed, status, maybeReceived, cause }: HttpFailure,
  { host, protocol }: URL,
  limits: HttpLimits,
): Finding {
  const code = codeOf(cause);
  if (causes(cause).some((one) => one instanceof TargetRefused)) {
    return protocol === "https:" ? addressWords.isPrivate(host) : addressWords.isPlain(host);
  }
  if (UNTRUSTED.has(code)) return addressWords.selfSigned(host);
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID")
    return addressWords.expired(host);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return addressWords.otherName(host);
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return addressWords.noTls(host);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return addressWords.noSuchHost(host);
  if (code === "ECONNREFUSED") return addressWords.refused(host);
  switch (failed) {
    case "timeout":
      return maybeReceived || status !== null
        ? addressWords.tooSlow(host, limits.wholeMs)
        : addressWords.noConnection(host);
    case "proxy":
      return addressWords.proxy(host);
    case "too_large":
      return addressWords.tooLarge(host);
    case "undecodable":
      return addressWords.notReadable(host);
    case "down":
    case "truncated":
    case "not_allowed":
      return addressWords.brokeOff(host);
  }
  return failed satisfies never;
}

/** What a response that is no v3 API's says about it; null: it may be one's. */
export function ofResponse(answer: HttpAnswer, baseUrl: URL): Finding | null {
  const { host, pathname } = baseUrl;
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    return addressWords.redirects(host, targetOf(headers["location"], baseUrl));
  }
  if (status >= 500) return addressWords.broken(host, status);
  if (isWebPage(answer)) return addressWords.webPage(host);
  if (status === 404 || status === 410) {
    return `${pathname}/`.includes("/api/v3/")
      ? addressWords.notFound(host, pathname)
      : addressWords.pathMissing;
  }
  return null;
}

/** Where a redirect leads, without what may be secret; null: unknown. */
function targetOf(location: string | string[] | undefined, baseUrl: URL): string | null {
  const text = Array.isArray(location) ? location[0] : location;
  if (text === undefined || !URL.canParse(text, baseUrl)) return null;
  const { protocol, origin, pathname } = new URL(text, baseUrl);
  if (protocol !== "https:" && protocol !== "http:") return null;
  return `${origin}${pathname === "/" ? "" : pathname}`.slice(0, 200);
}

function isWebPage({ headers, body }: HttpAnswer): boolean {
  const type = String(headers["content-type"] ?? "").toLowerCase();
  return type.includes("html") || /^\s*<(?:!doctype|html)/i.test(body.toString("latin1", 0, 256));
}

/** An error and its causes, outermost first. */
function causes(error: unknown): Error[] {
  const found: Error[] = [];
  let next = error;
  while (next instanceof Error && found.length < 8) {
    found.push(next);
    next = next instanceof AggregateError ? next.errors[0] : next.cause;
  }
  return found;
}

function codeOf(error: unknown): string {
  const coded = causes(error).find((one) => "code" in one && typeof one.code === "string");
  return coded !== undefined && "code" in coded ? String(coded.code) : "";
}
