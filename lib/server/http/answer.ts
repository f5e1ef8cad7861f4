import { sharedState } from "@/lib/server/shared-state";

/**
 * A response that is cheap to produce: handlers return it instead of a `Response` for frequent
 * requests. Immutable, and the same object while the response is unchanged: derived forms, such as
 * a compressed body, are cached with it and collected with it.
 */
export type PlainAnswer = {
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
export type StreamedAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  pieces: AsyncGenerator<string, void, void>;
};

export type Answer = Response | PlainAnswer | StreamedAnswer;

/** Whether what an operation made is an answer, and not the data of one. */
export function isAnswer(made: Answer | object): made is Answer {
  return (
    made instanceof Response ||
    ("status" in made &&
      typeof made.status === "number" &&
      "headers" in made &&
      ("body" in made || "pieces" in made))
  );
}

/** Converts to a `Response`, for Next. */
export function asResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer;
  const { status, headers } = answer;
  if ("pieces" in answer) return new Response(streamOf(answer.pieces), { status, headers });
  const { body } = answer;
  const isLong = body !== null && body.length > LONGEST_PIECE;
  return new Response(isLong ? streamOf(piecesOf(body)) : body, { status, headers });
}

/** Bytes that are sent at once: what sends them, and compresses them, copies them several times. */
const LONGEST_PIECE = 65_536;

/** The event loop does other work between two pieces. */
async function* piecesOf(body: Uint8Array | string): AsyncGenerator<Uint8Array, void, void> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  for (let at = 0; at < bytes.length; at += LONGEST_PIECE) {
    if (at > 0) await new Promise(setImmediate);
    yield bytes.subarray(at, at + LONGEST_PIECE);
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
export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  if ("pieces" in answer) return { ...answer, headers: { ...headers, ...answer.headers } };
  if (!(answer instanceof Response)) {
    return sharedState(answer, "with headers", () => ({
      ...answer,
      headers: { ...headers, ...answer.headers },
    }));
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  }
  return answer;
}
