import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { isHandledElsewhere } from "@/components/list/is-handled-elsewhere";
import { useLiveCompany } from "@/components/shell/live-company";
import { createFlag } from "@/components/ui/flag";
import { lazyPart } from "@/components/ui/lazy-part";
import { acknowledge, ResultBar, type Result } from "./acknowledge-result";
import { ActsContext } from "./acts-context";

const TellDialog = lazyPart(() => import("./tell-dialog"));

/** Provides the acts of the lines below, with the keys A (for those who may) and T for the focused line. */
export function LineActsProvider({
  mayHandle,
  children,
}: {
  mayHandle: boolean;
  children: ReactNode;
}) {
  const { slug, name } = useLiveCompany();
  const client = useQueryClient();
  const [result, setResult] = useState<Result | null>(null);
  // Not in the context's value: only buttons are drawn again for it, and no lines.
  const [busy] = useState(createFlag);
  const [told, setTold] = useState<string | null>(null);
  const onTake = useCallback(
    (lineKey: string) => {
      busy.set(true);
      void acknowledge(client, slug, lineKey)
        .then(setResult)
        .finally(() => busy.set(false));
    },
    [client, slug, busy],
  );
  useLineKeys(busy.use() || !mayHandle ? null : onTake);
  const acts = useMemo(
    () => ({ mayHandle, busy, onTake, onTell: setTold }),
    [mayHandle, busy, onTake],
  );
  return (
    <ActsContext value={acts}>
      {children}
      <ResultBar result={result} onResult={setResult} />
      {told === null ? null : (
        <Suspense>
          <TellDialog company={{ slug, name }} partner={told} onClose={() => setTold(null)} />
        </Suspense>
      )}
    </ActsContext>
  );
}

/** @param onTake null while an act is on its way, and for those who may not */
function useLineKeys(onTake: ((lineKey: string) => void) | null) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Chrome's autofill sends a keydown without a key.
      if (typeof event.key !== "string" || event.defaultPrevented || event.repeat) return;
      const key = event.key.toLowerCase();
      if ((key !== "a" && key !== "t") || isHandledElsewhere(event)) return;
      const line = document.activeElement?.closest<HTMLElement>("[data-line]");
      const lineKey = line?.dataset["line"];
      if (lineKey === undefined) return;
      if (key === "t") line?.querySelector<HTMLButtonElement>("[data-tell]")?.click();
      else onTake?.(lineKey);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onTake]);
}
