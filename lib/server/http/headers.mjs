/** The policy of everything that is no page. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** Two years, as browsers' lists of https-only sites want it. */
const HSTS_SECONDS = 63_072_000;

/**
 * Headers of every response, from every layer; pages and handlers have policies of their own, and add their caching.
 * @param {string} appUrl our public origin
 * @param {boolean} includesSubdomains the subdomains of its host are reached by https only, too
 * @returns {Readonly<Record<string, string>>} lower-case names
 */
export function commonHeaders(appUrl, includesSubdomains) {
  return {
    "x-content-type-options": "nosniff",
    // Of what is no page nothing is run, loaded or framed.
    "content-security-policy": NO_PAGE,
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ...(appUrl.startsWith("https:") && {
      "strict-transport-security": `max-age=${HSTS_SECONDS}${includesSubdomains ? "; includeSubDomains" : ""}`,
    }),
  };
}
