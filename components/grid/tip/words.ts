import { capital } from "@/lib/domain/text/capital";
import { NO_DATA_TIME_FROM_SOURCE } from "@/lib/domain/words/labels";
import { counted, runDuration, span } from "@/lib/domain/words/format";

export const cellWords = {
  thenWhy: (why: string) => `Then: ${why}`,
  it: (word: string) => `It ${word}.`,
  noData: capital(NO_DATA_TIME_FROM_SOURCE),
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
  rarelyLonger: (seconds: number) => `normally under ${runDuration(seconds * 1000)}`,
  calls: (calls: number) => counted(calls, "API call"),
  callsWindow: "in the 24 hours before the last check (rolling)",
};
