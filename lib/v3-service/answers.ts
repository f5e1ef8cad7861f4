import { V3_ERROR_STATUS, type V3ErrorCode } from "@/lib/contracts/v3";

/** A request as the service reads one: the part of `Request` that it uses. */
export type HttpRequest = Pick<Request, "method" | "url" | "body"> & {
  headers: Pick<Headers, "get">;
};

/** An operation's response, before the headers common to every response are added. */
export type Answer = {
  status: number;
  /** Serialised JSON; null for an empty body. */
  body: Uint8Array<ArrayBuffer> | string | null;
  headers: Record<string, string>;
};

/** A company's data is for its own client only. */
const NO_STORE = { "cache-control": "private, no-store" };

export function jsonAnswer(body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status: 200,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...NO_STORE, ...headers },
  };
}

/** An error body. `description` is safe to log and contains nothing that the caller didn't send. */
export function errorAnswer(
  code: V3ErrorCode,
  description: string,
  headers: Record<string, string> = {},
): Answer {
  return {
    ...jsonAnswer({ error: code, error_description: description }, headers),
    status: V3_ERROR_STATUS[code],
  };
}

/** Ends an operation early; the router sends its response. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(code: V3ErrorCode, description: string, headers: Record<string, string> = {}) {
    super(description);
    this.name = "Refusal";
    this.answer = errorAnswer(code, description, headers);
  }
}
