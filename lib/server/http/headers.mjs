/**
 * A policy that allows nothing but what `allowed` adds. `base-uri`, `form-action` and `frame-ancestors` don't fall back
 * to `default-src`.
 * @param {string} [allowed] more directives, each followed by `; `
 * @param {string} [framers] value of `frame-ancestors`
 */
export function strictPolicy(allowed = "", framers = "'none'") {
  return `default-src 'none'; ${allowed}base-uri 'none'; form-action 'none'; frame-ancestors ${framers}`;
}

/** The policy of everything that isn't a page. */
export const NO_PAGE = strictPolicy();

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
