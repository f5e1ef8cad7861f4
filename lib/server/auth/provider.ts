import type { Clock } from "@/lib/server/clock";
import { within } from "@/lib/server/waiting";
import { createDiscovery, type ProviderConfig } from "./oidc/discovery";
import { toProviderError } from "./oidc/errors";
import { createProviderRequests, type SendToProvider } from "./oidc/requests";
import {
  redeemCode,
  verifyLogoutToken,
  type LogoutToken,
  type ProvenPerson,
  type SignInChecks,
} from "./oidc/tokens";

/** The one OpenID Connect provider that people sign in with. */
export type Provider = {
  config: ProviderConfig;
  name: string;
  issuer: string;
  /**
   * The authorization endpoint, and the issuer as given in the provider's metadata.
   * @throws ProviderDown
   */
  endpoints(): Promise<{ issuer: string; authorization: string }>;
  /**
   * Redeems the authorization code of a person who returned from the provider.
   * @param params of the address they returned to
   * @throws ProviderDown, ProviderRefused
   */
  redeem(
    redirectUri: string,
    params: Readonly<Record<string, string>>,
    checks: SignInChecks,
  ): Promise<ProvenPerson>;
  /** @throws ProviderDown, ProviderRefused */
  readLogoutToken(token: string): Promise<LogoutToken>;
  /**
   * The URL that ends the provider's session; null: it has no such endpoint, or its metadata is unavailable.
   * @param idToken identifies the session; null: the provider asks the person
   */
  endSessionUrl(idToken: string | null, returnTo: string): Promise<string | null>;
  /** Whether it is reachable, as of the last 5 s. Sends a request if necessary, and waits for at most 300 ms. */
  isAnswering(): Promise<boolean>;
  /** Whether the last request to it failed. */
  isDown(): boolean;
};

const PAGE_WAITS_MS = 300;
const SIGN_OUT_WAITS_MS = 1_000;

export function createProvider({
  config,
  clock,
  send,
}: {
  config: ProviderConfig;
  clock: Clock;
  send: SendToProvider;
}): Provider {
  const requests = createProviderRequests({ clock, send });
  const discovery = createDiscovery({ config, clock, requests });

  return {
    config,
    name: config.name,
    issuer: config.issuer,

    async endpoints() {
      // A person is sent only to a page that responds.
      const { metadata } = await (requests.hasJustAnswered()
        ? discovery.current()
        : discovery.refresh());
      return { issuer: metadata.issuer, authorization: metadata.authorization_endpoint };
    },

    async redeem(redirectUri, params, checks) {
      const discovered = await discovery.current();
      const returned = new URL(`${redirectUri}?${new URLSearchParams(params).toString()}`);
      return redeemCode(discovered, returned, checks).catch(rethrow);
    },

    async readLogoutToken(token) {
      const discovered = await discovery.current();
      const { clientId } = config;
      return verifyLogoutToken(discovered, token, { clientId, nowMs: clock.nowMs() }).catch(
        rethrow,
      );
    },

    async endSessionUrl(idToken, returnTo) {
      const known = await within(clock, SIGN_OUT_WAITS_MS, discovery.current(), () => null).catch(
        () => null,
      );
      const endpoint = known?.metadata.end_session_endpoint;
      if (endpoint === undefined) return null;
      const url = new URL(endpoint);
      if (idToken !== null) url.searchParams.set("id_token_hint", idToken);
      url.searchParams.set("client_id", config.clientId);
      url.searchParams.set("post_logout_redirect_uri", returnTo);
      return url.href;
    },

    async isAnswering() {
      if (!requests.hasJustAnswered()) {
        const refreshing = discovery.refresh().catch(() => null);
        await within(clock, PAGE_WAITS_MS, refreshing, () => null);
      }
      return !requests.isFailing();
    },

    isDown: () => requests.isFailing(),
  };
}

function rethrow(error: unknown): never {
  throw toProviderError(error);
}
