"use client";

import { Suspense, type ComponentProps } from "react";
import { lazyPart } from "@/components/ui/lazy-part";

const PartnerThenAndNow = lazyPart(() => import("./partner-then-and-now"));

/** `PartnerThenAndNow`, which pages without such a moment don't load. */
export function LinkedThen(props: ComponentProps<typeof PartnerThenAndNow>) {
  return (
    <Suspense>
      <PartnerThenAndNow {...props} />
    </Suspense>
  );
}
