import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { HandlerResponse, StreamedResponse } from "./handler-response";
import { bestEncoding } from "./encoding.mjs";
import { sharedState } from "@/lib/server/shared-state";

type Encoding = "br" | "gzip";
type Bytes = Uint8Array<ArrayBuffer>;

/** Cached bodies are compressed once and sent often; others are compressed for one reader. */
const CACHED = { br: 5, gzip: 6 };
const ONCE = { br: 3, gzip: 4 };
/** Smaller bodies fit into a packet uncompressed. */
const MIN_BYTES = 1_024;
const encoder = new TextEncoder();

/**
 * Sends a handler's response, compressed as the client accepts; synchronously when all of it is
 * available.
 * @param common on every response: names and values in turns, lower case
 */
export function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: HandlerResponse,
  common: readonly string[],
): MaybePromise<void> {
  const headers = [...common];
  if (answer instanceof Response) {
    let vary: string | undefined;
    for (const [name, value] of answer.headers) {
      if (name === "vary") vary = value;
      else add(headers, common, name, value);
    }
    const { status, body } = answer;
    if (body === null) return send(request, response, status, headers, vary, null);
    return answer
      .arrayBuffer()
      .then((buffer) =>
        encodeAndSend(request, response, status, headers, vary, new Uint8Array(buffer), ONCE),
      );
  }
  if ("pieces" in answer) return sendStream(request, response, answer, headers, common);
  const { status, body, headers: own } = answer;
  for (const name in own) if (name !== "vary") add(headers, common, name, own[name] as string);
  if (body === null) return send(request, response, status, headers, own["vary"], null);
  if (typeof body === "string" && Buffer.byteLength(body) < MIN_BYTES) {
    // Node writes a text together with the head: a single system call, which dominates the cost
    // here.
    return send(request, response, status, headers, varying(own["vary"]), body);
  }
  return typeof body === "string"
    ? encodeAndSend(request, response, status, headers, own["vary"], encoder.encode(body), ONCE)
    : encodeAndSend(request, response, status, headers, own["vary"], body, CACHED);
}

/**
 * Streams a response, no faster than it is read.
 * @throws when generating a piece fails, or the client disconnects: the socket is destroyed then,
 *   so that a partial response can't pass for a complete one
 */
async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers: own, pieces }: StreamedResponse,
  headers: string[],
  common: readonly string[],
): Promise<void> {
  for (const [name, value] of Object.entries(own)) add(headers, common, name, value);
  headers.push("vary", "Accept-Encoding");
  if (request.method === "HEAD") {
    await pieces.return();
    response.writeHead(status, headers);
    response.end();
    return;
  }
  const encoding = bestEncoding(request.headers["accept-encoding"]);
  if (encoding !== null) headers.push("content-encoding", encoding);
  response.writeHead(status, headers);
  // Reads one piece ahead.
  const source = Readable.from(pieces, { objectMode: false, highWaterMark: 1 });
  if (encoding === null) await pipeline(source, response);
  else await pipeline(source, encoding === "gzip" ? gzipping() : brotliing(), response);
}

const gzipping = () => createGzip({ level: ONCE.gzip });
const brotliing = () =>
  createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: ONCE.br } });

/** A response's own header overrides the common one; repeated ones, such as cookies, are kept. */
function add(headers: string[], common: readonly string[], name: string, value: string): void {
  const at = common.indexOf(name);
  if (at >= 0 && at % 2 === 0) headers[at + 1] = value;
  else headers.push(name, value);
}

function encodeAndSend(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: string[],
  ownVary: string | undefined,
  body: Bytes,
  quality: typeof CACHED | typeof ONCE,
): MaybePromise<void> {
  const vary = varying(ownVary);
  const encoding =
    body.length < MIN_BYTES ? null : bestEncoding(request.headers["accept-encoding"]);
  if (encoding === null) return send(request, response, status, headers, vary, body);
  headers.push("content-encoding", encoding);
  const compressed =
    quality === CACHED ? cachedForm(body, encoding) : compress(encoding, body, ONCE[encoding]);
  return andThen(compressed, (bytes) => send(request, response, status, headers, vary, bytes));
}

/** Every response with a body varies by encoding. */
const varying = (own: string | undefined): string =>
  own === undefined ? "Accept-Encoding" : `${own}, Accept-Encoding`;

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: string[],
  vary: string | undefined,
  body: Bytes | string | null,
): void {
  if (vary !== undefined) headers.push("vary", vary);
  if (body !== null) headers.push("content-length", String(Buffer.byteLength(body)));
  else if (status !== 304 && status !== 204) headers.push("content-length", "0");
  response.writeHead(status, headers);
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Compressed forms of bodies that handlers give again and again; each is forgotten with its body. */
function cachedForm(body: Bytes, encoding: Encoding): MaybePromise<Bytes> {
  const forms = sharedState(body, "compressed", () => new Map<Encoding, MaybePromise<Bytes>>());
  const known = forms.get(encoding);
  if (known !== undefined) return known;
  const made = compress(encoding, body, CACHED[encoding]).then((compressed) => {
    forms.set(encoding, compressed);
    return compressed;
  });
  forms.set(encoding, made);
  made.catch(() => forms.delete(encoding));
  return made;
}

async function compress(encoding: Encoding, body: Bytes, quality: number): Promise<Bytes> {
  const compressed =
    encoding === "gzip"
      ? await promisify(gzip)(body, { level: quality })
      : await promisify(brotliCompress)(body, {
          params: {
            [constants.BROTLI_PARAM_QUALITY]: quality,
            [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
          },
        });
  // The compressor's buffer is a view of a larger allocation, which the cache would retain.
  return Uint8Array.from(compressed);
}
