import { getRuntime } from "@/lib/server/running";
import { ownPath } from "@/lib/server/http/own-path";

/**
 * Where to go after signing in: a path of our own origin, `/` for anything else.
 * @param given the `callbackUrl` parameter as it came
 */
export function callbackPath(given: string | undefined): string {
  const path = ownPath(given ?? "/", getRuntime().appUrl);
  // Signing in only to arrive at the sign-in page again helps nobody.
  return /^\/signin(?![^/?#])/.test(path) ? "/" : path;
}
