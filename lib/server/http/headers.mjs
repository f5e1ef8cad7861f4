/** The policy of everything that isn't a page. */
const NO_PAGE = "default-src 'none'; frame-ancestors 'none'";

/** Two years, as browsers' preload lists require. */
const HSTS_SECONDS = 63_072_000;

/**
 * Headers of every response, from every layer; pages and handlers have their own policies, and add
 * their caching.
 * @param {string} appUrl our public origin
 * @param {boolean} includesSubdomains whether HSTS includes the subdomains of its host
 * @returns {Readonly<Record<string, string>>} lower-case names
 */
export function commonHeaders(appUrl, includesSubdomains) {
  return {
    "x-content-type-options": "nosniff",
    // Only pages may run, load or be framed.
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
