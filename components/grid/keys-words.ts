import type { KeyWords } from "@/components/list/keys-dialog";

export const BOARD_KEYS: KeyWords = [
  ["J, K or arrows", "move from row to row"],
  ["Home, End", "go to the first or last row"],
  ["← and →", "show a row’s details, cell by cell; expand or collapse a partner"],
  ["Enter", "open the feed or partner"],
  ["A", "acknowledge the open incident of this feed or partner: you’re on it"],
  ["T", "tell the customer"],
  ["N", "next sync first, or worst first"],
  ["Space", "expand or collapse a partner, show folded feeds"],
  ["1 to 8", "show only failing, stale, late, unknown, due, fresh, webhook or paused"],
  ["0", "show all verdicts"],
  ["/", "filter this list"],
  ["Escape", "clear the filter, hide details"],
  ["Ctrl or ⌘ K", "search, jump to a page, run a command"],
  ["?", "show these shortcuts"],
];
