import { headers } from "next/headers";
import { getRuntime } from "@/lib/server/running";
import { reachedOrigin } from "@/lib/server/http/front-headers";

/** The origin that people read and type, or their phones do. */
export async function shownOrigin(): Promise<string> {
  return originToShow(getRuntime().appUrl, reachedOrigin(await headers()));
}

/**
 * `APP_URL`; but where that is only this machine's name for itself, as it is by default, the origin under
 * which the browser reached us: `localhost` on a TV's screen would lead nobody anywhere.
 * @param reached see `reachedOrigin`
 */
export function originToShow(appUrl: string, reached: string | null): string {
  const { origin, hostname } = new URL(appUrl);
  return isLoopback(hostname) && reached !== null ? reached : origin;
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
