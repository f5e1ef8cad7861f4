import { postToAuth } from "./auth-request";

/**
 * Signs out and leaves the page: the one way for every button that does. A full load, so that nothing of this person
 * stays in the tab's memory; by the provider's page that ends its session too, where it has one. Never throws.
 * @returns false: the session could not be ended and is still valid
 */
export async function signOut(): Promise<boolean> {
  const next = await endSession();
  if (next !== null) window.location.assign(next);
  return next !== null;
}

/** @returns where to go next; null: the session could not be ended */
async function endSession(): Promise<string | null> {
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
