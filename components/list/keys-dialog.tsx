"use client";

import Dialog from "@/components/ui/dialog";

/** Keys as labelled, and their actions. */
export type KeyWords = readonly (readonly [keys: string, does: string])[];

const NONE: readonly string[] = [];

/**
 * Keyboard shortcuts of a page. Default export for `lazyPart`.
 * @param without keys that do nothing for this person, or in this view
 */
export default function KeysDialog({
  keys: list,
  without = NONE,
  onClose,
}: {
  keys: KeyWords;
  without?: readonly string[];
  onClose: () => void;
}) {
  return (
    <Dialog title="Keyboard shortcuts" closeLabel="Close" onClose={onClose}>
      <dl className="grid grid-cols-[130px_1fr] gap-y-1.5">
        {list
          .filter(([keys]) => !without.includes(keys))
          .map(([keys, what]) => (
            <div key={keys} className="contents">
              <dt className="font-mono text-xs text-ink">{keys}</dt>
              <dd>{what}</dd>
            </div>
          ))}
      </dl>
    </Dialog>
  );
}
