import { createContext, Suspense, useContext, useMemo, useState, type ReactNode } from "react";
import { lazyPart, loadOrReport } from "@/components/ui/lazy-part";
import type { Explained } from "./explanation";

const load = () => import("./explanation");
const Explanation = lazyPart(load);

type Explain = { onOpen: (what: Explained) => void; onNear: () => void };

const ExplainContext = createContext<Explain | null>(null);

/** Null where verdicts have no explanation. */
export const useExplain = (): Explain | null => useContext(ExplainContext);

/** Explains the verdicts of the lines below; its code is loaded when a pointer or the focus comes near. */
export function ExplainProvider({ children }: { children: ReactNode }) {
  const [explained, setExplained] = useState<Explained | null>(null);
  const explain = useMemo(
    () => ({
      onOpen: (what: Explained) => loadOrReport(load, () => setExplained(what)),
      onNear: () => void load().catch(() => undefined),
    }),
    [],
  );
  return (
    <ExplainContext value={explain}>
      {children}
      {explained === null ? null : (
        <Suspense>
          <Explanation
            key={explained.lineKey}
            explained={explained}
            onClose={() => setExplained(null)}
          />
        </Suspense>
      )}
    </ExplainContext>
  );
}
