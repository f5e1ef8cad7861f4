import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Failure } from "@/lib/contracts/failure";
import { isDatabaseOutage } from "@/lib/server/outage";
import { endTokenTurn, takeTokenTurn, type TokenTurn } from "@/lib/server/store/tokens/token-turns";
import {
  MAX_CONCURRENT,
  TOO_MANY_REQUESTS,
  MAX_QUEUED_MS,
  type RequestLimits,
} from "@/lib/server/request-limits";
import type { TokenParts } from "./token-uses";

/** Requests of a token per minute, over all instances. */
export const TOKEN_PER_MINUTE = 120;
const LIMITS = { perMinute: TOKEN_PER_MINUTE, atOnce: MAX_CONCURRENT };
/** How often a request asks whether another instance has ended one. */
const LOOK_AGAIN_MS = 100;
const REMEMBERED = 10_000;

/** What is left of a token's requests in the current minute. */
export type TokenAllowance = { limit: number; remaining: number; resetSeconds: number };

/** Limits of tokens over all instances. */
export type TokenTurns = {
  /**
   * Waits for one of the token's turns.
   * @param given.requestLimits the queue of this instance
   * @param given.allowed called with what is left, also before the error is thrown
   * @returns a function that ends the turn, to be called once, with the response's status
   * @throws Failure `too_many_requests`
   */
  take(
    tokenId: string,
    given: Parameters<RequestLimits["take"]>[1] & {
      requestLimits: RequestLimits;
      allowed: (allowance: TokenAllowance) => void;
    },
  ): Promise<(status: number) => void>;
};

/** Turns are counted in the database; while it is unreachable, each instance counts its own. */
export function createTokenTurns({ database, time, clock, securityLog }: TokenParts): TokenTurns {
  /** End of the window that a token has used up, on the monotonic clock, so that refusals cost no query. */
  const usedUp = new LRUCache<string, number>({ max: REMEMBERED });

  /** One attempt. @returns null: the database doesn't answer, or no longer has the token */
  async function attempt(
    tokenId: string,
    turn: string,
  ): Promise<(TokenTurn & { nowMs: number }) | null> {
    try {
      const { judgedMs: nowMs } = await time.now();
      const taken = await takeTokenTurn(database, { tokenId, turn, nowMs }, LIMITS);
      return taken === null ? null : { ...taken, nowMs };
    } catch (error) {
      if (!isDatabaseOutage(error)) throw error;
      return null;
    }
  }

  function end(tokenId: string, turn: string, status: number): void {
    endTokenTurn(database, { tokenId, turn, isUnchanged: status === 304 }).catch((error: unknown) =>
      securityLog.failed("use_unrecorded", error, null),
    );
  }

  function tooMany(retryAfterSeconds: number): Failure {
    return new Failure("too_many_requests", TOO_MANY_REQUESTS, { retryAfterSeconds });
  }

  return {
    async take(tokenId, { requestLimits, allowed, signal, refused }) {
      const clientKey = `token ${tokenId}`;
      const refuse = (allowance: TokenAllowance): never => {
        allowed(allowance);
        refused?.("requests_per_minute");
        throw tooMany(allowance.resetSeconds);
      };
      const usedUpUntilMs = usedUp.get(tokenId) ?? 0;
      if (usedUpUntilMs > clock.monotonicMs()) {
        refuse(allowanceOf(0, usedUpUntilMs - clock.monotonicMs()));
      }
      const startedMs = clock.monotonicMs();
      const done = await requestLimits.take(clientKey, {
        signal,
        perMinute: Number.POSITIVE_INFINITY,
        ...(refused !== undefined && { refused }),
      });
      const turn = randomUUID();
      try {
        for (;;) {
          const taken = await attempt(tokenId, turn);
          if (taken === null) {
            // Without the database each instance counts its own.
            const doneAlone = await requestLimits.take(`${clientKey} alone`, {
              signal,
              perMinute: TOKEN_PER_MINUTE,
              ...(refused !== undefined && { refused }),
            });
            return (status) => {
              doneAlone(status);
              done(status);
            };
          }
          const leftMs = taken.windowEndsMs - taken.nowMs;
          const allowance = allowanceOf(taken.remaining, leftMs);
          if (taken.isTaken) {
            allowed(allowance);
            return (status) => {
              end(tokenId, turn, status);
              done(status);
            };
          }
          if (taken.remaining === 0) {
            usedUp.set(tokenId, clock.monotonicMs() + leftMs);
            refuse(allowance);
          }
          if (signal.aborted || clock.monotonicMs() - startedMs >= MAX_QUEUED_MS) {
            allowed(allowance);
            refused?.("requests_at_once");
            throw tooMany(MAX_QUEUED_MS / 1000);
          }
          await clock.sleep(LOOK_AGAIN_MS);
        }
      } catch (error) {
        done(500);
        throw error;
      }
    },
  };
}

function allowanceOf(remaining: number, leftMs: number): TokenAllowance {
  return {
    limit: TOKEN_PER_MINUTE,
    remaining,
    resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  };
}
