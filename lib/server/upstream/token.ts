import { LRUCache } from "lru-cache";
import { SCOPES, type Scope } from "@/lib/contracts/v3";
import { within } from "@/lib/server/waiting";
import type { SpendingHow } from "./budget";
import { type KeptTokens } from "./kept-tokens";
import { createTokenRequest, type Token, type TokenRequestOptions } from "./token-request";
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
  /** Null before they are known. */
  granted(): readonly Scope[] | null;
  /** Returns the grants; loads them first if unknown, and occasionally again when some are missing. */
  learned(lane: Lane): Promise<readonly Scope[]>;
};

type Purpose = "read" | "write";
type TellWait = (failure: UpstreamFailure) => void;
const purposeOf = (scope: Scope): Purpose => (scope.startsWith("write:") ? "write" : "read");

/** State of one kind of token; times are on our monotonic clock. */
type Slot = {
  token: Token | null;
  flight: Promise<Token> | null;
  /** Listeners for how long the request in flight has to wait, and the last notification. */
  listeners: Set<TellWait>;
  told: UpstreamFailure | null;
  /** Tokens rejected with 401, so that none of them is reused from storage. */
  refused: LRUCache<string, true>;
  noRefreshBeforeMs: number;
  noReplaceBeforeMs: number;
};
const emptySlot = (): Slot => ({
  token: null,
  flight: null,
  listeners: new Set(),
  told: null,
  refused: new LRUCache({ max: 10 }),
  noRefreshBeforeMs: Number.NEGATIVE_INFINITY,
  noReplaceBeforeMs: Number.NEGATIVE_INFINITY,
});

/** Between attempts to refresh a token that is still valid. */
const REFRESH_AGAIN_MS = 30_000;
const GRANTS_LAST_MS = 86_400_000;
/** After a 401 on a new token; shorter than the usual poll interval, so that each poll may try once. */
const REPLACE_AGAIN_MS = 30_000;
/**
 * Delay before reloading the grants when some are missing: first half a poll interval within these bounds, then
 * doubled up to a minute or, if longer, one poll interval, so that a newly granted scope is noticed at the
 * normal rate.
 */
const LEAST_FIRST_RELEARN_MS = 10_000;
const MOST_FIRST_RELEARN_MS = 30_000;
const LEAST_LONGEST_RELEARN_MS = 60_000;
/** A stored token with less remaining lifetime isn't worth using. */
const LEAST_LIFE_MS = 30_000;
/** After a failed daily reload. */
const LEARN_AGAIN_MS = 900_000;
/** Limit for user requests waiting for a token behind the budget: slightly longer than any single request. */
const PERSON_PATIENCE_MS = 9_000;

/**
 * Priority of token requests. With more companies than tokens a minute, each waits for its turn; less urgent
 * ones leave some requests of a window to others.
 */
const RANKS = { wanted: 0, needed: 1, refresh: 2, probe: 3 } as const;
/** Requests of a window to leave to others. */
const spareOf = (rank: number) => (rank < RANKS.refresh ? 0 : rank < RANKS.probe ? 1 : 2);
/** Longer than the remaining lifetime of any token due for a refresh. */
const MOST_LEFT_MS = 86_400_000;

/**
 * Manages a company's tokens.
 * @param options.pollSeconds normal poll interval
 * @param options.kept persisted tokens; null: none
 * @param options.isCrowded whether so many companies share the host's token requests that each gets one token
 * for all reading without loading the grants first; those are loaded when there is room
 * @param options.isRecentlyViewed whether the company was viewed recently, which gives its requests priority
 */
export function createTokens(
  options: TokenRequestOptions & {
    pollSeconds: number;
    kept: KeptTokens | null;
    isCrowded: () => boolean;
    isRecentlyViewed: () => boolean;
  },
): Tokens {
  const { connection, clock, log, pollSeconds, kept, isCrowded, isRecentlyViewed } = options;
  const requestToken = createTokenRequest(options);
  const firstRelearnMs = Math.min(
    Math.max(pollSeconds * 500, LEAST_FIRST_RELEARN_MS),
    MOST_FIRST_RELEARN_MS,
  );
  const longestRelearnMs = Math.max(pollSeconds * 1000, LEAST_LONGEST_RELEARN_MS);

  const slots: Readonly<Record<Purpose, Slot>> = { read: emptySlot(), write: emptySlot() };

  let grants: ReadonlySet<Scope> | null = null;
  /** False: only the read grants are known, not whether deleting is granted. */
  let isWhole = false;
  let areKeptGrantsRead = false;
  let noProbeBeforeMs = Number.NEGATIVE_INFINITY;
  let learnedAtMs = 0;
  let learning: Promise<void> | null = null;
  let relearnAfterMs = firstRelearnMs;
  /** The grants may have changed: reload before the next use. */
  let grantsAreStale = false;

  async function ask(
    scopes: readonly Scope[] | null,
    lane: Lane,
    waiting: SpendingHow,
  ): ReturnType<typeof requestToken> {
    try {
      return await requestToken(scopes, lane, waiting);
    } catch (error) {
      if (isUpstreamFailure(error) && error.reason === "forbidden") markGrantsStale();
      throw error;
    }
  }

  /** Discards a token permanently, in memory and in storage. */
  function drop(purpose: Purpose): void {
    const slot = slots[purpose];
    if (slot.token === null) return;
    slot.refused.set(slot.token.value, true);
    kept?.forget(purpose, slot.token);
    slot.token = null;
  }

  function noteGrants({ scopes }: Token): void {
    const before = grants;
    const widened = [...scopes].filter((scope) => !before?.has(scope));
    if (widened.length > 0) relearnAfterMs = firstRelearnMs;
    for (const purpose of ["read", "write"] as const) {
      if (grantsAreStale || widened.some((scope) => purposeOf(scope) === purpose)) drop(purpose);
    }
    grants = scopes;
    isWhole = true;
    grantsAreStale = false;
    learnedAtMs = clock.monotonicMs();
    kept?.writeGrants(scopes);
  }

  /** How a token request waits, depending on its current urgency. */
  function waitingBy(rank: () => number, onLongWait?: TellWait): SpendingHow {
    return {
      rank: () => (isRecentlyViewed() ? RANKS.wanted : rank()),
      spare: () => (isCrowded() ? spareOf(rank()) : 0),
      isPersistent: isCrowded(),
      onLongWait,
    };
  }

  /** Loads the stored grants, once per process. */
  async function takeUpKeptGrants(): Promise<void> {
    if (areKeptGrantsRead || kept === null) return;
    areKeptGrantsRead = true;
    const found = await kept.readGrants();
    if (found === null || grants !== null || found.ageMs > GRANTS_LAST_MS) return;
    grants = found.scopes;
    isWhole = true;
    learnedAtMs = clock.monotonicMs() - Math.max(0, found.ageMs);
  }

  /**
   * Loads the grants with a token that isn't used otherwise, because it carries more than any request needs.
   */
  function learn(lane: Lane): Promise<void> {
    const rank = () => (grants === null ? RANKS.needed : RANKS.probe);
    learning ??= ask(null, lane, waitingBy(rank))
      .then(noteGrants)
      .finally(() => {
        learning = null;
      });
    return learning;
  }

  function markGrantsStale(): void {
    grantsAreStale = true;
  }

  /** Whether to reload the grants because some are missing; delays the next time. */
  function relearnIsDue(): boolean {
    if (clock.monotonicMs() - learnedAtMs < relearnAfterMs) return false;
    relearnAfterMs = Math.min(relearnAfterMs * 2, longestRelearnMs);
    return true;
  }

  /**
   * Requests the one token that a company needs for display, for all reading. Whether deleting is granted is
   * loaded later, when no tokens are pending.
   */
  async function readFirst(lane: Lane, onLongWait?: TellWait): Promise<void> {
    try {
      await current("read", lane, onLongWait);
    } catch (error) {
      // It requests more than is granted, so the grants have to be loaded.
      if (!isUpstreamFailure(error) || error.reason !== "forbidden") throw error;
    }
  }

  /** Loads the other grants in the background when there is room. */
  function probe(): void {
    const nowMs = clock.monotonicMs();
    if (learning !== null || nowMs < noProbeBeforeMs) return;
    noProbeBeforeMs = nowMs + LEARN_AGAIN_MS;
    learn("jobs").catch((error: unknown) => {
      log.warn({ company: connection.company, err: error }, "grants were not learned");
    });
  }

  async function currentGrants(
    scope: Scope,
    lane: Lane,
    onLongWait?: TellWait,
  ): Promise<ReadonlySet<Scope>> {
    await takeUpKeptGrants();
    if (grants === null && isCrowded() && purposeOf(scope) === "read") {
      await readFirst(lane, onLongWait);
    }
    if (grants === null || (!isWhole && !grants.has(scope))) await learn(lane);
    else if (!isWhole) probe();
    else if ((grantsAreStale || !grants.has(scope)) && relearnIsDue()) await learn(lane);
    else if (clock.monotonicMs() - learnedAtMs > GRANTS_LAST_MS) {
      // The known grants stay in use; a failure is retried after a while.
      learnedAtMs += LEARN_AGAIN_MS;
      learn(lane).catch((error: unknown) => {
        log.warn({ company: connection.company, err: error }, "grants were not learned again");
      });
    }
    return grants ?? new Set();
  }

  async function request(purpose: Purpose, lane: Lane): Promise<Token> {
    const slot = slots[purpose];
    const before = await takeUpKept(purpose);
    if (before !== null) return before;
    const scopes = SCOPES.filter(
      (scope) => purposeOf(scope) === purpose && (grants?.has(scope) ?? purpose === "read"),
    );
    /** Tokens that expire first are refreshed first. */
    const rank = () => {
      const { token } = slot;
      const leftMs = token === null ? 0 : token.expiresAtMs - clock.monotonicMs();
      if (token === null || leftMs <= 0) return RANKS.needed;
      return RANKS.refresh + Math.min(leftMs / MOST_LEFT_MS, 1 - Number.EPSILON);
    };
    const onLongWait = (failure: UpstreamFailure) => {
      slot.told = failure;
      for (const tell of slot.listeners) tell(failure);
    };
    const token = await ask(scopes, lane, waitingBy(rank, onLongWait));
    // The response is authoritative: scopes that it omits aren't granted.
    grants = new Set(
      [...(grants ?? scopes)].filter((s) => !scopes.includes(s) || token.scopes.has(s)),
    );
    slot.token = token;
    kept?.write(purpose, token, token.lifeMs);
    return token;
  }

  /** Takes a stored token from before the restart or from another instance; null: none is usable. */
  async function takeUpKept(purpose: Purpose): Promise<Token | null> {
    const slot = slots[purpose];
    const found = kept === null ? null : await kept.read(purpose);
    const nowMs = clock.monotonicMs();
    if (found === null || slot.refused.has(found.value)) return null;
    // Without a token, one with some lifetime left is enough; a replacement must not be due for a refresh.
    const goodUntilMs = slot.token === null ? found.expiresAtMs - LEAST_LIFE_MS : found.refreshAtMs;
    if (nowMs >= goodUntilMs || found.value === slot.token?.value) return null;
    slot.token = found;
    grants ??= found.scopes;
    return found;
  }

  function flight(purpose: Purpose, lane: Lane, onLongWait?: TellWait): Promise<Token> {
    const slot = slots[purpose];
    if (onLongWait !== undefined) {
      slot.listeners.add(onLongWait);
      if (slot.told !== null) onLongWait(slot.told);
    }
    slot.flight ??= request(purpose, lane).finally(() => {
      slot.flight = null;
      slot.listeners.clear();
      slot.told = null;
    });
    return slot.flight;
  }

  async function current(purpose: Purpose, lane: Lane, onLongWait?: TellWait): Promise<Token> {
    const slot = slots[purpose];
    const nowMs = clock.monotonicMs();
    if (slot.token === null || nowMs >= slot.token.expiresAtMs) {
      return flight(purpose, lane, onLongWait);
    }
    if (nowMs >= slot.token.refreshAtMs && nowMs >= slot.noRefreshBeforeMs) {
      slot.noRefreshBeforeMs = nowMs + REFRESH_AGAIN_MS;
      // In the background: the old token is valid for another fifth of its lifetime.
      flight(purpose, lane).catch((error: unknown) => {
        log.warn({ company: connection.company, err: error }, "the token was not refreshed");
      });
    }
    return slot.token;
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
    const granted = await currentGrants(scope, lane, onLongWait);
    if (!granted.has(scope)) throw notGranted(scope);
    const token = await current(purposeOf(scope), lane, onLongWait);
    if (!token.scopes.has(scope)) throw notGranted(scope);
    return token;
  }

  async function replace(token: Token, scope: Scope, lane: Lane): Promise<Token | null> {
    const slot = slots[purposeOf(scope)];
    slot.refused.set(token.value, true);
    kept?.forget(purposeOf(scope), token);
    if (slot.token === token) {
      if (clock.monotonicMs() < slot.noReplaceBeforeMs) return null;
      slot.token = null;
    }
    return get(scope, lane);
  }

  const granted = () =>
    grants === null || !isWhole ? null : SCOPES.filter((scope) => grants?.has(scope));

  return {
    get: (scope, lane, onLongWait) => waitAsLong(lane, get(scope, lane, onLongWait)),
    replace: (token, scope, lane) => waitAsLong(lane, replace(token, scope, lane)),
    refusedAgain(scope) {
      slots[purposeOf(scope)].noReplaceBeforeMs = clock.monotonicMs() + REPLACE_AGAIN_MS;
    },
    markGrantsStale,
    canRead() {
      const { token } = slots.read;
      return token !== null && clock.monotonicMs() < token.expiresAtMs;
    },
    granted,
    async learned(lane) {
      await takeUpKeptGrants();
      if (grants === null || !isWhole) await waitAsLong(lane, learn(lane));
      else if ((grantsAreStale || grants.size < SCOPES.length) && relearnIsDue()) {
        // In the background: newly granted scopes show the next time.
        learn(lane).catch((error: unknown) => {
          log.warn({ company: connection.company, err: error }, "grants were not learned again");
        });
      }
      return granted() ?? [];
    },
  };
}

function notGranted(scope: Scope): UpstreamFailure {
  return new UpstreamFailure("forbidden", `the upstream does not grant ${scope}`);
}
