/** Largest request body, bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * Answers 413 as soon as a request's body is known to exceed the limit, declared or streamed.
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @returns {boolean} false when the request was answered here
 */
export function limitBody(request, response) {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > MAX_BODY_BYTES) {
    refuse(request, response);
    return false;
  }
  let received = 0;
  const push = request.push.bind(request);
  // The parser hands each piece of the body to `push`: the only place that sees all of it, whoever reads.
  request.push = (chunk, encoding) => {
    received += chunk?.length ?? 0;
    if (received <= MAX_BODY_BYTES) return push(chunk, encoding);
    if (!response.headersSent) refuse(request, response);
    return false;
  };
  return true;
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
function refuse(request, response) {
  const body = JSON.stringify({
    error: "payload_too_large",
    error_description: `A request body may hold at most ${MAX_BODY_BYTES} bytes.`,
  });
  response.writeHead(413, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "private, no-store",
    connection: "close",
  });
  response.end(body, () => request.destroy());
}
