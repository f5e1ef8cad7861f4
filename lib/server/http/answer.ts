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
  if ("pieces" in answer) {
    const { status, headers, pieces } = answer;
    return new Response(streamOf(pieces), { status, headers });
  }
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}

/** Generates each piece when it is read; ends the generator when the reader cancels. */
function streamOf(pieces: StreamedAnswer["pieces"]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await pieces.next();
        if (piece.done === true) controller.close();
        else controller.enqueue(encoder.encode(piece.value));
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
