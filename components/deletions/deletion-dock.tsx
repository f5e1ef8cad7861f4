"use client";

import { useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { deletionQuery } from "@/lib/client/queries/deletion";
import { deletionsQuery, isOpen } from "@/lib/client/queries/deletions";
import { useServerClock } from "@/lib/client/use-now";
import { DeletionBar } from "./deletion-bar";
import { DeletionDialog } from "./deletion-dialog";
import { useOpenDeletion } from "./use-open-deletion";
import { overtaken } from "./pending";
import { dock } from "./words";

/**
 * A bar for each of the person's deletions that is running, or ended while this page was open,
 * until it is dismissed or a later deletion covers its files; and the dialog of the deletion in the
 * address. Default export for `lazyPart`.
 */
export default function DeletionDock({ canDelete }: { canDelete: boolean }) {
  const { slug } = useLiveCompany();
  const { data } = useQuery({ ...deletionsQuery(slug), enabled: canDelete });
  const [openId, setOpenId] = useOpenDeletion();
  const [seen, setSeen] = useState<readonly string[]>([]);
  const fresh = (data?.deletions ?? []).filter(
    (one) => one.is_own && isOpen(one) && !seen.includes(one.id),
  );
  if (fresh.length > 0) setSeen([...seen, ...fresh.map(({ id }) => id)]);
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const dismiss = useCallback((id: string) => setDismissed((before) => [...before, id]), []);
  const clock = useServerClock();
  const views = useQueries({
    queries: seen.map((id) => deletionQuery(slug, id, { clock, isWatched: true })),
    combine: (results) => results.flatMap(({ data: answer }) => answer?.view ?? []),
  });
  const settledLater = useMemo(() => overtaken(views), [views]);
  const bars = seen.filter(
    (id) => id !== openId && !dismissed.includes(id) && !settledLater.has(id),
  );
  return (
    <>
      {bars.length === 0 ? null : (
        <section
          aria-label={dock.label}
          className="deletion-dock fixed bottom-10 left-1/2 max-sm:bottom-3.5 z-20 flex w-[560px] max-w-[calc(100vw-28px)] [translate:-50%] flex-col gap-2"
        >
          {bars.map((id, at) => (
            <DeletionBar
              key={id}
              id={id}
              // Z undoes the latest one that can be undone.
              hasKey={at === bars.length - 1}
              onShow={() => setOpenId(id)}
              onDismiss={dismiss}
            />
          ))}
        </section>
      )}
      {openId === null ? null : (
        <DeletionDialog
          key={openId}
          id={openId}
          canDelete={canDelete}
          onClose={() => {
            const isOver = data?.deletions.some((one) => one.id === openId && !isOpen(one));
            if (isOver) dismiss(openId);
            setOpenId(null);
          }}
        />
      )}
    </>
  );
}
