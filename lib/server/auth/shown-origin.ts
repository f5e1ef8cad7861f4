import { headers } from "next/headers";
import { getRuntime } from "@/lib/server/running";

/** The origin that people read and type, or their phones do. */
export async function shownOrigin(): Promise<string> {
  return originToShow(getRuntime().appUrl, (await headers()).get("host"));
}

/**
 * `APP_URL`; but where that is only this machine's name for itself, as it is by default, the address under
 * which the browser reached us: `localhost` on a TV's screen would lead nobody anywhere.
 * @param host of the request
 */
export function originToShow(appUrl: string, host: string | null): string {
  const { origin, protocol, hostname } = new URL(appUrl);
  const reached = `${protocol}//${host ?? ""}`;
  return isLoopback(hostname) && URL.canParse(reached) ? new URL(reached).origin : origin;
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}
