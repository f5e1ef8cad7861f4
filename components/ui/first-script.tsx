import { headers } from "next/headers";

/** A script of ours that runs before the page's own do, in any browser. @param script a constant, ES5 */
export async function FirstScript({ script }: { script: string }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    // oxlint-disable-next-line react/no-danger -- a constant of ours
    <script nonce={nonce} dangerouslySetInnerHTML={{ __html: script }} suppressHydrationWarning />
  );
}
