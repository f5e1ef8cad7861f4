/** In which a route tells the length of its answer: Next takes no `Content-Length`. */
export const LENGTH = "x-plumbline-length";

/** With which Next's browser code asks for parts of pages, which no route has. */
const NEXTS = /^(?:rsc$|next-)/;

/** Next parses every cookie that it gets, which of 15 kB without any takes milliseconds. */
const OUR_COOKIE = /^(?:__(?:Host|Secure)-)?(?:next-auth|plumbline)/;

/**
 * Leaves of a request's headers what a route reads: neither those of Next's browser code nor other sites' cookies.
 * @param {import("node:http").IncomingMessage} request
 */
export function trimForRoute({ headers }) {
  for (const name of Object.keys(headers)) if (NEXTS.test(name)) delete headers[name];
  const cookies = headers.cookie?.split(";").map((cookie) => cookie.trim()) ?? [];
  const ours = cookies.filter((cookie) => OUR_COOKIE.test(cookie));
  if (ours.length > 0) headers.cookie = ours.join("; ");
  else delete headers.cookie;
}

/**
 * Makes the head of what a route answers, through Next, the same as the front's own: its length, the headers of every
 * answer where it doesn't set them, and `Vary` without what only pages vary by.
 * @param {import("node:http").ServerResponse} response to which nothing was written yet
 * @param {Readonly<Record<string, string>>} common lower-case names
 */
export function completeHead(response, common) {
  const writeHead = response.writeHead.bind(response);
  Object.assign(response, {
    /** @param {number} status @param {...any} rest */
    writeHead(status, ...rest) {
      // Next sets lists, and what compresses doesn't know a list for a type.
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
 * @param {boolean} hasBody which encoding the client takes decides about that, also where it's too small for any
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
