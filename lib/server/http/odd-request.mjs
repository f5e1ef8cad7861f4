/** What a handler can be asked for. Next answers any other method, TRACE for one, as a failure of ours. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * The address in a form that Next takes to a page or handler, which then says what there is.
 *
 * A path that cannot be decoded would be a 500; its percent signs are taken literally, and so it names
 * nothing. Doubled and closing slashes of our APIs would be redirected by Next itself, past every check
 * and without the headers that each answer there carries.
 * @param {string} url path and query as they came
 */
export function plainAddress(url) {
  const queryAt = url.indexOf("?");
  const end = queryAt < 0 ? url.length : queryAt;
  let path = url.slice(0, end);
  if (!isDecodable(path)) path = path.replaceAll("%", "%25");
  if (/^\/+api\//.test(path)) path = path.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  return path + url.slice(end);
}

/** @param {string} path */
function isDecodable(path) {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Answers 405 to a method that no handler knows.
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @returns {boolean} false when the request was answered here
 */
export function refuseOddMethod(request, response) {
  if (METHODS.includes(request.method ?? "")) return true;
  const body = JSON.stringify({
    error: "method_not_allowed",
    error_description: "This address does not take that method.",
  });
  response.writeHead(405, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "private, no-store",
    allow: METHODS.join(", "),
  });
  response.end(body);
  return false;
}
