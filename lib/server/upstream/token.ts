import { within } from "@/lib/server/waiting";
import {
  ClientSecretPost,
  Configuration,
  allowInsecureRequests,
  clientCredentialsGrant,
  customFetch,
} from "openid-client";
import type { Logger } from "pino";
import { SCOPES, TOKEN_LIFETIME_SECONDS, type Scope } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { Budget } from "./budget";
import type { Exchange } from "./exchange";
import type { HttpAnswer } from "./http";
import { ITEM_BOUNDS, readError, readJson } from "./read-json";
import { redact } from "./redact";
import { isUpstreamFailure, UpstreamFailure, type Connection, type Lane } from "./upstream";

/** A bearer token; it lives in memory only. */
export type Token = {
  /** Secret. */
  value: string;
  scopes: ReadonlySet<Scope>;
  /** On our monotonic clock, which no jump of the wall clock can age. */
  refreshAtMs: number;
  expiresAtMs: number;
};

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

const REFRESH_AT_LIFE_PART = 0.8;
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
/** What a header can carry; servers take 16 kB for all of them. */
const TOKEN_TEXT = /^[\x21-\x7e]{1,8192}$/;

export function createTokens(options: {
  connection: Connection;
  clock: Clock;
  log: Pick<Logger, "warn">;
  budget: Budget;
  exchange: Exchange;
  /** The normal rhythm. */
  pollSeconds: number;
}): Tokens {
  const { connection, clock, log, budget, exchange, pollSeconds } = options;
  const firstRelearnMs = Math.min(
    Math.max(pollSeconds * 500, LEAST_FIRST_RELEARN_MS),
    MOST_FIRST_RELEARN_MS,
  );
  const longestRelearnMs = Math.max(pollSeconds * 1000, LEAST_LONGEST_RELEARN_MS);
  const { clientId, clientSecret } = connection;
  const endpoint = `${connection.baseUrl}/oauth/token`;

  const slots: Readonly<Record<Purpose, Slot>> = { read: emptySlot(), write: emptySlot() };

  let grants: ReadonlySet<Scope> | null = null;
  let learnedAtMs = 0;
  let learning: Promise<void> | null = null;
  let relearnAfterMs = firstRelearnMs;
  /** The grants may have changed: learn them again before the next use. */
  let grantsAreStale = false;

  /**
   * One token request. openid-client builds it and checks the answer; budget, limits and deadline
   * are those of every request of ours, through its fetch hook.
   * @param scopes null asks without `scope`, for whatever is granted
   */
  async function ask(scopes: readonly Scope[] | null, lane: Lane): Promise<Token> {
    const refusedForMs = await budget.refusedForMs(clientId);
    if (refusedForMs > 0) {
      throw new UpstreamFailure("unauthorized", "the credentials were refused a moment ago", {
        retryAtMs: clock.nowMs() + refusedForMs,
      });
    }
    const config = new Configuration(
      { issuer: new URL(endpoint).origin, token_endpoint: endpoint },
      clientId,
      undefined,
      ClientSecretPost(clientSecret),
    );
    // The connection's address says whether it is encrypted; the operator chose it.
    if (endpoint.startsWith("http:")) allowInsecureRequests(config);
    let answered: HttpAnswer | null = null;
    let failure: unknown = null;
    config[customFetch] = async (url, { method, headers, body }) => {
      try {
        answered = await exchange({
          http: {
            method: method === "POST" ? "POST" : "GET",
            url: new URL(url),
            headers: lowerCased(headers),
            body: body instanceof URLSearchParams ? body.toString() : "",
          },
          lane: "token",
          patient: lane !== "people",
          read: judgeToken,
        });
        // Whatever the answer calls itself, it is read as JSON.
        return new Response(new Uint8Array(answered.body), {
          headers: { "content-type": "application/json" },
        });
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    const grant = await clientCredentialsGrant(
      config,
      scopes === null ? {} : { scope: scopes.join(" ") },
    ).catch(async () => {
      // openid-client's errors quote the body, which may hold a token: they go nowhere.
      const known = isUpstreamFailure(failure) ? failure : null;
      throw await settled(known ?? invalid("the token endpoint's answer is not a token"));
    });
    if (!TOKEN_TEXT.test(grant.access_token)) throw invalid("the token is not fit for a header");
    await budget.accepted(clientId);
    const nowMs = clock.monotonicMs();
    const lifeMs = (grant.expires_in ?? TOKEN_LIFETIME_SECONDS) * 1000;
    const given = grant.scope?.split(" ") ?? scopes ?? SCOPES;
    return {
      value: grant.access_token,
      scopes: new Set(SCOPES.filter((scope) => given.includes(scope))),
      refreshAtMs: nowMs + lifeMs * REFRESH_AT_LIFE_PART,
      expiresAtMs: nowMs + lifeMs,
    };
  }

  /** Throws what a refusal means, and refuses what openid-client should not have to parse. */
  function judgeToken(answer: HttpAnswer): HttpAnswer {
    const { status } = answer;
    if (status === 200) {
      readJson(answer, ITEM_BOUNDS);
      return answer;
    }
    const { error, description } = readError(answer.body);
    log.warn(
      {
        company: connection.company,
        httpStatus: status,
        error: redact(error, [clientSecret]),
        description: redact(description, [clientSecret]),
      },
      "the token endpoint refused",
    );
    const detail = { httpStatus: status };
    if (error === "invalid_scope" || status === 403) {
      throw new UpstreamFailure("forbidden", "the scope is not granted", detail);
    }
    if (status === 401 || CREDENTIAL_ERRORS.has(error)) {
      throw new UpstreamFailure("unauthorized", "the credentials were refused", detail);
    }
    throw new UpstreamFailure("invalid_response", `the token endpoint answered ${status}`, detail);
  }

  /** Notes what outlives the failure. */
  async function settled(failure: UpstreamFailure): Promise<UpstreamFailure> {
    if (failure.reason === "forbidden") markGrantsStale();
    if (failure.reason !== "unauthorized") return failure;
    return new UpstreamFailure("unauthorized", failure.message, {
      ...(failure.httpStatus === null ? {} : { httpStatus: failure.httpStatus }),
      retryAtMs: await budget.refused(clientId),
    });
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

const CREDENTIAL_ERRORS: ReadonlySet<string> = new Set([
  "invalid_client",
  "unauthorized_client",
  "unsupported_grant_type",
]);

function notGranted(scope: Scope): UpstreamFailure {
  return new UpstreamFailure("forbidden", `the upstream does not grant ${scope}`);
}

function invalid(message: string): UpstreamFailure {
  return new UpstreamFailure("invalid_response", message);
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
