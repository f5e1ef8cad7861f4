import { expect, test } from "vitest";
import { pauseSentences } from "./words";

const paused = {
  since: "2026-03-03T08:00:00Z",
  reason: "restored" as const,
  backup_at: "2026-03-02T03:00:00Z",
};

test("shows administrators what happened, the age of the backup, and what resuming does", () => {
  expect(pauseSentences(paused, { open: 2, mayResume: true }, "UTC")).toEqual([
    "Deletions are paused.",
    "Plumbline was restored from a backup made at 03:00:00 UTC, Mon 2 Mar 2026. Anything deleted after that is missing from its records.",
    "When deletions resume, 2 deletions from before continue. Stop any you don’t want.",
  ]);
});

test("shows other people who can resume them", () => {
  const sentences = pauseSentences(
    { ...paused, backup_at: null },
    { open: 0, mayResume: false },
    "UTC",
  );
  expect(sentences).toEqual([
    "Deletions are paused.",
    "Plumbline was restored from a backup. Anything deleted after that is missing from its records.",
    "An administrator can resume them.",
  ]);
});
