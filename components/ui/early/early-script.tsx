import { headers } from "next/headers";

/** An inline script that runs before the page's own scripts. @param script a constant source text */
export async function EarlyScript({ script }: { script: string }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    // oxlint-disable-next-line react/no-danger -- a constant of ours
    <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} suppressHydrationWarning />
  );
}
