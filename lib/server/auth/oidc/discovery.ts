import { createRemoteJWKSet, customFetch as joseFetch, type JWTVerifyGetKey } from "jose";
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  type ServerMetadata,
} from "openid-client";
import { z } from "zod";
import type { Clock } from "@/lib/server/clock";
import { httpUrl } from "@/lib/server/environment";
import { ProviderDown } from "./errors";
import { PROVIDER_LIMITS, type ProviderRequests } from "./requests";

/** A configured provider. */
export type ProviderConfig = {
  /** Without trailing slashes; the issuer in the provider's metadata may have one. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Display name. */
  name: string;
  /** Separated by spaces; `openid` is among them. */
  scopes: string;
};

const DISCOVERED_MS = 10 * 60_000;
/** Discovered metadata stays in use for this long while the provider is down. */
const STALE_MS = 24 * 3_600_000;
/** Pause after a failed discovery. */
const SILENCE_MS = 2_000;
/** Minimum time between two requests for the provider's keys because of an unknown key. */
const KEYS_COOLDOWN_MS = 5_000;
export const CLOCK_TOLERANCE_SECONDS = 60;
/** Asymmetric ones only: knowing the client's secret must not be enough to sign. */
export const ALGORITHMS = [
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

type Metadata = z.infer<typeof Metadata>;

/** What the provider published about itself; `atMs` is on our monotonic clock. */
export type Discovered = {
  metadata: Metadata;
  client: Configuration;
  keys: JWTVerifyGetKey;
  atMs: number;
};

export type Discovery = {
  /**
   * What was discovered within the last minutes; while the provider is down, within a day.
   * @throws ProviderDown
   */
  current(): Promise<Discovered>;
  /**
   * Discovers again; callers share one request.
   * @throws ProviderDown, at once when a discovery has just failed
   */
  refresh(): Promise<Discovered>;
};

export function createDiscovery({
  config,
  clock,
  requests,
}: {
  config: ProviderConfig;
  clock: Clock;
  requests: ProviderRequests;
}): Discovery {
  let discovered: Discovered | null = null;
  let flight: Promise<Discovered> | null = null;
  let silentUntilMs = Number.NEGATIVE_INFINITY;

  async function discover(): Promise<Discovered> {
    const response = await requests.ask(`${config.issuer}/.well-known/openid-configuration`);
    const answered: unknown = await response.json().catch(() => null);
    const parsed = Metadata.safeParse(answered);
    try {
      if (response.status !== 200 || !parsed.success) {
        throw new ProviderDown("its configuration is not one");
      }
      const metadata = parsed.data;
      checkMetadata(metadata, config);
      return {
        metadata,
        client: clientOf(metadata, config, requests.ask),
        keys: keysOf(metadata, requests.ask),
        atMs: clock.monotonicMs(),
      };
    } catch (error) {
      requests.noteUnusable();
      throw error;
    }
  }

  async function refresh(): Promise<Discovered> {
    if (flight === null && clock.monotonicMs() < silentUntilMs) {
      throw new ProviderDown("it didn't answer a moment ago");
    }
    flight ??= discover()
      .catch((error: unknown) => {
        silentUntilMs = clock.monotonicMs() + SILENCE_MS;
        throw error;
      })
      .finally(() => (flight = null));
    discovered = await flight;
    return discovered;
  }

  return {
    refresh,
    async current() {
      const known = discovered;
      const ageMs = known === null ? Number.POSITIVE_INFINITY : clock.monotonicMs() - known.atMs;
      if (known !== null && ageMs < DISCOVERED_MS) return known;
      try {
        return await refresh();
      } catch (error) {
        if (known === null || ageMs > STALE_MS) throw error;
        return known;
      }
    },
  };
}

/** Whether the operator chose an encrypted address. */
const isSecure = ({ issuer }: ProviderConfig) => issuer.startsWith("https:");

/** @throws ProviderDown for metadata of another issuer, or with an address that must not be used */
function checkMetadata(metadata: Metadata, config: ProviderConfig): void {
  if (metadata.issuer.replace(/(?<!\/)\/+$/, "") !== config.issuer) {
    throw new ProviderDown("its configuration is that of another issuer");
  }
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
    if (!isFit || (isSecure(config) && protocol !== "https:")) {
      throw new ProviderDown(`its ${name} is not an address to go to`);
    }
  }
}

/** @returns the OpenID Connect client, whose requests all go through `ask` */
function clientOf(
  metadata: Metadata,
  config: ProviderConfig,
  ask: ProviderRequests["ask"],
): Configuration {
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
  // Plain HTTP only if the configured issuer uses it.
  if (!isSecure(config)) allowInsecureRequests(client);
  enableNonRepudiationChecks(client);
  client[customFetch] = (url, init) => ask(url, init);
  return client;
}

/** @returns the provider's signing keys, loaded through `ask` when a token needs them */
function keysOf({ jwks_uri: address }: Metadata, ask: ProviderRequests["ask"]): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(address), {
    // Longer than the deadline in `ask`, which applies first.
    timeoutDuration: 2 * PROVIDER_LIMITS.wholeMs,
    // Short, because any token may name an unknown key, and must not delay the loading of a new one for long.
    cooldownDuration: KEYS_COOLDOWN_MS,
    [joseFetch]: (url: string) => ask(url),
  });
}
