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
  ["A", "acknowledge the open incident of this endpoint or partner: you’re on it"],
  ["Space", "expand or collapse a partner, show folded endpoints"],
  ["1 to 8", "show only failing, stale, late, unknown, due, fresh, webhook or paused"],
  ["0", "show all verdicts"],
  ["/", "filter this list"],
  ["Escape", "clear the filter, hide details"],
  ["Ctrl or ⌘ K", "find anything, go to a page, do something"],
  ["?", "show these shortcuts"],
];

/** What comes of the key `A`. */
export const acknowledgeWords = {
  of: (partner: string, sentence: string) => `${partner}: ${sentence}`,
  taken: "you’re on it.",
  already: "you’re already on it.",
  other: (name: string) => `${name} is already on it.`,
  none: "There is no open incident here.",
  notKnown: "We can’t tell right now whether there is an open incident here.",
  undo: "Undo",
  forbidden: "viewers can’t acknowledge incidents.",
  conflict: "this incident has ended in the meantime.",
  failed: "that didn’t work. Try again.",
};
