import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { EARLY_KEYS_SCRIPT } from "@/components/list/early-keys-script";
import { KeptFocus } from "@/components/shell/kept-focus";
import { Providers } from "@/components/shell/providers";
import { PRESS_DROPPED } from "@/components/shell/words";
import { CarryOutPresses } from "@/components/ui/early/carry-out-presses";
import { EARLY_PRESSES_SCRIPT } from "@/components/ui/early/early-presses";
import { EarlyScript } from "@/components/ui/early/early-script";
import { CLOCK_COOKIE, ZONE_COOKIE, clockOf, zoneOf } from "@/lib/client/preferences";
import "@/app/globals.css";

/** Layout of every page for people. Walls have their own styles and no providers. */
export default async function PagesLayout({ children }: { children: ReactNode }) {
  const jar = await cookies();
  return (
    <>
      <EarlyScript script={EARLY_KEYS_SCRIPT} />
      <EarlyScript script={EARLY_PRESSES_SCRIPT} />
      <Providers
        zone={zoneOf(jar.get(ZONE_COOKIE)?.value)}
        clock={clockOf(jar.get(CLOCK_COOKIE)?.value)}
      >
        <CarryOutPresses problem={PRESS_DROPPED} />
        <KeptFocus />
        {children}
      </Providers>
    </>
  );
}
