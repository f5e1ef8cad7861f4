import type { QueryClient } from "@tanstack/react-query";
import { post, remove } from "@/lib/client/change";
import { isRecord } from "@/lib/client/snapshot";
import type {
  MadeToken,
  ServiceTokenRequest,
  TokenRequest,
  TokensView,
} from "@/lib/contracts/tokens";
import { isNothing, resource } from "@/lib/client/queries/resource";

const EVERY_MS = 30_000;
const everyones = resource("tokens");
const own = resource("me/tokens", ["tokens"]);

/** API tokens: the person's own, or all of them. */
export const tokensQuery = (isEveryones: boolean) =>
  isEveryones
    ? everyones.list<TokensView>("/tokens", EVERY_MS)
    : own.list<TokensView>("/me/tokens", EVERY_MS);

/** @throws ApiError; 409 after too many */
export function makeToken(client: QueryClient, request: TokenRequest): Promise<MadeToken> {
  return own.changed(client, post("/me/tokens", request, isMadeToken));
}

/** @throws ApiError; 409 after too many */
export function makeServiceToken(
  client: QueryClient,
  request: ServiceTokenRequest,
): Promise<MadeToken> {
  return own.changed(client, post("/tokens", request, isMadeToken));
}

/** @param isOwn otherwise it needs the right to manage people. @throws ApiError */
export function revokeToken(client: QueryClient, id: string, isOwn: boolean): Promise<unknown> {
  const path = isOwn ? `/me/tokens/${encodeURIComponent(id)}` : everyones.pathOf(id);
  return own.changed(client, remove(path, isNothing));
}

function isMadeToken(body: unknown): body is MadeToken {
  return isRecord(body) && typeof body["token"] === "string";
}
