import {
  createRemoteJWKSet,
  customFetch as joseFetch,
  decodeJwt,
  decodeProtectedHeader,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import {
  authorizationCodeGrant,
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ServerMetadata,
} from "openid-client";
import { z } from "zod";
import type { ClaimSet } from "@/lib/domain/access-rules";
import { parseBoundedJson, type JsonBounds } from "@/lib/server/bounded-json";
import type { Clock } from "@/lib/server/clock";
import { httpUrl } from "@/lib/server/environment";
import { isStorable } from "@/lib/server/store/storable";
import { within } from "@/lib/server/waiting";

/** A provider as it is configured. */
export type ProviderConfig = {
  /** Without trailing slashes; the issuer's own name may have one. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What people call it. */
  name: string;
  /** With `openid` among them, spaces between. */
  scopes: string;
};

/** What a provider said of somebody who has just signed in there, checked. */
export type ProvenPerson = {
  /** Its name for them, which is never another's. */
  subject: string;
  claims: ClaimSet;
  /** Its name for its own session (`sid`); null: none. */
  session: string | null;
  /** Ends its session; secret. */
  idToken: string;
  /** When they last proved who they are there, epoch milliseconds; null: it doesn't say. */
  authenticatedAtMs: number | null;
};

/** Whom a logout token is about: a session of the provider's, or all of somebody's. */
export type LogoutToken = {
  /** Unique to the token, with its issuer. */
  id: string;
  issuedAtMs: number;
} & (
  | { session: string; subject: string | null }
  | {
      session: null;
      subject: string;
    }
);

/** No usable answer: the provider is away, too slow, or answers what no provider does. */
export class ProviderDown extends Error {}

/** It answered, and what it answered is not to be believed. `why`: a word for the log. */
export class ProviderRefused extends Error {
  readonly why: string;
  constructor(why: string) {
    super(`the provider's answer is refused: ${why}`);
    this.why = why;
  }
}

/** It let somebody pass whom it was to ask again who they are, or doesn't say when it asked them. */
export class NotProvenAgain extends ProviderRefused {
  constructor() {
    super("not_proven_again");
  }
}

/** The one OpenID Connect provider that people sign in with. */
export type Provider = {
  config: ProviderConfig;
  name: string;
  issuer: string;
  /**
   * Where people are sent to sign in, and the issuer as it calls itself.
   * @throws ProviderDown
   */
  endpoints(): Promise<{ issuer: string; authorization: string }>;
  /**
   * Redeems the code that somebody came back with.
   * @param params of the address they came to
   * @param checks of the cookies that they left with
   * @throws ProviderDown, ProviderRefused
   */
  redeem(
    redirectUri: string,
    params: Readonly<Record<string, string>>,
    checks: {
      state: string;
      nonce: string;
      codeVerifier: string;
      /** They were to prove anew who they are (`max_age=0`), and left so long ago; null: they weren't asked to. */
      askedAgainMs: number | null;
    },
  ): Promise<ProvenPerson>;
  /** @throws ProviderDown, ProviderRefused */
  readLogoutToken(token: string): Promise<LogoutToken>;
  /**
   * Where the provider's own session is ended; null: it has no such address, or we can't ask which right now.
   * @param idToken says which session; null: it asks them
   */
  endSessionUrl(idToken: string | null, returnTo: string): Promise<string | null>;
  /** Whether it answers, as of the last seconds; asks it if need be, and waits for hardly any time. */
  isAnswering(): Promise<boolean>;
  /** Whether it gave no usable answer when it was asked last. */
  isDown(): boolean;
};

/** Sends one request: follows no redirect, ends in time, and reads no more than it should. Never rejects. */
export type SendToProvider = (request: {
  method: "GET" | "POST";
  url: URL;
  /** Lower-case names. */
  headers: Record<string, string>;
  body?: string;
}) => Promise<
  | {
      status: number;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      body: Buffer;
    }
  | { failed: string; cause: unknown }
>;

/** What keeps a misbehaving provider from holding or filling us: from a request to the last byte of its answer. */
export const PROVIDER_LIMITS = { wholeMs: 5_000, bodyBytes: 256 * 1024 };
const JSON_BOUNDS: JsonBounds = { bytes: PROVIDER_LIMITS.bodyBytes, depth: 16, parts: 16_384 };
/** All that is known of a person is read with each of their sessions. */
const MOST_CLAIM_BYTES = 128 * 1024;
/** Requests of ours at a time: people wait for each other before a slow provider fills us. */
const MOST_AT_ONCE = 64;

const DISCOVERED_MS = 10 * 60_000;
/** What was discovered serves for so long while the provider says nothing new. */
const STALE_MS = 24 * 3_600_000;
/** After its configuration could not be read it is left alone for this long. */
const SILENCE_MS = 2_000;
const CONTACT_MS = 5_000;
/** How often the provider's keys are asked for where a token names one that we don't know. */
const KEYS_COOLDOWN_MS = 5_000;
const PAGE_WAITS_MS = 300;
const SIGN_OUT_WAITS_MS = 1_000;

const CLOCK_TOLERANCE_SECONDS = 60;
/** The end of the year 9999. */
const LAST_INSTANT_SECONDS = 253_402_300_799;
/** A logout token is sent when it is made. */
export const LOGOUT_TOKEN_SECONDS = 10 * 60;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Whoever knows the client's secret must not be able to sign, and nobody `none`. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Of tokens and not of people. */
const PROTOCOL_CLAIMS = new Set([
  "iss",
  "aud",
  "azp",
  "exp",
  "iat",
  "nbf",
  "jti",
  "nonce",
  "sid",
  "auth_time",
  "at_hash",
  "c_hash",
  "s_hash",
]);

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

type Discovered = {
  metadata: z.infer<typeof Metadata>;
  client: Configuration;
  keys: JWTVerifyGetKey;
  atMs: number;
};

export function createProvider(options: {
  config: ProviderConfig;
  clock: Clock;
  send: SendToProvider;
}): Provider {
  const { config, clock, send } = options;
  let atOnce = 0;
  let contact: { isGood: boolean; atMs: number } | null = null;
  let silentUntilMs = Number.NEGATIVE_INFINITY;
  let discovered: Discovered | null = null;
  let discovering: Promise<Discovered> | null = null;

  function noted(isGood: boolean): void {
    contact = { isGood, atMs: clock.monotonicMs() };
  }

  /** Every request to the provider: one deadline, one ceiling, no redirect followed, nothing odd parsed. */
  async function ask(
    given: string,
    init: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Response> {
    const { method, headers = {}, body } = init;
    const url = new URL(given);
    if (atOnce >= MOST_AT_ONCE) throw new ProviderDown("too many requests wait for the provider");
    atOnce += 1;
    try {
      const answer = await send({
        method: method === "POST" ? "POST" : "GET",
        url,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
        ),
        ...(body instanceof URLSearchParams && { body: body.toString() }),
      });
      if ("failed" in answer) throw new ProviderDown(answer.failed, { cause: answer.cause });
      const { status } = answer;
      if (status >= 500 || status < 200) throw new ProviderDown(`it answered ${status}`);
      if (status >= 300 && status < 400) throw new ProviderDown("it redirects, which is refused");
      const type = String(answer.headers["content-type"] ?? "");
      if (type.includes("json")) parseBoundedJson(answer.body, JSON_BOUNDS);
      noted(true);
      const isEmpty = [204, 205].includes(status);
      return new Response(isEmpty ? null : new Uint8Array(answer.body), {
        status,
        headers: { "content-type": type },
      });
    } catch (error) {
      noted(false);
      throw error instanceof ProviderDown
        ? error
        : new ProviderDown("its answer is refused", { cause: error });
    } finally {
      atOnce -= 1;
    }
  }

  async function discover(): Promise<Discovered> {
    const response = await ask(`${config.issuer}/.well-known/openid-configuration`);
    const answered: unknown = await response.json().catch(() => null);
    const parsed = Metadata.safeParse(answered);
    try {
      if (response.status !== 200 || !parsed.success) {
        throw new ProviderDown("its configuration is not one");
      }
      return understand(parsed.data);
    } catch (error) {
      noted(false);
      throw error;
    }
  }

  function understand(metadata: z.infer<typeof Metadata>): Discovered {
    if (metadata.issuer.replace(/(?<!\/)\/+$/, "") !== config.issuer) {
      throw new ProviderDown("its configuration is that of another issuer");
    }
    const isSecure = config.issuer.startsWith("https:");
    for (const name of [
      "authorization_endpoint",
      "token_endpoint",
      "jwks_uri",
      "userinfo_endpoint",
      "end_session_endpoint",
    ] as const) {
      const address = metadata[name];
      if (address === undefined) continue;
      const { origin, pathname, protocol } = new URL(address);
      const isFit = httpUrl.safeParse(`${origin}${pathname}`).success;
      if (!isFit || (isSecure && protocol !== "https:")) {
        throw new ProviderDown(`its ${name} is not an address to go to`);
      }
    }
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authentication = methods.includes("client_secret_basic")
      ? ClientSecretBasic(config.clientSecret)
      : ClientSecretPost(config.clientSecret);
    const algorithms = metadata.id_token_signing_alg_values_supported ?? ["RS256"];
    const client = new Configuration(
      {
        ...metadata,
        id_token_signing_alg_values_supported: algorithms.filter((one) => ALGORITHMS.includes(one)),
      } as ServerMetadata,
      config.clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authentication,
    );
    // The operator chose whether the issuer's address is encrypted.
    if (!isSecure) allowInsecureRequests(client);
    enableNonRepudiationChecks(client);
    client[customFetch] = (url, init) => ask(url, init);
    const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
      // `ask` has a deadline of its own.
      timeoutDuration: 2 * PROVIDER_LIMITS.wholeMs,
      // Anyone can name a key that isn't there: one that is new must not have to wait for long behind that.
      cooldownDuration: KEYS_COOLDOWN_MS,
      [joseFetch]: (url: string) => ask(url),
    });
    return { metadata, client, keys, atMs: clock.monotonicMs() };
  }

  /** Asks it anew, one question at a time, whoever waits for it. */
  async function refreshed(): Promise<Discovered> {
    if (discovering === null && clock.monotonicMs() < silentUntilMs) {
      throw new ProviderDown("it didn't answer a moment ago");
    }
    discovering ??= discover()
      .catch((error: unknown) => {
        silentUntilMs = clock.monotonicMs() + SILENCE_MS;
        throw error;
      })
      .finally(() => (discovering = null));
    discovered = await discovering;
    return discovered;
  }

  async function found(): Promise<Discovered> {
    const known = discovered;
    const ageMs = known === null ? Number.POSITIVE_INFINITY : clock.monotonicMs() - known.atMs;
    if (known !== null && ageMs < DISCOVERED_MS) return known;
    try {
      return await refreshed();
    } catch (error) {
      if (known === null || ageMs > STALE_MS) throw error;
      return known;
    }
  }

  /** Whether it answered within the last seconds. */
  const hasJustAnswered = () =>
    contact !== null && contact.isGood && clock.monotonicMs() - contact.atMs < CONTACT_MS;

  return {
    config,
    name: config.name,
    issuer: config.issuer,

    async endpoints() {
      // Nobody is sent to a page that doesn't answer.
      const { metadata } = await (hasJustAnswered() ? found() : refreshed());
      return { issuer: metadata.issuer, authorization: metadata.authorization_endpoint };
    },

    async redeem(redirectUri, params, { state, nonce, codeVerifier, askedAgainMs }) {
      const { client, metadata } = await found();
      try {
        const tokens = await authorizationCodeGrant(
          client,
          new URL(`${redirectUri}?${new URLSearchParams(params).toString()}`),
          {
            pkceCodeVerifier: codeVerifier,
            expectedState: state,
            expectedNonce: nonce,
            idTokenExpected: true,
          },
        );
        const proven = tokens.claims();
        const idToken = tokens.id_token;
        if (proven === undefined || idToken === undefined) throw new ProviderRefused("no_id_token");
        // Some put into the token only who somebody is, and the rest here.
        const more =
          metadata.userinfo_endpoint === undefined
            ? {}
            : await fetchUserInfo(client, tokens.access_token, proven.sub);
        const claims = ofPerson({ ...more, ...proven });
        if (Buffer.byteLength(JSON.stringify(claims)) > MOST_CLAIM_BYTES) {
          throw new ProviderRefused("too_many_claims");
        }
        // PostgreSQL can't hold it, and what replaced a part of it would be someone else.
        if (!isStorable(proven.sub)) throw new ProviderRefused("odd_characters");
        const { sid } = proven;
        const authTime = instantSeconds(proven.auth_time);
        // All on the provider's clock, so that how wrong it is doesn't matter.
        const agoSeconds = authTime === null ? Number.POSITIVE_INFINITY : proven.iat - authTime;
        if (askedAgainMs !== null && agoSeconds > askedAgainMs / 1000 + CLOCK_TOLERANCE_SECONDS) {
          throw new NotProvenAgain();
        }
        return {
          subject: proven.sub,
          claims,
          session:
            typeof sid === "string" && sid !== "" && sid.length <= 255 && isStorable(sid)
              ? sid
              : null,
          idToken,
          authenticatedAtMs: authTime === null ? null : authTime * 1000,
        };
      } catch (error) {
        throw judged(error);
      }
    },

    async readLogoutToken(token) {
      const { metadata, keys } = await found();
      try {
        refuseForeign(token, { issuer: metadata.issuer, audience: config.clientId });
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ALGORITHMS,
          issuer: metadata.issuer,
          audience: config.clientId,
          requiredClaims: ["iat", "jti"],
          maxTokenAge: LOGOUT_TOKEN_SECONDS,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(clock.nowMs()),
        });
        const { jti, iat, sub, sid, events, nonce } = payload;
        const event =
          typeof events === "object" && events !== null
            ? (events as ClaimSet)[LOGOUT_EVENT]
            : undefined;
        // An ID token is no logout token, whoever sends it.
        if (typeof event !== "object" || event === null || Array.isArray(event)) {
          throw new ProviderRefused("no_logout_event");
        }
        if (nonce !== undefined) throw new ProviderRefused("nonce");
        if (typeof jti !== "string" || jti === "" || iat === undefined) {
          throw new ProviderRefused("no_jti");
        }
        const [subject, session] = [sub, sid].map((one) =>
          typeof one === "string" && one !== "" ? one : null,
        ) as [string | null, string | null];
        if (!isStorable(subject) || !isStorable(session))
          throw new ProviderRefused("odd_characters");
        const about = { id: `${metadata.issuer} ${jti}`, issuedAtMs: iat * 1000 };
        if (session !== null) return { ...about, session, subject };
        if (subject !== null) return { ...about, session, subject };
        throw new ProviderRefused("neither_sid_nor_sub");
      } catch (error) {
        throw judged(error);
      }
    },

    async endSessionUrl(idToken, returnTo) {
      const known = await within(clock, SIGN_OUT_WAITS_MS, found(), () => null).catch(() => null);
      const endpoint = known?.metadata.end_session_endpoint;
      if (endpoint === undefined) return null;
      const url = new URL(endpoint);
      if (idToken !== null) url.searchParams.set("id_token_hint", idToken);
      url.searchParams.set("client_id", config.clientId);
      url.searchParams.set("post_logout_redirect_uri", returnTo);
      return url.href;
    },

    async isAnswering() {
      if (!hasJustAnswered()) {
        const asked = refreshed().catch(() => null);
        await within(clock, PAGE_WAITS_MS, asked, () => null);
      }
      return contact?.isGood ?? true;
    },

    isDown: () => contact?.isGood === false,
  };
}

/**
 * Refuses what says of itself that it's no token of this issuer for us, before a signature is checked or a key asked for.
 * @throws ProviderRefused, or what the library throws for what is no token at all
 */
function refuseForeign(
  token: string,
  { issuer, audience }: { issuer: string; audience: string },
): void {
  const { alg } = decodeProtectedHeader(token);
  if (alg === undefined || !ALGORITHMS.includes(alg)) throw new ProviderRefused("algorithm");
  const { iss, aud } = decodeJwt(token);
  if (iss !== issuer) throw new ProviderRefused("another_issuer");
  if (![aud].flat().includes(audience)) throw new ProviderRefused("another_audience");
}

/** Whole seconds since 1970 that a date can hold; null: it is none. */
function instantSeconds(given: unknown): number | null {
  const isInstant = typeof given === "number" && given > 0 && given <= LAST_INSTANT_SECONDS;
  return isInstant ? Math.floor(given) : null;
}

function ofPerson(claims: ClaimSet): ClaimSet {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !PROTOCOL_CLAIMS.has(name)));
}

/** What libraries throw may quote tokens: only their codes are told on. */
function judged(error: unknown): Error {
  let cause = error;
  let code: string | null = null;
  for (let depth = 0; depth < 6 && cause instanceof Error; depth++) {
    if (cause instanceof ProviderDown || cause instanceof ProviderRefused) return cause;
    const given: unknown = Reflect.get(cause, "error") ?? Reflect.get(cause, "code");
    if (typeof given === "string" && /^\w{1,64}$/.test(given)) code = given;
    cause = cause.cause;
  }
  return new ProviderRefused((code ?? "unreadable").toLowerCase());
}
