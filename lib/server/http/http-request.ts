import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/**
 * A request as handlers read it: the subset of `Request` that they use. Creating a full `Request`
 * costs more than most responses.
 */
export type HttpRequest = {
  readonly method: string;
  /** Absolute; with the scheme and host of the request. */
  readonly url: string;
  readonly headers: HttpHeaders;
  /** Null without one. */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  /** Aborts when the client disconnects, possibly after the response is sent. */
  readonly signal: AbortSignal;
};

type HttpHeaders = Iterable<[string, string]> & {
  /** By lower-case name. */
  get(name: string): string | null;
};

/** @param request with the headers that `trueHeaders` sets */
export function httpRequestOf(request: IncomingMessage, response: ServerResponse): HttpRequest {
  return new NodeRequest(request, response);
}

class NodeRequest implements HttpRequest {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #signal: AbortSignal | null = null;
  readonly headers: HttpHeaders;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
    this.headers = new NodeHeaders(request.headers);
  }

  get method(): string {
    return this.#request.method ?? "GET";
  }

  get url(): string {
    return `${String(this.#request.headers["x-plumbline-origin"])}${this.#request.url ?? "/"}`;
  }

  get body(): HttpRequest["body"] {
    if (this.method === "GET" || this.method === "HEAD") return null;
    return Readable.toWeb(this.#request) as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  /** Created on demand: few requests wait for anything. */
  get signal(): AbortSignal {
    if (this.#signal !== null) return this.#signal;
    const hungUp = new AbortController();
    if (this.#response.closed) hungUp.abort();
    else this.#response.once("close", () => hungUp.abort());
    this.#signal = hungUp.signal;
    return this.#signal;
  }
}

class NodeHeaders implements HttpHeaders {
  readonly #headers: IncomingHttpHeaders;

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers;
  }

  get(name: string): string | null {
    const value = this.#headers[name];
    return value === undefined ? null : String(value);
  }

  *[Symbol.iterator](): Iterator<[string, string]> {
    for (const [name, value] of Object.entries(this.#headers)) yield [name, String(value)];
  }
}
