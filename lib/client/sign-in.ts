/** Signing in and out on next-auth's own addresses, without its client library in the bundle. */

export type SignInResult =
  | { ok: true }
  | {
      ok: false;
      /** `limited`: too many guesses; `closed`: right, and only the provider signs in; `unreachable`: no usable answer, nothing is known about the password. */
      reason: "credentials" | "limited" | "closed" | "unreachable";
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
    if (response.status === 403 && (await codeOf(response)) === "forbidden") {
      return { ok: false, reason: "closed" };
    }
    if (response.status !== 429) return { ok: false, reason: "unreachable" };
    const seconds = Number(response.headers.get("retry-after"));
    return { ok: false, reason: "limited", ...(seconds > 0 && { retryAfterSeconds: seconds }) };
  } catch {
    return { ok: false, reason: "unreachable" };
  }
}

/**
 * Begins to sign in at the provider. Never throws, never navigates.
 * @param callbackPath where to come back to: a path of our own, fragment and all
 * @returns where to go: the provider, or our own page that says why not; null: no usable answer
 */
export async function beginProviderSignIn(callbackPath: string): Promise<string | null> {
  try {
    const response = await post("/api/auth/signin/oidc", {}, callbackPath);
    const answer = (await response.json()) as { url?: unknown };
    return response.ok && typeof answer.url === "string" ? answer.url : null;
  } catch {
    return null;
  }
}

/**
 * Ends the session on the server. Never throws.
 * @returns where to go next: our own page, or the provider's that ends its session too. Null: it could not be ended
 *   and is still valid
 */
export async function signOut(): Promise<string | null> {
  try {
    const response = await post("/api/auth/signout", {});
    if (!response.ok) return null;
    const answer = (await response.json()) as { url?: unknown; isElsewhere?: unknown };
    const isElsewhere = answer.isElsewhere === true && typeof answer.url === "string";
    return isElsewhere ? String(answer.url) : "/signin";
  } catch {
    return null;
  }
}

/**
 * Where somebody with an account of a provider proves again who they are: it asks them whatever session they have
 * there (`max_age=0`), and brings them back signed in anew. Never throws.
 * @param callbackPath where they come back to, a path of our own
 * @returns null: it can't be reached now
 */
export async function proofAddress(callbackPath: string): Promise<string | null> {
  try {
    const answer = await post("/api/auth/signin/oidc?max_age=0", {}, callbackPath);
    const body: unknown = answer.ok ? await answer.json() : null;
    const url = (body as { url?: unknown } | null)?.url;
    if (typeof url !== "string" || !/^https?:\/\//.test(url)) return null;
    // Our own pages are no provider: they say that something failed.
    return new URL(url).origin === window.location.origin ? null : url;
  } catch {
    return null;
  }
}

async function codeOf(response: Response): Promise<unknown> {
  const answer = (await response.json()) as { error?: unknown } | null;
  return answer?.error;
}

async function post(
  path: string,
  fields: Record<string, string>,
  callbackUrl = "/",
): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const csrf = await fetch("/api/auth/csrf", { cache: "no-store", signal });
  const answer: unknown = csrf.ok ? await csrf.json() : null;
  const csrfToken = (answer as { csrfToken?: unknown } | null)?.csrfToken;
  if (typeof csrfToken !== "string") throw new Error("no csrf token");
  return fetch(path, {
    method: "POST",
    // `json`: next-auth answers with a status instead of a redirect.
    body: new URLSearchParams({ ...fields, csrfToken, callbackUrl, json: "true" }),
    signal,
  });
}
