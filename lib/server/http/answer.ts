import { Readable } from "node:stream";

/**
 * An answer that costs nothing to make: what a handler returns instead of a `Response` where it is asked for
 * most. It is never changed, and the same object is given while the answer is the same: what is made of it,
 * such as a compressed form, is kept with it and goes with it.
 */
export type PlainAnswer = {
  status: number;
  /** Lower-case names, none of which every answer has from the server anyway. */
  headers: Readonly<Record<string, string>>;
  /** Null for none. */
  body: Uint8Array<ArrayBuffer> | string | null;
};

/**
 * An answer that is made while it is sent, such as an export: no one knows its length, and no more of it than a piece is
 * in memory. `pieces` are read once; the consumer reads them to the end or calls `return`.
 */
export type StreamedAnswer = {
  status: number;
  headers: Readonly<Record<string, string>>;
  pieces: AsyncGenerator<string, void, void>;
};

export type Answer = Response | PlainAnswer | StreamedAnswer;

/** The same for who wants a `Response`, such as Next. */
export function asResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer;
  if ("pieces" in answer) {
    const { status, headers, pieces } = answer;
    const bytes = Readable.toWeb(Readable.from(pieces, { objectMode: false, highWaterMark: 1 }));
    return new Response(bytes as ReadableStream<Uint8Array>, { status, headers });
  }
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}

const extended = new WeakMap<PlainAnswer, PlainAnswer>();

/** The answer with these headers too, lower-case and always the same ones, where it does not set them itself. */
export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  if ("pieces" in answer) return { ...answer, headers: { ...headers, ...answer.headers } };
  if (!(answer instanceof Response)) {
    const before = extended.get(answer);
    if (before !== undefined) return before;
    const made = { ...answer, headers: { ...headers, ...answer.headers } };
    extended.set(answer, made);
    return made;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  }
  return answer;
}
