import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Board } from "@/components/grid/board";
import { isKeyOfOthers } from "@/components/list/keys-of-others";
import { useLiveCompany } from "@/components/shell/live-company";
import { lazyPart, whenCome } from "@/components/ui/lazy-part";
import type { Said } from "./acknowledge-key";
import { BoardTabTitle } from "./board-tab-title";

/** Comes when the key is pressed for the first time. */
const loadKey = () => import("./acknowledge-key");
const AcknowledgeSaid = lazyPart(loadKey);

/** How long it is said what the key came to, and may be taken back. */
const SAID_MS = 10_000;

/**
 * The overview's tab title, and the key `A`, which acknowledges the open incident of the focused line. Loaded a few
 * seconds after the page; until then the title is the server's. Default export for `lazyPart`.
 */
export default function BesideBoard({ board }: { board: Board }) {
  const { slug } = useLiveCompany();
  const client = useQueryClient();
  const [said, setSaid] = useState<Said | null>(null);
  const isBusy = useRef(false);
  const onAcknowledge = useEffectEvent((line: string) =>
    whenCome(loadKey, ({ acknowledge }) => {
      if (isBusy.current) return;
      isBusy.current = true;
      void acknowledge(client, slug, line)
        .then(setSaid)
        .finally(() => (isBusy.current = false));
    }),
  );
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "a" || event.defaultPrevented || event.repeat) return;
      if (isKeyOfOthers(event)) return;
      const line = document.activeElement?.closest<HTMLElement>("[data-line]")?.dataset["line"];
      if (line !== undefined) onAcknowledge(line);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <>
      <BoardTabTitle board={board} />
      <div className="fixed bottom-10 left-6 z-10 max-w-[calc(100vw-28px)] max-sm:bottom-3.5 max-sm:left-3.5">
        <p
          role="status"
          className="flex min-h-11 items-center gap-4 border border-ink bg-bg px-4 empty:hidden"
        >
          {said === null ? null : (
            <Suspense>
              <AcknowledgeSaid said={said} onSaid={setSaid} />
            </Suspense>
          )}
        </p>
      </div>
    </>
  );
}
