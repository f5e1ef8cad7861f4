import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { post, remove } from "@/lib/client/change";
import type { EndedSessions, MeView, Reauthentication } from "@/lib/contracts/me";
import { isRecord } from "@/lib/client/snapshot";
import { resource } from "./resource";

/** Only while the page is visible. */
const EVERY_MS = 10_000;
/** A password check is deliberately slow. */
const PROOF_TIMEOUT_MS = 15_000;
const me = resource("me");

/** The signed-in person, their grants with reasons, and their sessions. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => (await get("/me", isMeView, signal)).value,
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: EVERY_MS,
});

/** The signed-in person, fetched now. @throws ApiError */
export async function readMe(signal: AbortSignal): Promise<MeView> {
  return (await get("/me", isMeView, signal)).value;
}

/**
 * Ends one session, or with null all others; the list is reloaded before the promise resolves.
 * @returns number of ended sessions
 * @throws ApiError; 404 if it had already ended, and with status 0 it may still have ended
 */
export async function endSessions(client: QueryClient, id: string | null): Promise<number> {
  const path = id === null ? "/me/sessions" : `/me/sessions/${encodeURIComponent(id)}`;
  return (await me.changed(client, remove(path, isEnded))).ended;
}

/**
 * Re-authenticates with a local account's password.
 * @throws ApiError; code `wrong_password`, 429 after too many wrong ones
 */
export async function reauthenticate(password: string): Promise<void> {
  await post("/me/reauthentication", { password }, isProven, undefined, PROOF_TIMEOUT_MS);
}

function isMeView(body: unknown): body is MeView {
  return (
    isRecord(body) &&
    isRecord(body["person"]) &&
    Array.isArray(body["grants"]) &&
    Array.isArray(body["sessions"])
  );
}

function isEnded(body: unknown): body is EndedSessions {
  return isRecord(body) && typeof body["ended"] === "number";
}

function isProven(body: unknown): body is Reauthentication {
  return isRecord(body) && typeof body["authenticated_at"] === "string";
}
