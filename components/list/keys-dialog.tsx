"use client";

import Dialog from "@/components/ui/dialog";

/** Keys as they are written on them, and what they do. */
export type KeyWords = readonly (readonly [keys: string, does: string])[];

const BOARD_KEYS: KeyWords = [
  ["J, K or arrows", "move from row to row"],
  ["Home, End", "go to the first or last row"],
  ["← and →", "show a row’s details, cell by cell; expand or collapse a partner"],
  ["Enter", "open the endpoint or partner"],
  ["Space", "expand or collapse a partner, show folded endpoints"],
  ["1 to 8", "show only failing, stale, late, unknown, due, fresh, webhook or paused"],
  ["0", "show all verdicts"],
  ["/", "filter this list"],
  ["Escape", "clear the filter, hide details"],
  ["Ctrl or ⌘ K", "find anything, go to a page, do something"],
  ["?", "show these shortcuts"],
];

/** The keys of a page; those of the overview unless given. Default export for `lazy`. */
export default function KeysDialog({
  keys: list = BOARD_KEYS,
  onClose,
}: {
  keys?: KeyWords;
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
