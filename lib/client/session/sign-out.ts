import { postToAuth } from "./auth-request";

/**
 * Ends the session on the server. Never throws.
 * @returns where to go next: our own page, or the provider's that ends its session too. Null: it could not be ended
 *   and is still valid
 */
export async function signOut(): Promise<string | null> {
  try {
    const response = await postToAuth("/api/auth/signout", {});
    if (!response.ok) return null;
    const answer = (await response.json()) as { url?: unknown; isElsewhere?: unknown };
    const isElsewhere = answer.isElsewhere === true && typeof answer.url === "string";
    return isElsewhere ? String(answer.url) : "/signin";
  } catch {
    return null;
  }
}
