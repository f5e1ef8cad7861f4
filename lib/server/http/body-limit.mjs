import { refuse } from "./refuse.mjs";

/** Largest request body, bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * A refusal: the code, and its own headers. Called with whether the response had started before its
 * body turned out to be too large.
 * @typedef {(isBegun: boolean) => { error: string, headers: Readonly<Record<string, string>> }} Refusal
 */

/**
 * Answers 413 as soon as a request's body is known to exceed the limit, declared or streamed.
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {Readonly<Record<string, string>>} headers for a refusal
 * @param {Refusal} refusal
 * @returns {boolean} false when the request was answered here
 */
export function limitBody(request, response, headers, refusal) {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > MAX_BODY_BYTES) {
    tooLarge(request, response, headers, refusal(false));
    return false;
  }
  if (declared === 0 && request.headers["transfer-encoding"] === undefined) return true;
  let received = 0;
  const push = request.push.bind(request);
  // The parser passes each chunk of the body to `push`: the only place that sees all of it,
  // whatever reads it.
  request.push = (chunk, encoding) => {
    received += chunk?.length ?? 0;
    if (received <= MAX_BODY_BYTES) return push(chunk, encoding);
    if (!response.headersSent) tooLarge(request, response, headers, refusal(true));
    return false;
  };
  return true;
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {Readonly<Record<string, string>>} headers
 * @param {ReturnType<Refusal>} refusal
 */
function tooLarge(request, response, headers, refusal) {
  const sentence = `A request body can't exceed ${MAX_BODY_BYTES} bytes.`;
  response.once("finish", () => request.destroy());
  const all = { ...headers, ...refusal.headers, connection: "close" };
  refuse(response, 413, refusal.error, sentence, all);
}
