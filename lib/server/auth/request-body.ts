import { Failure } from "@/lib/contracts/failure";

/** `server.mjs` holds the same limit; a handler checks for itself. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * The body of a request as text.
 * @throws Failure `payload_too_large` beyond 64 KB, without reading on
 */
export async function readBody(request: Pick<Request, "body">): Promise<string> {
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      await reader.cancel();
      throw new Failure("payload_too_large", "The request is larger than 64 KB.");
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}
