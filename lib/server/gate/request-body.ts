import { Failure } from "@/lib/contracts/failure";
import { JsonRefused, parseBoundedJson, type JsonBounds } from "@/lib/server/bounded-json";
import { badRequest, tooLarge } from "./words";

/** `server.mjs` enforces the same limit; handlers check it again. */
const MAX_BODY_BYTES = 64 * 1024;
/** A body at the size limit with as many files as possible contains half as many values. */
const boundsOf = (bytes: number): JsonBounds => ({ bytes, depth: 16, parts: bytes / 8 });

/**
 * The body of a request as text.
 * @throws Failure `payload_too_large` beyond 64 KB, without reading on
 */
export async function readBody(request: Pick<Request, "body">): Promise<string> {
  return (await readBytes(request, MAX_BODY_BYTES)).toString("utf8");
}

/**
 * The JSON of a request; undefined without a body.
 * @param most size limit, bytes
 * @throws Failure `payload_too_large`; `invalid_request`, also for valid but expensive JSON
 */
export async function readJsonBody(
  request: Pick<Request, "body">,
  most = MAX_BODY_BYTES,
): Promise<unknown> {
  const bytes = await readBytes(request, most);
  if (bytes.length === 0) return undefined;
  try {
    return parseBoundedJson(bytes, boundsOf(most));
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error;
    throw new Failure("invalid_request", badRequest(error.message));
  }
}

async function readBytes(request: Pick<Request, "body">, most: number): Promise<Buffer> {
  if (!request.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  // Fails when the client disconnects, which must not count as a database outage.
  const read = () =>
    reader.read().catch(() => {
      throw new Failure("invalid_request", badRequest("ends before its body does"));
    });
  for (let part = await read(); !part.done; part = await read()) {
    bytes += part.value.byteLength;
    if (bytes > most) {
      await reader.cancel();
      throw new Failure("payload_too_large", tooLarge(most));
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks);
}
