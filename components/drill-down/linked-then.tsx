"use client";

import { Suspense, type ComponentProps } from "react";
import { later } from "@/components/ui/later";
import { textParam } from "@/lib/client/address-params";
import { useAddressParam } from "@/lib/client/use-address";
import { instantMs } from "@/lib/domain/time/instant";

const PartnerThenAndNow = later(() => import("./partner-then-and-now"));

/** The moment in the address as it stands there, and what sets it. */
export const useAt = () => useAddressParam("at", textParam);

/** The moment of a link with how it was (`?at=`), epoch milliseconds; null without one that can be read. */
export function useThenMs(): number | null {
  const [at] = useAt();
  return instantMs(at);
}

/** `PartnerThenAndNow`, which pages without such a moment don't load. */
export function LinkedThen(props: ComponentProps<typeof PartnerThenAndNow>) {
  return (
    <Suspense>
      <PartnerThenAndNow {...props} />
    </Suspense>
  );
}
