import { getRuntime } from "@/lib/server/running";
import { ownPath } from "@/lib/server/http/own-path";

/**
 * The address after signing in: a path of our own origin, `/` for anything else.
 * @param given the raw `callbackUrl` parameter
 */
export function callbackPath(given: string | undefined): string {
  const path = ownPath(given ?? "/", getRuntime().appUrl);
  // Returning to the sign-in page would be useless.
  return /^\/signin(?![^/?#])/.test(path) ? "/" : path;
}
