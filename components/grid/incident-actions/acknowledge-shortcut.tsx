import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isKeyOfOthers } from "@/components/list/keys-of-others";
import { useLiveCompany } from "@/components/shell/live-company";
import { acknowledge, AcknowledgeResult, type Result } from "./acknowledge-result";

/** How long the result is shown and can be undone. */
const RESULT_MS = 10_000;

/** The key `A`, which acknowledges the open incident of the focused line. */
export function AcknowledgeShortcut() {
  const { slug } = useLiveCompany();
  const client = useQueryClient();
  const [result, setResult] = useState<Result | null>(null);
  const isBusy = useRef(false);
  const onAcknowledge = useEffectEvent((line: string) => {
    if (isBusy.current) return;
    isBusy.current = true;
    void acknowledge(client, slug, line)
      .then(setResult)
      .finally(() => (isBusy.current = false));
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Chrome's autofill sends a keydown without a key.
      if (typeof event.key !== "string") return;
      if (event.key.toLowerCase() !== "a" || event.defaultPrevented || event.repeat) return;
      if (isKeyOfOthers(event)) return;
      const line = document.activeElement?.closest<HTMLElement>("[data-line]")?.dataset["line"];
      if (line !== undefined) onAcknowledge(line);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), RESULT_MS);
    return () => clearTimeout(timer);
  }, [result]);
  return (
    <div className="fixed bottom-10 left-6 z-10 max-w-[calc(100vw-28px)] max-sm:bottom-3.5 max-sm:left-3.5">
      <p
        role="status"
        className="flex min-h-11 items-center gap-4 border border-ink bg-bg px-4 empty:hidden"
      >
        {result === null ? null : <AcknowledgeResult result={result} onResult={setResult} />}
      </p>
    </div>
  );
}
