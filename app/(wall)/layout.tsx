import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { EarlyScript } from "@/components/ui/early-script";
import { GUARD } from "@/components/wall/guard";

export const metadata: Metadata = { title: "Wall" };

/** The glass stays dark while there is no picture. */
export const viewport: Viewport = { colorScheme: "dark" };

/** What every wall begins with: the script that takes over where ours cannot run. */
export default function WallLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <EarlyScript script={GUARD} />
      {children}
    </>
  );
}
