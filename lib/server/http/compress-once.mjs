import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const compressors = {
  br: (/** @type {Uint8Array} */ body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (/** @type {Uint8Array} */ body) => promisify(gzip)(body, { level: 6 }),
};

/** @typedef {"br" | "gzip"} Encoding */

/**
 * Compresses an answer that carries an ETag once and keeps it, whoever asks. Next drops
 * `content-encoding` from its handlers, so this happens in front of it.
 * @param {{ maxBytes: number }} limits the least recently used answers go first beyond `maxBytes`
 */
export function createCompressOnce({ maxBytes }) {
  /** @type {Map<string, Promise<Buffer>>} */
  const kept = new Map();
  let keptBytes = 0;

  /**
   * @param {string} key
   * @param {Encoding} encoding
   * @param {Uint8Array} body
   */
  function compressed(key, encoding, body) {
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const made = compressors[encoding](body);
    kept.set(key, made);
    void keep(key, made);
    return made;
  }

  /**
   * Makes room for what was just made, and forgets what could not be.
   * @param {string} key
   * @param {Promise<Buffer>} made
   */
  async function keep(key, made) {
    try {
      keptBytes += (await made).length;
      while (keptBytes > maxBytes && kept.size > 1) {
        const [oldest] = kept;
        if (oldest === undefined) break;
        kept.delete(oldest[0]);
        keptBytes -= (await oldest[1]).length;
      }
    } catch {
      kept.delete(key);
    }
  }

  /**
   * Takes over the sending of JSON answers that carry an ETag; all others pass untouched.
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   * @param {import("./ready-body.mjs").Slot} slot the body, where the handler handed it over
   */
  return function compressOnce(request, response, slot) {
    if (request.method !== "GET") return;
    const encoding = bestEncoding(request.headers["accept-encoding"]);
    /** Node's overloads are many; what is passed goes through as it came. @type {Record<string, any>} */
    const through = {
      write: response.write.bind(response),
      end: response.end.bind(response),
      flushHeaders: response.flushHeaders.bind(response),
    };
    /** @type {Buffer[] | null} */
    let held = null;
    let decided = false;

    /** @param {Uint8Array} body */
    async function send(body) {
      const key = `${encoding} ${request.url} ${String(response.getHeader("etag"))}`;
      let sent = body;
      if (encoding !== null) {
        response.appendHeader("vary", "accept-encoding");
        try {
          sent = await compressed(key, encoding, body);
          response.setHeader("content-encoding", encoding);
        } catch {
          // It is sent as it is.
        }
      }
      response.setHeader("content-length", sent.length);
      through.end(sent);
    }

    function decide() {
      if (decided) return;
      decided = true;
      const type = String(response.getHeader("content-type") ?? "");
      const mine =
        response.statusCode === 200 &&
        response.hasHeader("etag") &&
        !response.hasHeader("content-encoding") &&
        type.startsWith("application/json");
      if (mine && (encoding !== null || slot.body !== null)) held = [];
    }

    response.flushHeaders = () => {
      decide();
      if (held === null) through.flushHeaders();
    };
    response.write = (/** @type {any} */ chunk, /** @type {any[]} */ ...rest) => {
      decide();
      if (held === null) return through.write(chunk, ...rest);
      held.push(Buffer.from(chunk));
      return true;
    };
    response.end = (/** @type {any} */ chunk, /** @type {any[]} */ ...rest) => {
      decide();
      if (held === null) return through.end(chunk, ...rest);
      if (chunk !== undefined && chunk !== null && typeof chunk !== "function") {
        held.push(Buffer.from(chunk));
      }
      void send(slot.body ?? Buffer.concat(held));
      return response;
    };
  };
}

/**
 * @param {string | string[] | undefined} accepted the `Accept-Encoding` header
 * @returns {Encoding | null}
 */
export function bestEncoding(accepted) {
  const offers = new Map(
    String(accepted ?? "")
      .toLowerCase()
      .split(",")
      .map((offer) => {
        const [name = "", ...parameters] = offer.trim().split(/\s*;\s*/);
        const quality = parameters.find((parameter) => parameter.startsWith("q="));
        return [name, quality === undefined ? 1 : Number(quality.slice(2))];
      }),
  );
  if ((offers.get("br") ?? 0) > 0) return "br";
  if ((offers.get("gzip") ?? 0) > 0) return "gzip";
  return null;
}
