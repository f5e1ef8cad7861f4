/** In which a route tells the length of its answer: Next takes no `Content-Length`. */
export const LENGTH = "x-plumbline-length";

/** With which Next's browser code asks for parts of pages, which no route has. */
const NEXTS = /^(?:rsc$|next-)/;

/**
 * Makes the head of what a route answers, through Next, the same as the front's own: its length, the headers of every
 * answer where it doesn't set them, and `Vary` without what only pages vary by.
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response to which nothing was written yet
 * @param {Readonly<Record<string, string>>} common lower-case names
 */
export function completeHead(request, response, common) {
  for (const name of Object.keys(request.headers)) {
    if (NEXTS.test(name)) delete request.headers[name];
  }
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
