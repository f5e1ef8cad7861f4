import {
  ClientSecretPost,
  Configuration,
  allowInsecureRequests,
  clientCredentialsGrant,
  customFetch,
} from "openid-client";
import type { Logger } from "pino";
import { READ_LIMITS, SCOPES, TOKEN_LIFETIME_SECONDS, type Scope } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { Budget } from "./budget";
import type { SpendingHow } from "./spend";
import type { Exchange } from "./exchange";
import type { HttpAnswer } from "./http";
import { ITEM_BOUNDS, readError, readJson } from "./read-json";
import { redact } from "./redact";
import { isUpstreamFailure, UpstreamFailure, type Connection, type Lane } from "./upstream";

/** A bearer token. */
export type Token = {
  /** Secret. */
  value: string;
  scopes: ReadonlySet<Scope>;
  /** On our monotonic clock, unaffected by jumps of the wall clock. */
  refreshAtMs: number;
  expiresAtMs: number;
};

/** After this part of its lifetime a token is replaced once there is room. */
export const REFRESH_AT_LIFE_PART = 0.8;
/** Fits into a header; servers accept 16 kB for all of them. */
const TOKEN_TEXT = /^[\x21-\x7e]{1,8192}$/;

/** Requests one token. `scopes`: null omits `scope`, which requests everything granted. */
export type TokenRequest = (
  scopes: readonly Scope[] | null,
  lane: Lane,
  waiting?: SpendingHow,
) => Promise<Token & { lifeMs: number }>;

/** Dependencies of token requests. */
export type TokenRequestOptions = {
  connection: Connection;
  clock: Clock;
  log: Pick<Logger, "warn">;
  budget: Budget;
  exchange: Exchange;
};

/**
 * Token requests of one company. openid-client builds them and validates the responses; budget, limits and
 * deadline apply through its fetch hook.
 * @throws UpstreamFailure `forbidden` when a scope isn't granted, `unauthorized` when the credentials were
 * rejected
 */
export function createTokenRequest(options: TokenRequestOptions): TokenRequest {
  const { connection, clock, log, budget, exchange } = options;
  const { clientId, clientSecret } = connection;
  const endpoint = `${connection.baseUrl}/oauth/token`;

  return async (scopes, lane, waiting) => {
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
    // The operator chose in the connection's address whether it is encrypted.
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
          ...(waiting && { waiting }),
          read: judgeToken,
        });
        // Read as JSON regardless of the response's content type.
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
      // Errors of openid-client quote the body, which may contain a token, so they are discarded.
      const known = isUpstreamFailure(failure) ? failure : null;
      throw await settled(known ?? invalid("the token endpoint's answer is not a token"));
    });
    if (!TOKEN_TEXT.test(grant.access_token)) throw invalid("the token is not fit for a header");
    await budget.accepted(clientId);
    const nowMs = clock.monotonicMs();
    // A longer life couldn't be stored.
    const lifeSeconds = Math.min(grant.expires_in ?? TOKEN_LIFETIME_SECONDS, READ_LIMITS.quantity);
    const lifeMs = lifeSeconds * 1000;
    const given = grant.scope?.split(" ") ?? scopes ?? SCOPES;
    return {
      value: grant.access_token,
      scopes: new Set(SCOPES.filter((scope) => given.includes(scope))),
      refreshAtMs: nowMs + lifeMs * REFRESH_AT_LIFE_PART,
      expiresAtMs: nowMs + lifeMs,
      lifeMs,
    };
  };

  /** Throws for rejections, and rejects bodies that openid-client shouldn't parse. */
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

  /** Records a rejection of the credentials, which applies to all instances. */
  async function settled(failure: UpstreamFailure): Promise<UpstreamFailure> {
    if (failure.reason !== "unauthorized") return failure;
    return new UpstreamFailure("unauthorized", failure.message, {
      ...(failure.httpStatus === null ? {} : { httpStatus: failure.httpStatus }),
      retryAtMs: await budget.refused(clientId),
    });
  }
}

const CREDENTIAL_ERRORS: ReadonlySet<string> = new Set([
  "invalid_client",
  "unauthorized_client",
  "unsupported_grant_type",
]);

function invalid(message: string): UpstreamFailure {
  return new UpstreamFailure("invalid_response", message);
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
