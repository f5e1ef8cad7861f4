"use client";

import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { useNow } from "@/lib/client/use-now";
import { thenAndNowTimes } from "@/lib/domain/words/then-and-now";
import { boardThen } from "./words";

/**
 * Says that a page shows the past, and links back to now.
 * @param atMs epoch milliseconds; null: the address has no valid time
 * @param problem why the page shows nothing of that time; empty: it does. `isAhead`: the time is in the future
 */
export function PastBanner({
  atMs,
  problem,
  onBack,
}: {
  atMs: number | null;
  problem: (isAhead: boolean) => string;
  onBack: () => void;
}) {
  const timeZone = useZone();
  const dated = useNow((nowMs) =>
    atMs === null ? "" : thenAndNowTimes({ atMs, nowMs, timeZone }).before,
  );
  const isAhead = useNow((nowMs) => atMs !== null && atMs > nowMs);
  return (
    <section
      className="mx-6 my-2 flex items-center gap-3.5 border border-ink px-3 py-1.5 max-sm:mx-3.5 max-sm:flex-wrap"
      aria-labelledby="past-banner"
    >
      <h2 id="past-banner" className="font-strong">
        {atMs === null ? boardThen.past : boardThen.heading(dated)}
      </h2>
      <p
        role="status"
        className="flex-1 text-ink-2 max-sm:not-empty:order-last max-sm:not-empty:basis-full"
      >
        {atMs === null ? boardThen.unreadable : problem(isAhead)}
      </p>
      <Button look="primary" className="max-sm:ml-auto" onClick={onBack}>
        {boardThen.back}
      </Button>
    </section>
  );
}
