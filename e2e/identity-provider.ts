import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";

export type IdentityProvider = {
  /** Environment that connects an app to it. */
  env: Record<string, string>;
  close(): Promise<void>;
};

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/**
 * An identity provider with its own sign-in page, which accepts every password.
 * @param appUrl origin of the redirect
 * @param accounts claims by login name; those that aren't ID token claims are in the userinfo
 */
export async function startIdentityProvider(
  appUrl: string,
  accounts: Readonly<Record<string, object>>,
): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const [clientId, clientSecret] = ["plumbline", randomUUID()];
  const scope = "openid profile email groups";
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${appUrl}/api/auth/callback/oidc`],
        post_logout_redirect_uris: [`${appUrl}/signin`],
        backchannel_logout_uri: `${appUrl}/api/auth/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig" }] },
    cookies: { keys: [randomUUID()] },
    scopes: scope.split(" "),
    claims: {
      openid: ["sub"],
      profile: ["name"],
      email: ["email"],
      groups: ["groups", "hasgroups"],
    },
    features: { backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
    pkce: { required: () => true },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...accounts[id] }),
    }),
    // Consent is implicit.
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId;
      if (accountId === undefined) return undefined;
      const grant = new provider.Grant({ clientId, accountId });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
  });
  const server = createServer((request, response) => void provider.callback()(request, response));
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: "Example ID",
      OIDC_SCOPES: scope,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
