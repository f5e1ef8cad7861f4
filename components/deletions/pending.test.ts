import { expect, test } from "vitest";
import type { DeletionItem, DeletionView } from "@/lib/contracts/deletions";
import { overtaken, pendingFiles } from "./pending";

/** A deletion requested within this minute, with the outcome of each file. */
function deletion(
  id: string,
  minute: number,
  state: DeletionView["state"],
  outcomes: Readonly<Record<number, DeletionItem["outcome"]>>,
) {
  return {
    id,
    state,
    requested_at: `2026-11-19T14:${String(minute).padStart(2, "0")}:00Z`,
    items: Object.entries(outcomes).map(([fileId, outcome]) => ({
      file_id: Number(fileId),
      name: `File ${fileId}`,
      outcome,
      outcome_at: null,
      next_look_at: null,
      seen_later: null,
    })),
  };
}

test("keeps a file pending until it has an outcome", () => {
  const pending = pendingFiles([
    deletion("a", 1, "waiting", { 1: null }),
    deletion("b", 2, "running", { 2: null, 3: "deleted", 4: "unknown", 5: "still_there" }),
  ]);
  expect([...pending]).toEqual([
    [1, "waiting"],
    [2, "deleting"],
    [3, "deleted"],
    [4, "unknown"],
  ]);
});

test("uses the latest deletion of a file, in whatever order they arrive", () => {
  const earlier = deletion("a", 1, "undone", { 1: "undone" });
  const later = deletion("b", 2, "waiting", { 1: null });
  for (const both of [
    [earlier, later],
    [later, earlier],
  ])
    expect(pendingFiles(both).get(1)).toBe("waiting");
  expect(pendingFiles([{ ...earlier, requested_at: "2026-11-19T15:00:00Z" }, later]).size).toBe(0);
});

test("supersedes files that weren't deleted by a later deletion of the same files", () => {
  const undone = deletion("a", 1, "undone", { 1: "undone" });
  const again = deletion("b", 2, "done", { 1: "deleted" });
  expect([...overtaken([again, undone])]).toEqual(["a"]);
  expect([...overtaken([undone])]).toEqual([]);
});

test("supersedes a deletion of several only when all remaining files are in later ones", () => {
  const some = deletion("a", 1, "done", { 1: "deleted", 2: "forbidden", 3: "still_there" });
  const one = deletion("b", 2, "done", { 2: "deleted" });
  const other = deletion("c", 3, "waiting", { 3: null });
  expect([...overtaken([some, one])]).toEqual([]);
  expect([...overtaken([some, one, other])]).toEqual(["a"]);
});
