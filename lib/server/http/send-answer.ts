import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { soon, type Soon } from "@/lib/server/soon";
import type { Answer } from "./answer";
import { bestEncoding } from "./encoding.mjs";

type Encoding = "br" | "gzip";
type Bytes = Uint8Array<ArrayBuffer>;

/** What is kept is compressed once and sent often; what is not is made for one reader. */
const KEPT = { br: 5, gzip: 6 };
const ONCE = { br: 3, gzip: 4 };
/** Smaller bodies fit a packet as they are. */
const LEAST_BYTES = 1_024;

/** Compressed forms of bodies that handlers give again and again; each is forgotten with its body. */
const kept = new WeakMap<Bytes, Map<Encoding, Soon<Bytes>>>();

/**
 * Sends a handler's answer, compressed as the client takes it; at once where all of it is there.
 * @param common on every answer, lower-case names; the answer's own come over them
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  common: Readonly<Record<string, string>>,
): Soon<void> {
  if (answer instanceof Response) {
    const headers = { ...common, ...headersOf(answer) };
    if (answer.body === null) return send(request, response, answer.status, headers, null);
    return answer.arrayBuffer().then((buffer) => {
      const body = new Uint8Array(buffer);
      return soon(encoded(request, headers, body, ONCE), (bytes) =>
        send(request, response, answer.status, headers, bytes),
      );
    });
  }
  const { status, body } = answer;
  const headers: OutgoingHttpHeaders = { ...common };
  for (const name in answer.headers) headers[name.toLowerCase()] = answer.headers[name];
  if (body === null) return send(request, response, status, headers, null);
  const isKept = typeof body !== "string";
  const bytes = isKept ? body : new TextEncoder().encode(body);
  return soon(encoded(request, headers, bytes, isKept ? KEPT : ONCE), (sent) =>
    send(request, response, status, headers, sent),
  );
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body: Bytes | null,
): void {
  if (body !== null) headers["content-length"] = body.length;
  else if (status !== 304 && status !== 204) headers["content-length"] = 0;
  response.writeHead(status, headers);
  response.end(request.method === "HEAD" ? undefined : body);
}

/** The body as the client takes it; says so in `headers`. */
function encoded(
  request: IncomingMessage,
  headers: OutgoingHttpHeaders,
  body: Bytes,
  quality: typeof KEPT | typeof ONCE,
): Soon<Bytes> {
  const { vary } = headers;
  headers["vary"] = vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`;
  if (body.length < LEAST_BYTES) return body;
  const encoding = bestEncoding(request.headers["accept-encoding"]);
  if (encoding === null) return body;
  headers["content-encoding"] = encoding;
  return quality === KEPT ? keptForm(body, encoding) : compress(encoding, body, ONCE[encoding]);
}

function keptForm(body: Bytes, encoding: Encoding): Soon<Bytes> {
  const forms = kept.get(body) ?? new Map<Encoding, Soon<Bytes>>();
  kept.set(body, forms);
  const known = forms.get(encoding);
  if (known !== undefined) return known;
  const made = compress(encoding, body, KEPT[encoding]).then((compressed) => {
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
  // The compressor's own buffer is a view of a larger piece of memory, which would be kept with it.
  return Uint8Array.from(compressed);
}

function headersOf({ headers }: Response): OutgoingHttpHeaders {
  const own: OutgoingHttpHeaders = Object.fromEntries(headers);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) own["set-cookie"] = cookies;
  return own;
}
