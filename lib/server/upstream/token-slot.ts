import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Scope } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { Grants, Purpose } from "./grants";
import type { KeptTokens } from "./kept-tokens";
import type { Token, TokenRequest } from "./token-request";
import type { Lane, UpstreamFailure } from "./upstream";

/** Called when a token request has to wait long for its turn. */
export type TellWait = (failure: UpstreamFailure) => void;

/** The token for one purpose, shared by all requests. */
export type TokenSlot = {
  /** The token in use; null: there is none, or it expired. */
  held(): Token | null;
  /**
   * Returns the token in use, else requests one, which callers share. Near its expiry the token is refreshed in
   * the background.
   * @throws UpstreamFailure
   */
  current(lane: Lane, onLongWait?: TellWait): Promise<Token>;
  /** Discards the token permanently, in memory and in storage. */
  drop(): void;
  /**
   * Discards a token permanently after a 401.
   * @returns false when no new token may be requested yet, because the last one was rejected as well
   */
  refuse(token: Token): boolean;
  /** Records that the new token got a 401 as well. */
  refusedAgain(): void;
};

/** A token request that callers share. */
type Flight = {
  token: Promise<Token>;
  /** Listeners for how long the request has to wait, and the last notification. */
  listeners: Set<TellWait>;
  reported: UpstreamFailure | null;
};

/** Between attempts to refresh a token that is still valid. */
const REFRESH_AGAIN_MS = 30_000;
/** After a 401 on a new token; shorter than the usual poll interval, so that each poll may try once. */
const REPLACE_AGAIN_MS = 30_000;
/** A stored token with less remaining lifetime isn't worth using. */
const MIN_LIFE_MS = 30_000;

/**
 * @param options.stored persisted tokens; null: none
 * @param options.ask requests a token; `expiresInMs` is the remaining lifetime of the one in use
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
  /** Tokens rejected with 401, so that none of them is reused from storage. */
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

  /** Takes a stored token from before the restart or from another instance; null: none is usable. */
  async function takeUpStored(): Promise<Token | null> {
    const found = stored === null ? null : await stored.read(purpose);
    const nowMs = clock.monotonicMs();
    if (found === null || refused.has(found.value)) return null;
    // Without a token, one with some lifetime left is enough; a replacement must not be due for a refresh.
    const goodUntilMs = inUse === null ? found.expiresAtMs - MIN_LIFE_MS : found.refreshAtMs;
    if (nowMs >= goodUntilMs || found.value === inUse?.value) return null;
    inUse = found;
    grants.noteTakenUp(found.scopes);
    return found;
  }

  function join(lane: Lane, onLongWait?: TellWait): Promise<Token> {
    flight ??= takeOff(lane);
    if (onLongWait !== undefined) {
      flight.listeners.add(onLongWait);
      if (flight.reported !== null) onLongWait(flight.reported);
    }
    return flight.token;
  }

  function takeOff(lane: Lane): Flight {
    const listeners = new Set<TellWait>();
    const started: Flight = {
      listeners,
      reported: null,
      token: request(lane, (failure) => {
        started.reported = failure;
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
        // In the background: the old token is valid for another fifth of its lifetime.
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
