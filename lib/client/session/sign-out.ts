import { postToAuth } from "./auth-request";

/**
 * Signs out and leaves the page: used by every sign-out button. A full page load, so that no data of this person
 * remains in the tab's memory; via the provider's logout page if it has one. Never throws.
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
