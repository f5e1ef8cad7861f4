import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";

/** Ways in which the issuer misbehaves. */
export type Lies = {
  /** Overrides claims of ID tokens; undefined removes one. */
  claims: Record<string, unknown>;
  /** Signs with an unpublished key under the published key's id. */
  isForeign: boolean;
  /** Replaces all responses, or those of the token endpoint. */
  answers: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  answersToken: ((response: ServerResponse) => void) | null;
};

export type LyingIssuer = {
  /** Its address and issuer name. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Claims of the next person who signs in. */
  person: Record<string, unknown>;
  lies: Lies;
  /** Number of requests so far, by path. */
  requests: Record<string, number>;
  /** Grants an authorization request; returns the redirect target. */
  agree(authorizationUrl: string): URL;
  logoutToken(
    claims: Record<string, unknown>,
    how?: { isForeign?: boolean; header?: Record<string, unknown> },
  ): Promise<string>;
  close(): Promise<void>;
};

const KEY_ID = "one";

/** A configurable misbehaving OpenID Connect issuer on 127.0.0.1. */
export async function startLyingIssuer(): Promise<LyingIssuer> {
  const own = await generateKeyPair("RS256");
  const foreign = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(own.publicKey)), kid: KEY_ID, alg: "RS256", use: "sig" };
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>();
  const lies: Lies = { claims: {}, isForeign: false, answers: null, answersToken: null };
  const clientId = "plumbline";
  const clientSecret = "a secret of the tests";

  const sign = (payload: object, isForeign: boolean, header: object = {}) =>
    new SignJWT(JSON.parse(JSON.stringify(payload)) as JWTPayload)
      .setProtectedHeader({ alg: "RS256", kid: KEY_ID, ...header })
      .sign(isForeign ? foreign.privateKey : own.privateKey);

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (lies.answersToken !== null) {
      lies.answersToken(response);
      return;
    }
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const basic = `Basic ${Buffer.from(`${clientId}:${encodeURIComponent(clientSecret).replaceAll("%20", "+")}`).toString("base64")}`;
    const isRight =
      code !== undefined &&
      form.get("redirect_uri") === code.redirectUri &&
      request.headers.authorization === basic &&
      createHash("sha256").update(verifier).digest("base64url") === code.challenge;
    if (!isRight) {
      json(response, 400, { error: "invalid_grant" });
      return;
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer.issuer,
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce: code.nonce,
      ...issuer.person,
      ...lies.claims,
    };
    json(response, 200, {
      access_token: "an access token",
      token_type: "Bearer",
      id_token: await sign(claims, lies.isForeign),
    });
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://issuer");
    issuer.requests[pathname] = (issuer.requests[pathname] ?? 0) + 1;
    if (lies.answers !== null) lies.answers(request, response);
    else if (pathname === "/token") void token(request, response);
    else if (pathname === "/jwks") json(response, 200, { keys: [jwk] });
    else if (pathname === "/.well-known/openid-configuration") {
      json(response, 200, {
        issuer: issuer.issuer,
        authorization_endpoint: `${issuer.issuer}/authorize`,
        token_endpoint: `${issuer.issuer}/token`,
        jwks_uri: `${issuer.issuer}/jwks`,
        end_session_endpoint: `${issuer.issuer}/end`,
        id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
      });
    } else json(response, 404, {});
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const issuer: LyingIssuer = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId,
    clientSecret,
    person: {},
    lies,
    requests: {},
    agree(authorizationUrl) {
      const sent = new URL(authorizationUrl).searchParams;
      const code = `code-${codes.size}-${Math.random()}`;
      const redirectUri = sent.get("redirect_uri") ?? "";
      const challenge = sent.get("code_challenge") ?? "";
      codes.set(code, { nonce: sent.get("nonce") ?? "", challenge, redirectUri });
      const back = new URL(redirectUri);
      back.searchParams.set("code", code);
      back.searchParams.set("state", sent.get("state") ?? "");
      return back;
    },
    logoutToken(claims, { isForeign = false, header = {} } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const right = {
        iss: issuer.issuer,
        aud: clientId,
        iat: now,
        jti: `jti-${Math.random()}`,
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      };
      return sign({ ...right, ...claims }, isForeign, { typ: "logout+jwt", ...header });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return issuer;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
