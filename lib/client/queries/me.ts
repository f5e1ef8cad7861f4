import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { post, put, remove } from "@/lib/client/change";
import type {
  EndedSessions,
  Enrolment,
  MeView,
  PasswordChange,
  PasswordChanged,
  Reauthentication,
  RecoveryCodes,
} from "@/lib/contracts/me";
import { isRecord } from "@/lib/client/snapshot";
import { resource } from "./resource";

/** Only while the page is visible. */
const EVERY_MS = 10_000;
/** A password check is deliberately slow, and a change is two of them. */
const PROOF_TIMEOUT_MS = 30_000;
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
 * @param code of the second factor; null: none is required
 * @throws ApiError; code `wrong_password`, `code_required` or `wrong_code`, 429 after too many wrong ones
 */
export async function reauthenticate(password: string, code: string | null): Promise<void> {
  const body = { password, ...(code !== null && { code }) };
  await post("/me/reauthentication", body, isProven, undefined, PROOF_TIMEOUT_MS);
}

/**
 * Changes a local account's password, and ends the person's other sessions.
 * @returns number of ended sessions
 * @throws ApiError; code `wrong_password`, or `weak_password` with a sentence
 */
export async function changePassword(client: QueryClient, change: PasswordChange): Promise<number> {
  const changed = put("/me/password", change, isEnded, PROOF_TIMEOUT_MS);
  return (await me.changed(client, changed)).ended;
}

const SECOND_FACTOR = "/me/second-factor";

/** Starts setting up an authenticator app. @throws ApiError */
export async function startSecondFactor(): Promise<Enrolment> {
  return (await post(SECOND_FACTOR, {}, isEnrolment)).value;
}

/** Turns the authenticator app on. @returns recovery codes. @throws ApiError; code `wrong_code` */
export async function confirmSecondFactor(
  client: QueryClient,
  code: string,
): Promise<readonly string[]> {
  return codesOf(await me.changed(client, put(SECOND_FACTOR, { code }, isCodes)));
}

/** Turns the authenticator app off. @throws ApiError; code `wrong_code` */
export async function turnOffSecondFactor(client: QueryClient, code: string): Promise<void> {
  await me.changed(client, remove(SECOND_FACTOR, isRecord, { code }));
}

/** Replaces the recovery codes. @returns new ones. @throws ApiError */
export async function renewRecoveryCodes(client: QueryClient): Promise<readonly string[]> {
  return codesOf(await me.changed(client, post(`${SECOND_FACTOR}/recovery-codes`, {}, isCodes)));
}

const codesOf = ({ recovery_codes: codes }: RecoveryCodes) => codes;

function isMeView(body: unknown): body is MeView {
  return (
    isRecord(body) &&
    isRecord(body["person"]) &&
    Array.isArray(body["grants"]) &&
    Array.isArray(body["sessions"])
  );
}

function isEnrolment(body: unknown): body is Enrolment {
  return isRecord(body) && typeof body["secret"] === "string" && typeof body["uri"] === "string";
}

function isCodes(body: unknown): body is RecoveryCodes {
  return isRecord(body) && Array.isArray(body["recovery_codes"]);
}

function isEnded(body: unknown): body is EndedSessions & PasswordChanged {
  return isRecord(body) && typeof body["ended"] === "number";
}

function isProven(body: unknown): body is Reauthentication {
  return isRecord(body) && typeof body["authenticated_at"] === "string";
}
