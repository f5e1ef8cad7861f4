"use client";

import Dialog from "@/components/ui/dialog";

const KEYS = [
  ["J, K or arrows", "move from row to row"],
  ["Home, End", "go to the first or last row"],
  ["← and →", "show a row’s details, cell by cell; expand or collapse a partner"],
  ["Enter", "open the endpoint or partner"],
  ["Space", "expand or collapse a partner, show folded endpoints"],
  ["1 to 8", "show only failing, stale, late, unknown, due, fresh, webhook or paused"],
  ["0", "show all verdicts"],
  ["/", "filter this list"],
  ["Escape", "clear the filter, hide details"],
  ["Ctrl or ⌘ K", "find a company, partner, endpoint or page"],
  ["?", "show these shortcuts"],
] as const;

/** Default export for `lazy`. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" closeLabel="Close" onClose={onClose}>
      <dl className="grid grid-cols-[130px_1fr] gap-y-1.5">
        {KEYS.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt className="font-mono text-xs text-ink">{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
