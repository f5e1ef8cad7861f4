import { refuse } from "./refuse.mjs";

/** Largest request body, bytes. */
export const MAX_BODY_BYTES = 64 * 1024;
/**
 * Paths whose bodies may be larger, bytes.
 * @type {readonly [RegExp, number][]}
 */
const LARGER = [
  [/^\/api\/connections\/import$/, 256 * 1024],
  // Larger than what is taken, so that the answer can say how much that is.
  [/^\/api\/companies\/[^/]+\/promises\/import$/, 1024 * 1024],
];

/** @param {string | undefined} url of a request, path and query */
function mostBytes(url) {
  const path = (url ?? "").split("?")[0] ?? "";
  const larger = LARGER.find(([pattern]) => pattern.test(path));
  return larger?.[1] ?? MAX_BODY_BYTES;
}

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
  const most = mostBytes(request.url);
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > most) {
    tooLarge(request, response, headers, refusal(false), most);
    return false;
  }
  if (declared === 0 && request.headers["transfer-encoding"] === undefined) return true;
  let received = 0;
  const push = request.push.bind(request);
  // The parser passes each chunk of the body to `push`: the only place that sees all of it,
  // whatever reads it.
  request.push = (chunk, encoding) => {
    received += chunk?.length ?? 0;
    if (received <= most) return push(chunk, encoding);
    if (!response.headersSent) tooLarge(request, response, headers, refusal(true), most);
    return false;
  };
  return true;
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {Readonly<Record<string, string>>} headers
 * @param {ReturnType<Refusal>} refusal
 * @param {number} most
 */
function tooLarge(request, response, headers, refusal, most) {
  const sentence = `A request body can't exceed ${most} bytes.`;
  response.once("finish", () => request.destroy());
  const all = { ...headers, ...refusal.headers, connection: "close" };
  refuse(response, 413, refusal.error, sentence, all);
}
