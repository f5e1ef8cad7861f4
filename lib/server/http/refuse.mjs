import { STATUS_CODES } from "node:http";
import { responseInFlight } from "./serialize-requests.mjs";

/** On every response that the front creates itself. */
const HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "private, no-store",
};

/** Statuses for Node's parser errors; anything else is a 400. */
const UNREADABLE = new Map([
  ["HPE_HEADER_OVERFLOW", [431, "header_too_large", "The request's headers are too large."]],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", [413, "payload_too_large", "The request is too large."]],
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "request_timeout", "The request took too long to arrive."]],
]);
const NO_REQUEST = [400, "invalid_request", "This isn't a valid HTTP request."];
/** Lets a client read the reason before its socket closes. */
const LINGER_MS = 1_000;

/**
 * Answers a request with our common error format.
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} error the code
 * @param {string} description a sentence
 * @param {Readonly<Record<string, string>>} headers
 */
export function refuse(response, status, error, description, headers = {}) {
  const body = JSON.stringify({ error, error_description: description });
  response.writeHead(status, {
    ...HEADERS,
    "content-length": Buffer.byteLength(body),
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/**
 * Replaces Node's own responses, which lack our headers: to invalid requests, and to unknown
 * expectations. The socket closes with each.
 * @param {import("node:http").Server} server
 * @param {Readonly<Record<string, string>>} headers of every response
 */
export function refuseUnreadable(server, headers) {
  /** @type {WeakSet<import("node:stream").Duplex>} */
  const refused = new WeakSet();
  server.on("clientError", (error, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable || responseInFlight(socket)?.headersSent) {
      socket.destroy();
      return;
    }
    const code = /** @type {NodeJS.ErrnoException} */ (error).code ?? "";
    const [status = 400, name, description] = UNREADABLE.get(code) ?? NO_REQUEST;
    const body = JSON.stringify({ error: name, error_description: description });
    const lines = Object.entries({
      ...HEADERS,
      ...headers,
      "content-length": Buffer.byteLength(body),
      date: new Date().toUTCString(),
      connection: "close",
    }).map(([header, value]) => `${header}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
  server.on("checkExpectation", (_request, response) => {
    refuse(response, 417, "expectation_failed", "This expectation can't be met.", {
      ...headers,
      connection: "close",
    });
  });
}
