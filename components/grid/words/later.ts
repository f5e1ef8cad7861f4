/** The words of a cell's details and of the keys: loaded with these, which the overview does not load at first. */
import type { KeyWords } from "@/components/list/keys-dialog";
import { count, runDuration, span } from "@/lib/domain/words/format";

// What is behind a cell; an instant, its day or a number follows where a text leads.

export const cellWords = {
  thenWhy: (why: string) => `Then: ${why}`,
  it: (word: string) => `It ${word}.`,
  noData: "No data received yet",
  dataAsOf: "Data as of",
  expected: (cadenceMs: number, isLearned: boolean) =>
    `expected every ${span(cadenceMs)}${isLearned ? " (learned)" : ""}`,
  dueAt: "Due at",
  thresholds: (lateMs: number, staleMs: number) =>
    `late after ${span(lateMs)}, stale after ${span(staleMs)}`,
  wasDue: "Was due",
  next: "Next sync",
  nextThen: "Not known now; was scheduled for",
  runSince: (outcome: string) => `${outcome} since`,
  rarelyLonger: (seconds: number) => `rarely takes longer than ${runDuration(seconds * 1000)}`,
  calls: (calls: number) => `${count(calls)} API calls`,
  callsWindow: "in the 24 hours before the last check (rolling window)",
};

export const BOARD_KEYS: KeyWords = [
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
