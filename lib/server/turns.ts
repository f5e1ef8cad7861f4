import { LRUCache } from "lru-cache";
import { Failure } from "@/lib/contracts/failure";
import type { Clock } from "./clock";
import type { MaybePromise } from "./maybe-promise";

/** Of one asker: requests in work, ... */
export const AT_ONCE = 6;
/** ... those that wait their turn, ... */
export const WAITING = 60;
/** ... and for how long they do. */
export const WAIT_MS = 10_000;
/** Requests of a person's browser, a display or the reader of a link within a minute. */
const PER_MINUTE = 600;

const WINDOW_MS = 60_000;
/** Counted in tenths of a request: an answer that says that nothing has changed costs one of them. */
const WHOLE = 10;
const UNCHANGED = 1;
/** The principal that asked longest ago is forgotten first. */
const REMEMBERED = 10_000;
/** Seconds before an export that was refused may be requested again. */
const EXPORT_RETRY_SECONDS = 30;

export const TOO_MANY_REQUESTS = "You have asked for too much at once. Try again shortly.";
export const EXPORT_RUNNING = "Another export of yours is still running. Try again when it's done.";

/** Which limit was reached. */
export type TurnLimit = "requests_at_once" | "requests_per_minute" | "exports";

/** What one asker may make the server do at a time. */
export type Turns = {
  /**
   * Waits for a turn, in the order of asking; at once while there is room.
   * @param asker a session, a display, or a share link together with an address
   * @param given.signal aborts when the client has hung up: nothing waits any more then
   * @param given.perMinute how many requests of this asker a minute takes; 600 unless given
   * @param given.refused told which limit was reached before this throws
   * @returns what ends the turn, to be called once, with the answer's status
   * @throws Failure `too_many_requests`
   */
  take(
    asker: string,
    given: {
      signal: Pick<AbortSignal, "aborted" | "addEventListener">;
      perMinute?: number;
      refused?: (limit: TurnLimit) => void;
    },
  ): MaybePromise<(status: number) => void>;
  /**
   * Begins an export, of which a person has one at a time.
   * @returns what ends it; may be called more than once
   * @throws Failure `too_many_requests`
   */
  beginExport(personId: string, refused?: (limit: TurnLimit) => void): () => void;
};

type Asker = {
  /** Requests within the window, in tenths, and when it began, on the monotonic clock. */
  used: number;
  sinceMs: number;
  inWork: number;
  waiting: (() => void)[];
};

/** Limits by asker; bounded, however many there are. */
export function createTurns(clock: Pick<Clock, "monotonicMs" | "sleep">): Turns {
  const askers = new LRUCache<string, Asker>({ max: REMEMBERED });
  const exporting = new Set<string>();

  function find(name: string): Asker {
    const known = askers.get(name);
    if (known !== undefined) return known;
    const asker: Asker = { used: 0, sinceMs: clock.monotonicMs(), inWork: 0, waiting: [] };
    askers.set(name, asker);
    return asker;
  }

  /** @returns seconds to wait; null: it is counted */
  function count(asker: Asker, perMinute: number): number | null {
    const nowMs = clock.monotonicMs();
    if (nowMs - asker.sinceMs >= WINDOW_MS) Object.assign(asker, { used: 0, sinceMs: nowMs });
    if (asker.used + WHOLE > perMinute * WHOLE) {
      return Math.max(1, Math.ceil((asker.sinceMs + WINDOW_MS - nowMs) / 1000));
    }
    asker.used += WHOLE;
    return null;
  }

  function begin(asker: Asker): (status: number) => void {
    const { sinceMs } = asker;
    return (status) => {
      if (status === 304 && asker.sinceMs === sinceMs) asker.used -= WHOLE - UNCHANGED;
      // The longest waiting request takes the slot, before any that arrives meanwhile.
      const next = asker.waiting.shift();
      if (next === undefined) asker.inWork -= 1;
      else next();
    };
  }

  return {
    take(name, { signal, perMinute = PER_MINUTE, refused }) {
      const asker = find(name);
      const retryAfterSeconds = count(asker, perMinute);
      if (retryAfterSeconds !== null) {
        refused?.("requests_per_minute");
        throw tooMany(retryAfterSeconds);
      }
      if (asker.inWork < AT_ONCE) {
        asker.inWork += 1;
        return begin(asker);
      }
      if (asker.waiting.length >= WAITING) {
        refused?.("requests_at_once");
        throw tooMany(WAIT_MS / 1000);
      }
      return new Promise((resolve, reject) => {
        const over = new AbortController();
        const go = () => {
          over.abort();
          resolve(begin(asker));
        };
        const leave = () => {
          over.abort();
          asker.waiting = asker.waiting.filter((other) => other !== go);
          reject(tooMany(WAIT_MS / 1000));
        };
        asker.waiting.push(go);
        if (signal.aborted) return leave();
        signal.addEventListener("abort", leave, { once: true, signal: over.signal });
        clock.sleep(WAIT_MS, over.signal).then(
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
