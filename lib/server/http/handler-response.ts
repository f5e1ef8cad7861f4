import { sharedState } from "@/lib/server/shared-state";

/**
 * A response that is cheap to produce: handlers return it instead of a `Response` for frequent
 * requests. Immutable, and the same object while the response is unchanged: derived forms, such as
 * a compressed body, are cached with it and collected with it.
 */
export type PlainResponse = {
  status: number;
  /** Lower-case names, without those that the server adds to every response. */
  headers: Readonly<Record<string, string>>;
  /** Null for none. */
  body: Uint8Array<ArrayBuffer> | string | null;
};

/**
 * A response that is generated while it is sent, such as an export: its length is unknown, and only
 * one piece is in memory. `pieces` are read once; the consumer reads them to the end or calls
 * `return`.
 */
export type StreamedResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  pieces: AsyncGenerator<string, void, void>;
};

export type HandlerResponse = Response | PlainResponse | StreamedResponse;

/** Whether an operation returned a response, and not the data of one. */
export function isHandlerResponse(result: HandlerResponse | object): result is HandlerResponse {
  return (
    result instanceof Response ||
    ("status" in result &&
      typeof result.status === "number" &&
      "headers" in result &&
      ("body" in result || "pieces" in result))
  );
}

/** Converts to a `Response`, for Next. */
export function toWebResponse(response: HandlerResponse): Response {
  if (response instanceof Response) return response;
  const { status, headers } = response;
  if ("pieces" in response) return new Response(streamOf(response.pieces), { status, headers });
  const { body } = response;
  const isLong = body !== null && body.length > MAX_CHUNK_BYTES;
  return new Response(isLong ? streamOf(piecesOf(body)) : body, { status, headers });
}

/** Bytes that are sent at once: what sends them, and compresses them, copies them several times. */
const MAX_CHUNK_BYTES = 65_536;

/** The event loop does other work between two pieces. */
async function* piecesOf(body: Uint8Array | string): AsyncGenerator<Uint8Array, void, void> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES) {
    if (at > 0) await new Promise(setImmediate);
    yield bytes.subarray(at, at + MAX_CHUNK_BYTES);
  }
}

/** Generates each piece when it is read; ends the generator when the reader cancels. */
function streamOf(
  pieces: AsyncGenerator<string | Uint8Array, void, void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await pieces.next();
        if (piece.done === true) controller.close();
        else if (typeof piece.value === "string") controller.enqueue(encoder.encode(piece.value));
        else controller.enqueue(piece.value);
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Adds headers, with lower-case constant names, unless the response sets them itself. */
export function withHeaders(
  response: HandlerResponse,
  headers: Readonly<Record<string, string>>,
): HandlerResponse {
  if ("pieces" in response) return { ...response, headers: { ...headers, ...response.headers } };
  if (!(response instanceof Response)) {
    return sharedState(response, "with headers", () => ({
      ...response,
      headers: { ...headers, ...response.headers },
    }));
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}
