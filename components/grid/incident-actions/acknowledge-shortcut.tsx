import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isKeyOfOthers } from "@/components/list/keys-of-others";
import { useLiveCompany } from "@/components/shell/live-company";
import { acknowledge, ResultBar, type Result } from "./acknowledge-result";

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
  return <ResultBar result={result} onResult={setResult} />;
}
