import { LRUCache } from "lru-cache";
import { Failure } from "@/lib/contracts/failure";
import type { Clock } from "./clock";
import type { MaybePromise } from "./maybe-promise";

/** Concurrent requests per client. */
export const MAX_CONCURRENT = 6;
/** Queued requests per client. */
export const MAX_QUEUED = 60;
/** Maximum time in the queue. */
export const MAX_QUEUED_MS = 10_000;
/** Default limit on requests of a session, a display or a share link client. */
const PER_MINUTE = 600;

const WINDOW_MS = 60_000;
/** Requests are counted in tenths: a 304 response costs one tenth. */
const FULL_COST_TENTHS = 10;
const NOT_MODIFIED_COST_TENTHS = 1;
/** Clients remembered; the least recently used is evicted first. */
const REMEMBERED = 10_000;
/** Seconds until a refused export may be requested again. */
const EXPORT_RETRY_SECONDS = 30;

export const TOO_MANY_REQUESTS = "Too many requests. Try again shortly.";
export const EXPORT_RUNNING = "Another export of yours is still running. Try again when it's done.";

/** Which limit was reached. */
export type RequestLimit = "requests_at_once" | "requests_per_minute" | "exports";

/** Limits per client: concurrent requests, requests per minute, and exports. */
export type RequestLimits = {
  /**
   * Waits for a turn, first come, first served; synchronous while fewer than `AT_ONCE` requests are running.
   * @param clientKey of the client: a session, a display, or a share link and client address
   * @param given.signal aborts when the client has disconnected, which removes the request from the queue
   * @param given.perMinute limit per minute; default 600
   * @param given.refused called with the limit that was reached before the error is thrown
   * @returns a function that ends the turn, to be called once, with the response's status
   * @throws Failure `too_many_requests`
   */
  take(
    clientKey: string,
    given: {
      signal: Pick<AbortSignal, "aborted" | "addEventListener">;
      perMinute?: number;
      refused?: (limit: RequestLimit) => void;
    },
  ): MaybePromise<(status: number) => void>;
  /**
   * Starts an export. A person can have one at a time.
   * @returns a function that ends it; may be called more than once
   * @throws Failure `too_many_requests`
   */
  beginExport(personId: string, refused?: (limit: RequestLimit) => void): () => void;
};

/** What a client has asked for. */
type Client = {
  /** Requests within the window, in tenths. */
  usedTenths: number;
  /** Start of the window, on the monotonic clock. */
  sinceMs: number;
  /** Number of its requests that are running. */
  running: number;
  waiting: (() => void)[];
};

/** Creates the limits. Memory is bounded for any number of clients. */
export function createRequestLimits(clock: Pick<Clock, "monotonicMs" | "sleep">): RequestLimits {
  const clients = new LRUCache<string, Client>({ max: REMEMBERED });
  const exporting = new Set<string>();

  function find(clientKey: string): Client {
    const known = clients.get(clientKey);
    if (known !== undefined) return known;
    const client: Client = { usedTenths: 0, sinceMs: clock.monotonicMs(), running: 0, waiting: [] };
    clients.set(clientKey, client);
    return client;
  }

  /** Counts a request. @returns seconds to wait if it is refused; null: counted */
  function count(client: Client, perMinute: number): number | null {
    const nowMs = clock.monotonicMs();
    if (nowMs - client.sinceMs >= WINDOW_MS) {
      client.usedTenths = 0;
      client.sinceMs = nowMs;
    }
    if (client.usedTenths + FULL_COST_TENTHS > perMinute * FULL_COST_TENTHS) {
      return Math.max(1, Math.ceil((client.sinceMs + WINDOW_MS - nowMs) / 1000));
    }
    client.usedTenths += FULL_COST_TENTHS;
    return null;
  }

  function begin(client: Client): (status: number) => void {
    const { sinceMs } = client;
    return (status) => {
      if (status === 304 && client.sinceMs === sinceMs)
        client.usedTenths -= FULL_COST_TENTHS - NOT_MODIFIED_COST_TENTHS;
      // The longest waiting request takes the slot, before any that arrives meanwhile.
      const next = client.waiting.shift();
      if (next === undefined) client.running -= 1;
      else next();
    };
  }

  return {
    take(clientKey, given) {
      const { refused } = given;
      const client = find(clientKey);
      const retryAfterSeconds = count(client, given.perMinute ?? PER_MINUTE);
      if (retryAfterSeconds !== null) {
        refused?.("requests_per_minute");
        throw tooMany(retryAfterSeconds);
      }
      if (client.running < MAX_CONCURRENT) {
        client.running += 1;
        return begin(client);
      }
      if (client.waiting.length >= MAX_QUEUED) {
        refused?.("requests_at_once");
        throw tooMany(MAX_QUEUED_MS / 1000);
      }
      // Read only here: most requests never wait, and their signal is created when it is first read.
      const { signal } = given;
      return new Promise((resolve, reject) => {
        const over = new AbortController();
        const go = () => {
          over.abort();
          resolve(begin(client));
        };
        const leave = () => {
          over.abort();
          client.waiting = client.waiting.filter((other) => other !== go);
          reject(tooMany(MAX_QUEUED_MS / 1000));
        };
        client.waiting.push(go);
        if (signal.aborted) return leave();
        signal.addEventListener("abort", leave, { once: true, signal: over.signal });
        clock.sleep(MAX_QUEUED_MS, over.signal).then(
          () => {
            refused?.("requests_at_once");
            return leave();
          },
          () => undefined,
        );
      });
    },

    beginExport(personId, refused) {
      if (exporting.has(personId)) {
        refused?.("exports");
        throw new Failure("too_many_requests", EXPORT_RUNNING, {
          retryAfterSeconds: EXPORT_RETRY_SECONDS,
        });
      }
      exporting.add(personId);
      return () => void exporting.delete(personId);
    },
  };
}

function tooMany(retryAfterSeconds: number): Failure {
  return new Failure("too_many_requests", TOO_MANY_REQUESTS, { retryAfterSeconds });
}
