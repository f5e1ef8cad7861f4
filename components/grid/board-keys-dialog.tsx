"use client";

import KeysDialog, { type KeyWords } from "@/components/list/keys-dialog";

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

/** The keys of the overview. Default export for `lazy`. */
export default function BoardKeysDialog({ onClose }: { onClose: () => void }) {
  return <KeysDialog keys={BOARD_KEYS} onClose={onClose} />;
}
