/** Header with the length of a route's response: Next drops `Content-Length`. */
export const LENGTH = "x-plumbline-length";

/** Headers with which Next's browser code requests parts of pages; irrelevant to routes. */
const NEXTS = /^(?:rsc$|next-)/;

/** The cookies that routes read, by name: Next's time to parse cookies grows with the square of their number. */
const OUR_COOKIE =
  /^(?:__Host-)?(?:next-auth\.(?:session-token|callback-url|csrf-token|pkce\.code_verifier|state|nonce)|plumbline-(?:display|pairing|device|asked-again))$/;

/**
 * Removes request headers that routes don't read: those of Next's browser code, and other sites' cookies.
 * @param {import("node:http").IncomingMessage} request
 */
export function trimForRoute({ headers }) {
  for (const name of Object.keys(headers)) if (NEXTS.test(name)) delete headers[name];
  /** @type {Map<string, string>} the first of each name, as handlers read them */
  const ours = new Map();
  for (const cookie of headers.cookie?.split(";") ?? []) {
    const name = cookie.slice(0, Math.max(cookie.indexOf("="), 0)).trim();
    if (OUR_COOKIE.test(name) && !ours.has(name)) ours.set(name, cookie.trim());
  }
  if (ours.size > 0) headers.cookie = [...ours.values()].join("; ");
  else delete headers.cookie;
}

/**
 * Completes the head of a route's response, which Next sends, so that it equals the front's: its length, the common
 * headers that it doesn't set, and `Vary` without what only pages vary by.
 * @param {import("node:http").ServerResponse} response not written to yet
 * @param {Readonly<Record<string, string>>} common lower-case names
 */
export function completeHead(response, common) {
  const writeHead = response.writeHead.bind(response);
  Object.assign(response, {
    /** @param {number} status @param {...any} rest */
    writeHead(status, ...rest) {
      // Next sets lists, but the compression middleware expects a content type to be a string.
      for (const [name, value] of Object.entries(response.getHeaders())) {
        if (Array.isArray(value) && value.length === 1) response.setHeader(name, String(value[0]));
      }
      const length = response.getHeader(LENGTH);
      response.removeHeader(LENGTH);
      if (length !== undefined) response.setHeader("content-length", length);
      for (const [name, value] of Object.entries(common)) {
        if (!response.hasHeader(name)) response.setHeader(name, value);
      }
      varyByOurs(response, length !== undefined && length !== "0");
      return Reflect.apply(writeHead, undefined, [status, ...rest]);
    },
  });
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {boolean} hasBody its encoding depends on the request, even if it's too small to compress
 */
function varyByOurs(response, hasBody) {
  const ours = String(response.getHeader("vary") ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !NEXTS.test(name));
  if (hasBody) ours.push("Accept-Encoding");
  if (ours.length === 0) response.removeHeader("vary");
  else response.setHeader("vary", ours.join(", "));
}
