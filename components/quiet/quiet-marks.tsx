"use client";

import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useNow } from "@/lib/client/use-now";
import { usePart } from "@/lib/client/use-part";
import type { Expectation } from "@/lib/contracts/quiet";
import { activeOf, covers, isOfAll, type Planned } from "./covered";
import { usePlanned } from "./planned";

const loadMark = () => import("./quiet-mark");
type Mark = Awaited<ReturnType<typeof loadMark>>;
/** Null: none are planned, or not loaded yet. */
const MarkedContext = createContext<(Planned & Mark) | null>(null);

/**
 * Provides the company's planned quiet times to the marks below; empty until they are loaded. The
 * mark is loaded with the first of them.
 */
export function QuietProvider({ children }: { children: ReactNode }) {
  const planned = usePlanned();
  const mark = usePart("quiet-mark", loadMark, planned.all.length > 0);
  const marked = useMemo(() => (mark === null ? null : { ...planned, ...mark }), [planned, mark]);
  return <MarkedContext value={marked}>{children}</MarkedContext>;
}

/** Whether an endpoint is in a planned quiet time; false until they are loaded. */
export function useIsQuiet(endpoint: { id: string; partner: string }): boolean {
  const marked = useContext(MarkedContext);
  const own = marked?.all.filter((one) => covers(one, endpoint)) ?? [];
  const offsetMs = marked?.offsetMs ?? 0;
  return useNow((nowMs) => activeOf(own, nowMs + offsetMs).length > 0);
}

/** On an endpoint's line: that a planned quiet time is active, why, and until when. */
export function EndpointQuiet({ id, partner }: { id: string; partner: string }) {
  return <Marked isMeant={(one) => covers(one, { id, partner })} />;
}

/** On a partner's line: same, when it covers all of its endpoints. */
export function PartnerQuiet({ partner }: { partner: string }) {
  return <Marked isMeant={(one) => isOfAll(one, partner)} />;
}

function Marked({ isMeant }: { isMeant: (one: Expectation) => boolean }) {
  const marked = useContext(MarkedContext);
  if (marked === null) return null;
  return <marked.QuietMark all={marked.all.filter(isMeant)} offsetMs={marked.offsetMs} />;
}
