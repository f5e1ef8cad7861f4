import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { EarlyScript } from "@/components/ui/early/early-script";
import { GUARD } from "@/components/wall/guard";

export const metadata: Metadata = { title: "Wall" };

/** The screen stays dark while there is no picture. */
export const viewport: Viewport = { colorScheme: "dark" };

/** Start of every wall page: the script that takes over where ours cannot run. */
export default function WallLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <EarlyScript script={GUARD} />
      {children}
    </>
  );
}
