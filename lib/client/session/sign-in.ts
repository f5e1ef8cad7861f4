import { postToAuth } from "./auth-request";

export type SignInResult =
  | { ok: true }
  | {
      ok: false;
      /**
       * `limited`: too many attempts; `closed`: correct, but only the provider may sign in; `unreachable`: no usable
       * response, the password wasn't checked; `code_required`: correct, and a code is needed too.
       */
      reason: "credentials" | "limited" | "closed" | "unreachable" | "code_required" | "wrong_code";
      /** With `limited`: seconds until a retry can succeed. */
      retryAfterSeconds?: number;
    };

/** Signs in with a local account. Never throws, never navigates: the caller does, to a path of our own origin. */
export async function signIn(account: {
  email: string;
  password: string;
  /** Of the second factor. */
  code?: string;
}): Promise<SignInResult> {
  try {
    const response = await postToAuth("/api/auth/callback/credentials", account);
    if (response.ok) return { ok: true };
    if (response.status === 401) return { ok: false, reason: "credentials" };
    if (response.status === 403) {
      const code = await codeOf(response);
      if (code === "forbidden") return { ok: false, reason: "closed" };
      if (code === "code_required" || code === "wrong_code") return { ok: false, reason: code };
    }
    if (response.status !== 429) return { ok: false, reason: "unreachable" };
    const seconds = Number(response.headers.get("retry-after"));
    return { ok: false, reason: "limited", ...(seconds > 0 && { retryAfterSeconds: seconds }) };
  } catch {
    return { ok: false, reason: "unreachable" };
  }
}

/**
 * Starts a sign-in at the provider. Never throws, never navigates.
 * @param callbackPath our own path to return to, including the fragment
 * @returns where to go: the provider, or our own page with the reason of the failure; null: no usable response
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
 * Address for re-authentication at the provider, which always asks for credentials (`max_age=0`) and returns the person
 * with a new session. Never throws.
 * @param callbackPath our own path to return to
 * @returns null: the provider can't be reached now
 */
export async function proofAddress(callbackPath: string): Promise<string | null> {
  try {
    const answer = await postToAuth("/api/auth/signin/oidc?max_age=0", {}, callbackPath);
    const body: unknown = answer.ok ? await answer.json() : null;
    const url = (body as { url?: unknown } | null)?.url;
    if (typeof url !== "string" || !/^https?:\/\//.test(url)) return null;
    // An address of our own instead of the provider's is an error page.
    return new URL(url).origin === window.location.origin ? null : url;
  } catch {
    return null;
  }
}

async function codeOf(response: Response): Promise<unknown> {
  const answer = (await response.json()) as { error?: unknown } | null;
  return answer?.error;
}
