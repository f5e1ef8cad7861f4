"use client";

import Dialog from "@/components/ui/dialog";

/** Keys as labelled, and their actions. */
export type KeyWords = readonly (readonly [keys: string, does: string])[];

/** Keyboard shortcuts of a page. Default export for `lazyPart`. */
export default function KeysDialog({
  keys: list,
  onClose,
}: {
  keys: KeyWords;
  onClose: () => void;
}) {
  return (
    <Dialog title="Keyboard shortcuts" closeLabel="Close" onClose={onClose}>
      <dl className="grid grid-cols-[130px_1fr] gap-y-1.5">
        {list.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt className="font-mono text-xs text-ink">{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
