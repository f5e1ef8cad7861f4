"use client";

import { Suspense, type ComponentProps } from "react";
import { later } from "@/components/ui/later";

const PartnerThenAndNow = later(() => import("./partner-then-and-now"));

/** `PartnerThenAndNow`, which pages without such a moment don't load. */
export function LinkedThen(props: ComponentProps<typeof PartnerThenAndNow>) {
  return (
    <Suspense>
      <PartnerThenAndNow {...props} />
    </Suspense>
  );
}
