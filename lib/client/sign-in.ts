/** Signing in and out on next-auth's own addresses, without its client library in the bundle. */

export type SignInResult =
  | { ok: true }
  | {
      ok: false;
      /** `limited`: too many guesses; `unreachable`: no usable answer, nothing is known about the password. */
      reason: "credentials" | "limited" | "unreachable";
      /** With `limited`: seconds after which trying again can succeed. */
      retryAfterSeconds?: number;
    };

/** A password check is deliberately slow; a hanging line must still end in words. */
const TIMEOUT_MS = 15_000;

/**
 * Signs in with a local account. Never throws, never navigates: the caller does, with a path of our
 * own origin.
 */
export async function signIn(account: { email: string; password: string }): Promise<SignInResult> {
  try {
    const response = await post("/api/auth/callback/credentials", account);
    if (response.ok) return { ok: true };
    if (response.status === 401) return { ok: false, reason: "credentials" };
    if (response.status !== 429) return { ok: false, reason: "unreachable" };
    const seconds = Number(response.headers.get("retry-after"));
    return { ok: false, reason: "limited", ...(seconds > 0 && { retryAfterSeconds: seconds }) };
  } catch {
    return { ok: false, reason: "unreachable" };
  }
}

/** Ends the session on the server. `false`: it could not be ended and is still valid. Never throws. */
export async function signOut(): Promise<boolean> {
  try {
    return (await post("/api/auth/signout", {})).ok;
  } catch {
    return false;
  }
}

async function post(path: string, fields: Record<string, string>): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const csrf = await fetch("/api/auth/csrf", { cache: "no-store", signal });
  const answer: unknown = csrf.ok ? await csrf.json() : null;
  const csrfToken = (answer as { csrfToken?: unknown } | null)?.csrfToken;
  if (typeof csrfToken !== "string") throw new Error("no csrf token");
  return fetch(path, {
    method: "POST",
    // `json`: next-auth answers with a status instead of a redirect.
    body: new URLSearchParams({ ...fields, csrfToken, callbackUrl: "/", json: "true" }),
    signal,
  });
}
