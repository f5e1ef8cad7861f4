/**
 * Maximum number of requests that wait on one socket: more than clients send, with bounded memory.
 */
const MAX_WAITING = 500;

/** @typedef {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void} Listener */

/**
 * The response in progress, and waiting requests. By socket.
 * @type {WeakMap<import("node:stream").Duplex, { response: import("node:http").ServerResponse, next: (() => void)[] }>}
 */
const busy = new WeakMap();

/**
 * The response that a socket waits for or receives; undefined: none.
 * @param {import("node:stream").Duplex} socket
 */
export function responseInFlight(socket) {
  return busy.get(socket)?.response;
}

/**
 * One request of a socket at a time: Node starts all pipelined requests at once, so one socket
 * could monopolise the process. The next starts when the previous response has been sent, after
 * requests that arrived on other sockets.
 * @param {Listener} listener
 * @returns {Listener}
 */
export function serializeRequests(listener) {
  return (request, response) => {
    const { socket } = request;
    const known = busy.get(socket);
    if (known === undefined) {
      begin(listener, request, response, []);
    } else if (known.next.length < MAX_WAITING) {
      known.next.push(() => begin(listener, request, response, known.next));
    } else {
      socket.destroy();
    }
  };
}

/**
 * @param {Listener} listener
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {(() => void)[]} next
 */
function begin(listener, request, response, next) {
  const { socket } = request;
  if (socket.destroyed) return;
  busy.set(socket, { response, next });
  response.once("close", () => {
    const following = next.shift();
    if (following === undefined) busy.delete(socket);
    else setImmediate(following);
  });
  listener(request, response);
}
