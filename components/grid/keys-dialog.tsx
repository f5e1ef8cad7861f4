"use client";

import Dialog from "@/components/ui/dialog";

const KEYS = [
  ["J, K or arrows", "move from row to row"],
  ["Home, End", "first and last row"],
  ["← and →", "details of a row, cell by cell; close and open a partner"],
  ["Enter", "the page of the endpoint or partner"],
  ["Space", "close or open a partner, show folded endpoints"],
  ["1 to 8", "only failing, stale, late, unknown, due, fresh, webhook, paused"],
  ["0", "all verdicts"],
  ["/", "filter this list"],
  ["Escape", "clear the filter, hide the details"],
  ["Ctrl or ⌘ K", "find a company, partner, endpoint or page"],
  ["?", "this list"],
] as const;

/** Default export for `lazy`. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" closeLabel="Close this list" onClose={onClose}>
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
