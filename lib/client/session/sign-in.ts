import { postToAuth } from "./auth-request";

export type SignInResult =
  | { ok: true }
  | {
      ok: false;
      /** `limited`: too many guesses; `closed`: right, and only the provider signs in; `unreachable`: no usable answer, nothing is known about the password. */
      reason: "credentials" | "limited" | "closed" | "unreachable";
      /** With `limited`: seconds after which trying again can succeed. */
      retryAfterSeconds?: number;
    };

/**
 * Signs in with a local account. Never throws, never navigates: the caller does, with a path of our
 * own origin.
 */
export async function signIn(account: { email: string; password: string }): Promise<SignInResult> {
  try {
    const response = await postToAuth("/api/auth/callback/credentials", account);
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
export async function startProviderSignIn(callbackPath: string): Promise<string | null> {
  try {
    const response = await postToAuth("/api/auth/signin/oidc", {}, callbackPath);
    const answer = (await response.json()) as { url?: unknown };
    return response.ok && typeof answer.url === "string" ? answer.url : null;
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
    const answer = await postToAuth("/api/auth/signin/oidc?max_age=0", {}, callbackPath);
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
