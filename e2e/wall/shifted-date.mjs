// Preloaded into the app (`NODE_OPTIONS=--import ...`): its wall clock is the last request's header
// `x-test-now` (epoch milliseconds) and advances from there, together with its monotonic clock.
// Weeks pass in minutes, and what is cached for seconds isn't cached for hours.
import { Server } from "node:http";

const RealDate = Date;
const monotonicMs = performance.now.bind(performance);
let shiftMs = 0;
/** How far the monotonic clock is ahead; it never goes back. */
let aheadMs = 0;

performance.now = () => monotonicMs() + aheadMs;

globalThis.Date = /** @type {any} */ (
  class extends RealDate {
    /** @param {unknown[]} given */
    constructor(...given) {
      // @ts-expect-error Date's own overloads
      super(...(given.length === 0 ? [RealDate.now() + shiftMs] : given));
    }

    // Redefined as own properties: Next wraps Date and copies only own ones.
    /** @override @param {string} text */
    static parse(text) {
      return RealDate.parse(text);
    }

    /** @override @param {Parameters<typeof Date.UTC>} given */
    static UTC(...given) {
      return RealDate.UTC(...given);
    }

    /** @override */
    static now() {
      return RealDate.now() + shiftMs;
    }
  }
);

// oxlint-disable-next-line typescript/unbound-method -- called with its own server below
const emit = Server.prototype.emit;
/** @param {any[]} given */
Server.prototype.emit = function (...given) {
  const nowMs = Number(given[1]?.headers?.["x-test-now"]);
  if (given[0] === "request" && nowMs > 0) {
    const before = shiftMs;
    shiftMs = nowMs - RealDate.now();
    aheadMs += Math.max(0, shiftMs - before);
  }
  // @ts-expect-error passed through as it came
  return emit.apply(this, given);
};
