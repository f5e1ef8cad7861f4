import { LRUCache } from "lru-cache";
import { SCOPES, type Scope } from "@/lib/contracts/v3";
import { within } from "@/lib/server/waiting";
import type { SpendingHow } from "./budget";
import { type KeptTokens } from "./kept-tokens";
import { createTokenRequest, type Token, type TokenRequestOptions } from "./token-request";
import { isUpstreamFailure, UpstreamFailure, type Lane } from "./upstream";

export type Tokens = {
  /**
   * A token that carries a scope: one for all reading, another, asked for only when needed, to delete.
   * @param onLongWait told when the token has to be waited for, with the time from which it may be there
   * @throws UpstreamFailure; `forbidden` when the upstream does not grant the scope
   */
  get(scope: Scope, lane: Lane, onLongWait?: TellWait): Promise<Token>;
  /**
   * The successor of a token that was answered 401. All who hold that token share one refresh.
   * @returns null when a new token was refused just now as well: asking again would only be noise
   */
  replace(token: Token, scope: Scope, lane: Lane): Promise<Token | null>;
  /** The successor was answered 401 as well. */
  refusedAgain(scope: Scope): void;
  /** A token was answered 403 in spite of its scopes: what we know of them may be out of date. */
  markGrantsStale(): void;
  /** Whether there is a token to read with. */
  canRead(): boolean;
  /** Null before they were learned. */
  granted(): readonly Scope[] | null;
  /** What is granted; learned first when it is not known, and now and then when something is missing. */
  learned(lane: Lane): Promise<readonly Scope[]>;
};

type Purpose = "read" | "write";
type TellWait = (failure: UpstreamFailure) => void;
const purposeOf = (scope: Scope): Purpose => (scope.startsWith("write:") ? "write" : "read");

/** What there is of one kind of token; instants are on our monotonic clock. */
type Slot = {
  token: Token | null;
  flight: Promise<Token> | null;
  /** Those who want to know how long the flight waits for its turn, and what they were told. */
  listeners: Set<TellWait>;
  told: UpstreamFailure | null;
  /** Tokens that were answered 401, so that none of them is taken up again. */
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

/** Between attempts to refresh a token that is still good. */
const REFRESH_AGAIN_MS = 30_000;
const GRANTS_LAST_MS = 86_400_000;
/** After a 401 on a brand-new token; under the usual rhythm, so that each poll may try once. */
const REPLACE_AGAIN_MS = 30_000;
/**
 * Learning again what is granted, when something is missing: first after half a poll, between these, then
 * doubled up to a minute or, if that is longer, a poll: a scope granted at last shows at the normal rhythm.
 */
const LEAST_FIRST_RELEARN_MS = 10_000;
const MOST_FIRST_RELEARN_MS = 30_000;
const LEAST_LONGEST_RELEARN_MS = 60_000;
/** A kept token that ends sooner is not worth taking up. */
const LEAST_LIFE_MS = 30_000;
/** When the daily learning failed. */
const LEARN_AGAIN_MS = 900_000;
/** A person does not wait for a token that waits for the budget: somewhat longer than any one request. */
const PERSON_PATIENCE_MS = 9_000;

/**
 * Who waits for a token goes in this order. Where there are more companies than tokens a minute, each waits for
 * its turn; the more urgent leave nothing, the others some requests of a window to people.
 */
const RANKS = { wanted: 0, needed: 1, refresh: 2, probe: 3 } as const;
/** Requests of a window that are left to others. */
const spareOf = (rank: number) => (rank < RANKS.refresh ? 0 : rank < RANKS.probe ? 1 : 2);
/** Longer than any token that is to be refreshed still lasts. */
const MOST_LEFT_MS = 86_400_000;

/**
 * Creates what keeps a company's tokens.
 * @param options.pollSeconds the normal rhythm
 * @param options.kept tokens that outlive the process; null: none do
 * @param options.isCrowded so many companies share the host's token requests that each gets one token for all it
 *   reads, without learning first what is granted; that is learned when there is room
 * @param options.isRecentlyViewed whether the company was viewed recently: its requests go first
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
  /** False: what may be read is known, whether anything may be deleted is not. */
  let isWhole = false;
  let areKeptGrantsRead = false;
  let noProbeBeforeMs = Number.NEGATIVE_INFINITY;
  let learnedAtMs = 0;
  let learning: Promise<void> | null = null;
  let relearnAfterMs = firstRelearnMs;
  /** The grants may have changed: learn them again before the next use. */
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

  /** Forgets a token for good, here and where it is kept. */
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

  /** How a token request waits: by how urgent it is at that time. */
  function waitingBy(rank: () => number, onLongWait?: TellWait): SpendingHow {
    return {
      rank: () => (isRecentlyViewed() ? RANKS.wanted : rank()),
      spare: () => (isCrowded() ? spareOf(rank()) : 0),
      isPersistent: isCrowded(),
      onLongWait,
    };
  }

  /** Once per process: what was learned before it began. */
  async function takeUpKeptGrants(): Promise<void> {
    if (areKeptGrantsRead || kept === null) return;
    areKeptGrantsRead = true;
    const found = await kept.readGrants();
    if (found === null || grants !== null || found.ageMs > GRANTS_LAST_MS) return;
    grants = found.scopes;
    isWhole = true;
    learnedAtMs = clock.monotonicMs() - Math.max(0, found.ageMs);
  }

  /** Learns the grants with a token that nobody uses: it carries more than any one request needs. */
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

  /** Whether it is time to learn again because something is missing; makes the next time later. */
  function relearnIsDue(): boolean {
    if (clock.monotonicMs() - learnedAtMs < relearnAfterMs) return false;
    relearnAfterMs = Math.min(relearnAfterMs * 2, longestRelearnMs);
    return true;
  }

  /**
   * Asks for the one token that a company needs to be seen, for all that can be read. What it does not tell,
   * whether anything may be deleted, is learned when nobody needs a token any more.
   */
  async function readFirst(lane: Lane, onLongWait?: TellWait): Promise<void> {
    try {
      await current("read", lane, onLongWait);
    } catch (error) {
      // It asks for more than is granted: then there is no way but to learn.
      if (!isUpstreamFailure(error) || error.reason !== "forbidden") throw error;
    }
  }

  /** Learns what is granted besides reading, when there is room; nobody waits. */
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
      // What we know still serves; should it fail, it is tried again after a while.
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
    /** Whose token ends first goes first. */
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
    // The answer's word counts: what it left out is not granted.
    grants = new Set(
      [...(grants ?? scopes)].filter((s) => !scopes.includes(s) || token.scopes.has(s)),
    );
    slot.token = token;
    kept?.write(purpose, token, token.lifeMs);
    return token;
  }

  /** A token that this process does not know yet, of before it began or of another one; null: none is good. */
  async function takeUpKept(purpose: Purpose): Promise<Token | null> {
    const slot = slots[purpose];
    const found = kept === null ? null : await kept.read(purpose);
    const nowMs = clock.monotonicMs();
    if (found === null || slot.refused.has(found.value)) return null;
    // Whoever has none takes what is good for a while; a successor has to be one.
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
      // Nobody waits: the old one is good for another fifth of its life.
      flight(purpose, lane).catch((error: unknown) => {
        log.warn({ company: connection.company, err: error }, "the token was not refreshed");
      });
    }
    return slot.token;
  }

  /** A flight that the collector started may wait for the budget; a person joins it only so long. */
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
        // Nobody waits: what was granted at last shows the next time.
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
