import { Suspense, type ComponentProps } from "react";
import { lazyPart } from "@/components/ui/lazy-part";

const PartnerThenAndNow = lazyPart(() => import("./partner-then-and-now"));

/** `PartnerThenAndNow`, loaded by those pages only that are opened by a link to a moment. */
export function LinkedThenAndNow(props: ComponentProps<typeof PartnerThenAndNow>) {
  return (
    <Suspense>
      <PartnerThenAndNow {...props} />
    </Suspense>
  );
}
