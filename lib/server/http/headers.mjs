/** Two years, as browsers' lists of https-only sites want it. */
const HSTS_SECONDS = 63_072_000;

/**
 * Headers of every answer, whoever gives it; pages and handlers add their own policy and caching.
 * @param {string} appUrl our public origin
 * @returns {Readonly<Record<string, string>>} lower-case names
 */
export function commonHeaders(appUrl) {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ...(appUrl.startsWith("https:") && {
      "strict-transport-security": `max-age=${HSTS_SECONDS}`,
    }),
  };
}
