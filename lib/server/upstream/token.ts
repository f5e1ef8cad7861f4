import { SCOPES, type Scope } from "@/lib/contracts/v3";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { within } from "@/lib/server/waiting";
import type { SpendingHow } from "./spend";
import { createGrantLoader, isForbidden } from "./grant-loader";
import { createGrants, purposeOf, type Purpose } from "./grants";
import { type KeptTokens } from "./kept-tokens";
import { createTokenRequest, type Token, type TokenRequestOptions } from "./token-request";
import { createTokenSlot, type TellWait, type TokenSlot } from "./token-slot";
import { isUpstreamFailure, UpstreamFailure, type Lane } from "./upstream";

export type Tokens = {
  /**
   * Returns a token for a scope: one is for all read scopes, another, requested only when needed, is for
   * deletions.
   * @param onLongWait called when the token has to be waited for, with the time when it may be available
   * @throws UpstreamFailure; `forbidden` when the upstream doesn't grant the scope
   */
  get(scope: Scope, lane: Lane, onLongWait?: TellWait): Promise<Token>;
  /**
   * Returns a new token after a 401. Concurrent callers with the same token share one refresh.
   * @returns null when a new token was rejected recently as well, so another attempt would be pointless
   */
  replace(token: Token, scope: Scope, lane: Lane): Promise<Token | null>;
  /** Records that the new token got a 401 as well. */
  refusedAgain(scope: Scope): void;
  /** Records a 403 despite a sufficient scope: known grants may be outdated. */
  markGrantsStale(): void;
  /** Whether there is a valid token for reading. */
  canRead(): boolean;
  /** Whether its first token for reading is still to come: neither received nor refused, nor stored before. */
  isFirstAwaited(): boolean;
  /** Null before they are known. */
  granted(): readonly Scope[] | null;
  /** Returns the grants; loads them first if unknown, and occasionally again when some are missing. */
  learned(lane: Lane): Promise<readonly Scope[]>;
};

/** Limit for user requests waiting for a token behind the budget: slightly longer than any single request. */
const PERSON_PATIENCE_MS = 9_000;

/**
 * Priority of token requests. With more companies than tokens a minute, each waits for its turn; less urgent
 * ones leave some requests of a window to others, and one to each company that has no token yet.
 */
const RANKS = { wanted: 0, needed: 1, refresh: 2, probe: 3 } as const;
/** How long after a rejection the credentials, or the tokens for them, are expected to be rejected again. */
const DOUBT_MS = 5 * MINUTE_MS;
/** Requests of a window to leave to others on a crowded host, besides those for first tokens. */
const spareOf = (rank: number) => (rank < RANKS.probe ? 1 : 2);
/** Longer than the remaining lifetime of any token due for a refresh. */
const MAX_LEFT_MS = 86_400_000;
/** Tokens that expire first are refreshed first. @param expiresInMs of the token in use; 0 or less: none */
const rankOf = (expiresInMs: number) =>
  expiresInMs <= 0
    ? RANKS.needed
    : RANKS.refresh + Math.min(expiresInMs / MAX_LEFT_MS, 1 - Number.EPSILON);

/**
 * Manages a company's tokens.
 * @param options.pollSeconds normal poll interval
 * @param options.kept persisted tokens; null: none
 * @param options.isCrowded whether so many companies share the host's token requests that each gets one token
 * for all reading without loading the grants first; those are loaded when there is room
 * @param options.firstTokensAwaited number of companies at the host for which `isFirstAwaited`
 * @param options.isRecentlyViewed whether the company was viewed recently, which gives its requests priority
 */
export function createTokens(
  options: TokenRequestOptions & {
    pollSeconds: number;
    kept: KeptTokens | null;
    isCrowded: () => boolean;
    firstTokensAwaited: () => number;
    isRecentlyViewed: () => boolean;
  },
): Tokens {
  const { connection, clock, log, pollSeconds, kept, isCrowded, isRecentlyViewed } = options;
  let isFirstAwaited = true;
  /** On our monotonic clock. */
  let doubtedUntilMs = Number.NEGATIVE_INFINITY;
  const requestToken = createTokenRequest(options);
  const grants = createGrants({ clock, pollSeconds, stored: kept });
  const slots: Readonly<Record<Purpose, TokenSlot>> = {
    read: slotOf("read"),
    write: slotOf("write"),
  };
  const loader = createGrantLoader({
    company: connection.company,
    log,
    grants,
    slots,
    isCrowded,
    request: (lane) =>
      ask(
        null,
        lane,
        waitingBy(() => (grants.scopes() === null ? RANKS.needed : RANKS.probe)),
      ),
  });

  function slotOf(purpose: Purpose): TokenSlot {
    return createTokenSlot({
      purpose,
      company: connection.company,
      clock,
      log,
      grants,
      stored: kept,
      ask: (scopes, lane, { expiresInMs, onLongWait }) =>
        ask(
          scopes,
          lane,
          waitingBy(() => rankOf(expiresInMs()), onLongWait),
        ),
    });
  }

  async function ask(
    scopes: readonly Scope[] | null,
    lane: Lane,
    waiting: SpendingHow,
  ): ReturnType<typeof requestToken> {
    try {
      return await requestToken(scopes, lane, waiting);
    } catch (error) {
      if (isForbidden(error)) grants.markStale();
      if (isUpstreamFailure(error) && error.reason === "unauthorized") doubt();
      throw error;
    }
  }

  function doubt(): void {
    doubtedUntilMs = clock.monotonicMs() + DOUBT_MS;
  }

  /** How a token request waits, depending on its current urgency: one that will hardly help, after all others. */
  function waitingBy(urgency: () => number, onLongWait?: TellWait): SpendingHow {
    const rank = () =>
      clock.monotonicMs() < doubtedUntilMs ? Math.max(urgency(), RANKS.probe) : urgency();
    return {
      rank: () => (isRecentlyViewed() ? RANKS.wanted : rank()),
      spare: () =>
        rank() < RANKS.refresh
          ? 0
          : Math.max(options.firstTokensAwaited(), isCrowded() ? spareOf(rank()) : 0),
      isPersistent: isCrowded(),
      onLongWait,
    };
  }

  /**
   * A request started by the collector may wait for the budget; user requests join it only for a limited time.
   */
  async function waitAsLong<T>(lane: Lane, promise: Promise<T>): Promise<T> {
    if (lane !== "people") return promise;
    return within(clock, PERSON_PATIENCE_MS, promise, () => {
      throw new UpstreamFailure("rate_limited", "no token while the token budget is spent");
    });
  }

  async function get(scope: Scope, lane: Lane, onLongWait?: TellWait): Promise<Token> {
    await loader.loadFor(scope, lane, onLongWait);
    if (grants.scopes()?.has(scope) !== true) throw notGranted(scope);
    const token = await slots[purposeOf(scope)].current(lane, onLongWait);
    if (!token.scopes.has(scope)) throw notGranted(scope);
    return token;
  }

  /** As `get`; afterwards the first token isn't awaited any more, unless it only has to wait for its turn. */
  async function getFirst(scope: Scope, lane: Lane, onLongWait?: TellWait): Promise<Token> {
    try {
      const token = await get(scope, lane, onLongWait);
      isFirstAwaited = false;
      return token;
    } catch (error) {
      const isWaiting =
        isUpstreamFailure(error) && (error.isOurs || error.reason === "rate_limited");
      if (!isWaiting) isFirstAwaited = false;
      throw error;
    }
  }

  async function replace(token: Token, scope: Scope, lane: Lane): Promise<Token | null> {
    return slots[purposeOf(scope)].refuse(token) ? get(scope, lane) : null;
  }

  const granted = () =>
    grants.isComplete() ? SCOPES.filter((scope) => grants.scopes()?.has(scope)) : null;

  return {
    get: (scope, lane, onLongWait) =>
      waitAsLong(lane, (isFirstAwaited ? getFirst : get)(scope, lane, onLongWait)),
    replace: (token, scope, lane) => waitAsLong(lane, replace(token, scope, lane)),
    refusedAgain(scope) {
      doubt();
      slots[purposeOf(scope)].refusedAgain();
    },
    markGrantsStale: () => grants.markStale(),
    canRead: () => slots.read.held() !== null,
    isFirstAwaited: () => isFirstAwaited,
    granted,
    async learned(lane) {
      await grants.takeUpStored();
      if (!grants.isComplete()) await waitAsLong(lane, loader.load(lane));
      else loader.reloadMissing(lane);
      return granted() ?? [];
    },
  };
}

function notGranted(scope: Scope): UpstreamFailure {
  return new UpstreamFailure("forbidden", `the upstream does not grant ${scope}`);
}
