// Preloaded into the app (`NODE_OPTIONS=--import ...`): its wall clock is what the last request's header
// `x-test-now` says (epoch ms), going on from there. Time of weeks passes in minutes.
import { Server } from "node:http";

const RealDate = Date;
let shiftMs = 0;

globalThis.Date = /** @type {any} */ (
  class extends RealDate {
    /** @param {unknown[]} given */
    constructor(...given) {
      // @ts-expect-error Date's own overloads
      super(...(given.length === 0 ? [RealDate.now() + shiftMs] : given));
    }

    // Own ones too: Next wraps Date and copies only what is its own.
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
  if (given[0] === "request" && nowMs > 0) shiftMs = nowMs - RealDate.now();
  // @ts-expect-error passed through as it came
  return emit.apply(this, given);
};
