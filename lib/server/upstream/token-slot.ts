import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Scope } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { Grants, Purpose } from "./grants";
import type { KeptTokens } from "./kept-tokens";
import type { Token, TokenRequest } from "./token-request";
import type { Lane, UpstreamFailure } from "./upstream";

/** Told how long a request for a token waits for its turn. */
export type TellWait = (failure: UpstreamFailure) => void;

/** The token of one purpose, which all requests share. */
export type TokenSlot = {
  /** The token in use; null: there is none, or it expired. */
  held(): Token | null;
  /**
   * The token in use, else a new one: callers share one request. One that expires soon is refreshed meanwhile.
   * @throws UpstreamFailure
   */
  current(lane: Lane, onLongWait?: TellWait): Promise<Token>;
  /** Forgets the token for good, here and where it is stored. */
  drop(): void;
  /**
   * A token was answered 401: forgets it for good.
   * @returns false when its successor must not be requested yet, because that was refused just now as well
   */
  refuse(token: Token): boolean;
  /** The successor of a refused token was answered 401 as well. */
  refusedAgain(): void;
};

/** The request for a token that callers share. */
type Flight = {
  token: Promise<Token>;
  /** Those who want to know how long it waits for its turn, and what they were told. */
  listeners: Set<TellWait>;
  told: UpstreamFailure | null;
};

/** Between attempts to refresh a token that is still good. */
const REFRESH_AGAIN_MS = 30_000;
/** After a 401 on a brand-new token; under the usual rhythm, so that each poll may try once. */
const REPLACE_AGAIN_MS = 30_000;
/** A stored token that expires sooner is not worth taking up. */
const LEAST_LIFE_MS = 30_000;

/**
 * @param options.stored tokens that outlive the process; null: none do
 * @param options.ask requests a token, of which `expiresInMs` says how long the one in use still lasts
 */
export function createTokenSlot({
  purpose,
  company,
  clock,
  log,
  grants,
  stored,
  ask,
}: {
  purpose: Purpose;
  company: string;
  clock: Clock;
  log: Pick<Logger, "warn">;
  grants: Pick<Grants, "requestable" | "noteReceived" | "noteTakenUp">;
  stored: Pick<KeptTokens, "read" | "write" | "forget"> | null;
  ask: (
    scopes: readonly Scope[],
    lane: Lane,
    waiting: { expiresInMs: () => number; onLongWait: TellWait },
  ) => ReturnType<TokenRequest>;
}): TokenSlot {
  let inUse: Token | null = null;
  let flight: Flight | null = null;
  /** Tokens that were answered 401, so that none of them is taken up again. */
  const refused = new LRUCache<string, true>({ max: 10 });
  /** On our monotonic clock. */
  const notBefore = {
    refreshMs: Number.NEGATIVE_INFINITY,
    replaceMs: Number.NEGATIVE_INFINITY,
  };

  const expiresInMs = () => (inUse === null ? 0 : inUse.expiresAtMs - clock.monotonicMs());
  const held = () => (expiresInMs() > 0 ? inUse : null);

  async function request(lane: Lane, onLongWait: TellWait): Promise<Token> {
    const before = await takeUpStored();
    if (before !== null) return before;
    const scopes = grants.requestable(purpose);
    const token = await ask(scopes, lane, { expiresInMs, onLongWait });
    grants.noteReceived(scopes, token.scopes);
    inUse = token;
    stored?.write(purpose, token, token.lifeMs);
    return token;
  }

  /** A token that this process does not know yet, of before it began or of another one; null: none is good. */
  async function takeUpStored(): Promise<Token | null> {
    const found = stored === null ? null : await stored.read(purpose);
    const nowMs = clock.monotonicMs();
    if (found === null || refused.has(found.value)) return null;
    // Without a token one that is good for a while will do; a successor must not be due for a refresh itself.
    const goodUntilMs = inUse === null ? found.expiresAtMs - LEAST_LIFE_MS : found.refreshAtMs;
    if (nowMs >= goodUntilMs || found.value === inUse?.value) return null;
    inUse = found;
    grants.noteTakenUp(found.scopes);
    return found;
  }

  function join(lane: Lane, onLongWait?: TellWait): Promise<Token> {
    flight ??= takeOff(lane);
    if (onLongWait !== undefined) {
      flight.listeners.add(onLongWait);
      if (flight.told !== null) onLongWait(flight.told);
    }
    return flight.token;
  }

  function takeOff(lane: Lane): Flight {
    const listeners = new Set<TellWait>();
    const started: Flight = {
      listeners,
      told: null,
      token: request(lane, (failure) => {
        started.told = failure;
        for (const tell of listeners) tell(failure);
      }).finally(() => {
        flight = null;
      }),
    };
    return started;
  }

  function drop(): void {
    if (inUse === null) return;
    refused.set(inUse.value, true);
    stored?.forget(purpose, inUse);
    inUse = null;
  }

  return {
    held,
    async current(lane, onLongWait) {
      const nowMs = clock.monotonicMs();
      const token = held();
      if (token === null) return join(lane, onLongWait);
      if (nowMs >= token.refreshAtMs && nowMs >= notBefore.refreshMs) {
        notBefore.refreshMs = nowMs + REFRESH_AGAIN_MS;
        // No caller waits: the old one is good for another fifth of its life.
        join(lane).catch((error: unknown) => {
          log.warn({ company, err: error }, "the token was not refreshed");
        });
      }
      return token;
    },
    drop,
    refuse(token) {
      refused.set(token.value, true);
      stored?.forget(purpose, token);
      if (inUse !== token) return true;
      if (clock.monotonicMs() < notBefore.replaceMs) return false;
      inUse = null;
      return true;
    },
    refusedAgain() {
      notBefore.replaceMs = clock.monotonicMs() + REPLACE_AGAIN_MS;
    },
  };
}
