import { SCOPES, type Scope } from "@/lib/contracts/v3";
import { within } from "@/lib/server/waiting";
import { createTokenRequest, type Token, type TokenRequestOptions } from "./token-request";
import { isUpstreamFailure, UpstreamFailure, type Lane } from "./upstream";

export type Tokens = {
  /**
   * A token that carries a scope: one for all reading, another, asked for only when needed, to delete.
   * @throws UpstreamFailure; `forbidden` when the upstream does not grant the scope
   */
  get(scope: Scope, lane: Lane): Promise<Token>;
  /**
   * The successor of a token that was answered 401. All who hold that token share one refresh.
   * @returns null when a new token was refused just now as well: asking again would only be noise
   */
  replace(token: Token, scope: Scope, lane: Lane): Promise<Token | null>;
  /** The successor was answered 401 as well. */
  refusedAgain(scope: Scope): void;
  /** A token was answered 403 in spite of its scopes: what we know of them may be out of date. */
  markGrantsStale(): void;
  /** Null before they were learned. */
  granted(): readonly Scope[] | null;
  /** What is granted; learned first when it is not known, and now and then when something is missing. */
  learned(lane: Lane): Promise<readonly Scope[]>;
};

type Purpose = "read" | "write";
const purposeOf = (scope: Scope): Purpose => (scope.startsWith("write:") ? "write" : "read");

/** What there is of one kind of token; instants are on our monotonic clock. */
type Slot = {
  token: Token | null;
  flight: Promise<Token> | null;
  noRefreshBeforeMs: number;
  noReplaceBeforeMs: number;
};
const emptySlot = (): Slot => ({
  token: null,
  flight: null,
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
/** When the daily learning failed. */
const LEARN_AGAIN_MS = 900_000;
/** A person does not wait for a token that waits for the budget: somewhat longer than any one request. */
const PERSON_PATIENCE_MS = 9_000;
/** @param options.pollSeconds the normal rhythm */
export function createTokens(options: TokenRequestOptions & { pollSeconds: number }): Tokens {
  const { connection, clock, log, pollSeconds } = options;
  const requestToken = createTokenRequest(options);
  const firstRelearnMs = Math.min(
    Math.max(pollSeconds * 500, LEAST_FIRST_RELEARN_MS),
    MOST_FIRST_RELEARN_MS,
  );
  const longestRelearnMs = Math.max(pollSeconds * 1000, LEAST_LONGEST_RELEARN_MS);

  const slots: Readonly<Record<Purpose, Slot>> = { read: emptySlot(), write: emptySlot() };

  let grants: ReadonlySet<Scope> | null = null;
  let learnedAtMs = 0;
  let learning: Promise<void> | null = null;
  let relearnAfterMs = firstRelearnMs;
  /** The grants may have changed: learn them again before the next use. */
  let grantsAreStale = false;

  async function ask(scopes: readonly Scope[] | null, lane: Lane): Promise<Token> {
    try {
      return await requestToken(scopes, lane);
    } catch (error) {
      if (isUpstreamFailure(error) && error.reason === "forbidden") markGrantsStale();
      throw error;
    }
  }

  function noteGrants({ scopes }: Token): void {
    const widened = [...scopes].some((scope) => !grants?.has(scope));
    if (widened) relearnAfterMs = firstRelearnMs;
    if (widened || grantsAreStale) {
      slots.read.token = null;
      slots.write.token = null;
    }
    grants = scopes;
    grantsAreStale = false;
    learnedAtMs = clock.monotonicMs();
  }

  /** Learns the grants with a token that nobody uses: it carries more than any one request needs. */
  function learn(lane: Lane): Promise<void> {
    learning ??= ask(null, lane)
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

  async function currentGrants(scope: Scope, lane: Lane): Promise<ReadonlySet<Scope>> {
    if (grants === null) await learn(lane);
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
    const scopes = SCOPES.filter((scope) => purposeOf(scope) === purpose && grants?.has(scope));
    const token = await ask(scopes, lane);
    // The answer's word counts: what it left out is not granted.
    grants = new Set([...(grants ?? [])].filter((s) => !scopes.includes(s) || token.scopes.has(s)));
    slots[purpose].token = token;
    return token;
  }

  function flight(purpose: Purpose, lane: Lane): Promise<Token> {
    const slot = slots[purpose];
    slot.flight ??= request(purpose, lane).finally(() => {
      slot.flight = null;
    });
    return slot.flight;
  }

  async function current(purpose: Purpose, lane: Lane): Promise<Token> {
    const slot = slots[purpose];
    const nowMs = clock.monotonicMs();
    if (slot.token === null || nowMs >= slot.token.expiresAtMs) return flight(purpose, lane);
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

  async function get(scope: Scope, lane: Lane): Promise<Token> {
    const granted = await currentGrants(scope, lane);
    if (!granted.has(scope)) throw notGranted(scope);
    const token = await current(purposeOf(scope), lane);
    if (!token.scopes.has(scope)) throw notGranted(scope);
    return token;
  }

  async function replace(token: Token, scope: Scope, lane: Lane): Promise<Token | null> {
    const slot = slots[purposeOf(scope)];
    if (slot.token === token) {
      if (clock.monotonicMs() < slot.noReplaceBeforeMs) return null;
      slot.token = null;
    }
    return get(scope, lane);
  }

  const granted = () => (grants === null ? null : SCOPES.filter((scope) => grants?.has(scope)));

  return {
    get: (scope, lane) => waitAsLong(lane, get(scope, lane)),
    replace: (token, scope, lane) => waitAsLong(lane, replace(token, scope, lane)),
    refusedAgain(scope) {
      slots[purposeOf(scope)].noReplaceBeforeMs = clock.monotonicMs() + REPLACE_AGAIN_MS;
    },
    markGrantsStale,
    granted,
    async learned(lane) {
      if (grants === null) await waitAsLong(lane, learn(lane));
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
