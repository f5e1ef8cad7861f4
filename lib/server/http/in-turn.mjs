/**
 * Requests of one socket that may wait for their turn: more than any client sends ahead, and no more memory than
 * what it sent takes a few times over.
 */
const MOST_WAITING = 500;

/** @typedef {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => void} Listener */

/**
 * What is being answered, and what waits for its turn. By socket.
 * @type {WeakMap<import("node:stream").Duplex, { response: import("node:http").ServerResponse, next: (() => void)[] }>}
 */
const busy = new WeakMap();

/**
 * The answer that a socket is waiting for, or getting; undefined: none.
 * @param {import("node:stream").Duplex} socket
 */
export function inFlight(socket) {
  return busy.get(socket)?.response;
}

/**
 * One request of a socket at a time: Node begins all that a client sent ahead at once, and so one socket could keep
 * the process from everybody else. The next begins when the answer before it has been sent, after what came meanwhile
 * from others.
 * @param {Listener} listener
 * @returns {Listener}
 */
export function inTurn(listener) {
  return (request, response) => {
    const { socket } = request;
    const known = busy.get(socket);
    if (known === undefined) {
      begin(listener, request, response, []);
    } else if (known.next.length < MOST_WAITING) {
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
