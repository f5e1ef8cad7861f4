import { SCOPES, TOKEN_LIFETIME_SECONDS, type Scope } from "@/lib/contracts/v3";
import { jsonAnswer, Refusal, type Answer, type HttpRequest } from "./answers";
import type { Client } from "./clients";
import { UNKNOWN_CLIENT_HASH, verifySecret } from "./secrets";
import type { Tokens } from "./tokens";

const MAX_BODY_BYTES = 8 * 1024;
/** RFC 6749, 5.1: browsers and proxies must not store a response with a token. */
const NEVER_CACHED = { "cache-control": "no-store", pragma: "no-cache" };

/** The rejected client: its id if it exists; anything else in the request may be a secret. */
type RefusedClient = { known: true; client: string; revoked: boolean } | { known: false };

/**
 * `POST /oauth/token`. Credentials are only read from the form body, not from the `Authorization` header or the query
 * string.
 * @throws Refusal for every request that gets no token
 */
export async function issueToken(
  request: HttpRequest,
  options: {
    tokens: Tokens;
    findClient: (clientId: string) => Promise<(Client & { secretHash: string }) | null>;
    /** Called for `invalid_client`. */
    onRefused: (facts: RefusedClient) => void;
  },
): Promise<Answer> {
  const form = await readForm(request);
  if (form.get("grant_type") !== "client_credentials") {
    throw new Refusal("unsupported_grant_type", "grant_type must be client_credentials.");
  }
  const clientId = form.get("client_id");
  const clientSecret = form.get("client_secret");
  if (!clientId || !clientSecret) {
    options.onRefused({ known: false });
    throw new Refusal("invalid_client", "client_id and client_secret are required.");
  }

  const client = await options.findClient(clientId);
  const matches = await verifySecret(clientSecret, client?.secretHash ?? UNKNOWN_CLIENT_HASH);
  if (!client || !matches || client.revokedAt !== null) {
    options.onRefused(
      client
        ? { known: true, client: client.clientId, revoked: client.revokedAt !== null }
        : { known: false },
    );
    throw new Refusal("invalid_client", "Wrong client_id or client_secret.");
  }
  if (!client.grantTypes.includes("client_credentials")) {
    throw new Refusal(
      "unauthorized_client",
      "The client isn't registered for the client_credentials grant.",
    );
  }

  const scopes = grantedScopes(client.scopes, form.get("scope"));
  const accessToken = await options.tokens.issue({
    clientId: client.clientId,
    companyId: client.companyId,
    scopes,
  });
  return jsonAnswer(
    {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: TOKEN_LIFETIME_SECONDS,
      scope: scopes.join(" "),
    },
    NEVER_CACHED,
  );
}

/** All registered scopes if none (or only blanks) was requested, otherwise exactly the requested ones. */
function grantedScopes(registered: readonly Scope[], requested: string | null): Scope[] {
  const words = (requested ?? "").split(" ").filter((word) => word !== "");
  if (words.some((word) => !registered.some((scope) => scope === word))) {
    throw new Refusal("invalid_scope", "The scope exceeds what the client is registered for.");
  }
  return SCOPES.filter((scope) =>
    words.length === 0 ? registered.includes(scope) : words.includes(scope),
  );
}

async function readForm(request: HttpRequest): Promise<URLSearchParams> {
  const [mediaType] = (request.headers.get("content-type") ?? "").split(";");
  if (mediaType?.trim().toLowerCase() !== "application/x-www-form-urlencoded") {
    throw new Refusal("invalid_request", "The body must be application/x-www-form-urlencoded.");
  }
  const form = new URLSearchParams(await readText(request, MAX_BODY_BYTES));
  const names = [...form.keys()];
  if (new Set(names).size !== names.length) {
    throw new Refusal("invalid_request", "A parameter can be given only once.");
  }
  return form;
}

async function readText(request: HttpRequest, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new Refusal("request_too_large", `The body can have at most ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
