import { headers } from "next/headers";
import { LISTEN } from "./early-keys";

/** Hears what is typed while the page's own scripts are still on their way; see `LISTEN`. */
export async function EarlyKeysListener() {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <script nonce={nonce} dangerouslySetInnerHTML={{ __html: LISTEN }} suppressHydrationWarning />
  );
}
