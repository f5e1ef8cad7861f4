import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Where the handler of one request leaves a body that is ready as a whole.
 * @typedef {{ body: Uint8Array | null }} Slot
 */

const KEY = Symbol.for("plumbline.ready-body");
/**
 * Handlers are bundled apart from server.mjs: only `globalThis` is common to them.
 * @type {AsyncLocalStorage<Slot>}
 */
const slots = Reflect.get(globalThis, KEY) ?? new AsyncLocalStorage();
Reflect.set(globalThis, KEY, slots);

/**
 * Lets `handle`, and whatever it awaits, hand a body over to `slot`.
 * @param {Slot} slot
 * @param {() => void} handle
 */
export function takingInto(slot, handle) {
  slots.run(slot, handle);
}

/**
 * Hands a body to the server in front of Next, by reference: through Next it would be copied several
 * times, for every reader. Only for an answer that is JSON with status 200 and an ETag, and that then
 * has no body itself.
 * @param {Uint8Array} body never changed again
 * @returns {boolean} false when nobody is there to take it: send it as usual
 */
export function handOver(body) {
  const slot = slots.getStore();
  if (slot === undefined) return false;
  slot.body = body;
  return true;
}
