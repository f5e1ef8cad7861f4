import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { GUARD } from "@/components/wall/guard";

export const metadata: Metadata = { title: "Wall" };

/** The glass stays dark while there is no picture. */
export const viewport: Viewport = { colorScheme: "dark" };

/** What every wall begins with: the script that takes over where ours cannot run. */
export default async function WallLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <>
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: GUARD }} suppressHydrationWarning />
      {children}
    </>
  );
}
