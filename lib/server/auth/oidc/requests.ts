import { parseBoundedJson, type JsonBounds } from "@/lib/server/bounded-json";
import type { Clock } from "@/lib/server/clock";
import { ProviderDown } from "./errors";

/** Sends one request: without redirects, with a deadline and a limit on the body. Never rejects. */
export type SendToProvider = (request: {
  method: "GET" | "POST";
  url: URL;
  /** Lower-case names. */
  headers: Record<string, string>;
  body?: string;
}) => Promise<
  | {
      status: number;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      body: Buffer;
    }
  | { failed: string; cause: unknown }
>;

/** Limits of an exchange with the provider, up to the last byte of its answer. */
export const PROVIDER_LIMITS = { wholeMs: 5_000, bodyBytes: 256 * 1024 };
const JSON_BOUNDS: JsonBounds = { bytes: PROVIDER_LIMITS.bodyBytes, depth: 16, parts: 16_384 };
/** Concurrent requests: further ones fail before a slow provider exhausts us. */
const MAX_CONCURRENT = 64;
const CONTACT_MS = 5_000;

/** Result of the last request; `atMs` is on our monotonic clock. */
type Contact = { state: "untried" } | { state: "answering" | "failing"; atMs: number };

export type ProviderRequests = {
  /**
   * Sends one request: with a deadline, limited concurrency, no redirects, and bounded JSON.
   * @throws ProviderDown
   */
  ask: (
    url: string,
    init?: { method?: string; headers?: Record<string, string>; body?: unknown },
  ) => Promise<Response>;
  /** Records that an answer was unusable after all. */
  noteUnusable(): void;
  /** Whether the last request failed. */
  isFailing(): boolean;
  /** Whether the provider answered within the last seconds. */
  hasJustAnswered(): boolean;
};

export function createProviderRequests({
  clock,
  send,
}: {
  clock: Clock;
  send: SendToProvider;
}): ProviderRequests {
  let atOnce = 0;
  let contact: Contact = { state: "untried" };

  function note(state: "answering" | "failing"): void {
    contact = { state, atMs: clock.monotonicMs() };
  }

  return {
    async ask(given, init = {}) {
      const { method, headers = {}, body } = init;
      const url = new URL(given);
      if (atOnce >= MAX_CONCURRENT)
        throw new ProviderDown("too many requests wait for the provider");
      atOnce += 1;
      try {
        const answer = await send({
          method: method === "POST" ? "POST" : "GET",
          url,
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
          ),
          ...(body instanceof URLSearchParams && { body: body.toString() }),
        });
        if ("failed" in answer) throw new ProviderDown(answer.failed, { cause: answer.cause });
        const response = responseOf(answer);
        note("answering");
        return response;
      } catch (error) {
        note("failing");
        throw error instanceof ProviderDown
          ? error
          : new ProviderDown("its answer is refused", { cause: error });
      } finally {
        atOnce -= 1;
      }
    },
    noteUnusable: () => note("failing"),
    isFailing: () => contact.state === "failing",
    hasJustAnswered: () =>
      contact.state === "answering" && clock.monotonicMs() - contact.atMs < CONTACT_MS,
  };
}

/** @throws ProviderDown for a status that is no answer to us; an error for JSON beyond `JSON_BOUNDS` */
function responseOf({
  status,
  headers,
  body,
}: Exclude<Awaited<ReturnType<SendToProvider>>, { failed: string }>): Response {
  if (status >= 500 || status < 200) throw new ProviderDown(`it answered ${status}`);
  if (status >= 300 && status < 400) throw new ProviderDown("it redirects, which is refused");
  const type = String(headers["content-type"] ?? "");
  if (type.includes("json")) parseBoundedJson(body, JSON_BOUNDS);
  const isEmpty = [204, 205].includes(status);
  return new Response(isEmpty ? null : new Uint8Array(body), {
    status,
    headers: { "content-type": type },
  });
}
