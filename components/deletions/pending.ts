import type { DeletionView } from "@/lib/contracts/deletions";

/** Current action on a file that is still in the list. */
export type Pending = "waiting" | "deleting" | "unknown" | "deleted";

/** Texts beside a file's name meanwhile. */

type Deletion = Pick<DeletionView, "id" | "state" | "requested_at" | "items">;

/**
 * Current actions by file id, without files that stay.
 * @param deletions of one company; where several contain a file, the latest counts
 */
export function pendingFiles(deletions: readonly Deletion[]): ReadonlyMap<number, Pending> {
  const pending = new Map<number, Pending>();
  for (const { state, items } of inOrder(deletions)) {
    for (const { file_id, outcome } of items) {
      if (outcome === "deleted" || outcome === "already_gone") pending.set(file_id, "deleted");
      else if (outcome === "unknown") pending.set(file_id, "unknown");
      else if (outcome === null && state === "waiting") pending.set(file_id, "waiting");
      else if (outcome === null && state === "running") pending.set(file_id, "deleting");
      else pending.delete(file_id);
    }
  }
  return pending;
}

/**
 * Ids of deletions that need no further message: each file that they left is in a later one, which
 * reports it.
 */
export function overtaken(deletions: readonly Deletion[]): ReadonlySet<string> {
  const ids = new Set<string>();
  const later = new Set<number>();
  for (const { id, items } of inOrder(deletions).toReversed()) {
    const left = items.filter(({ outcome }) => outcome !== "deleted" && outcome !== "already_gone");
    if (left.length > 0 && left.every(({ file_id }) => later.has(file_id))) ids.add(id);
    for (const { file_id } of items) later.add(file_id);
  }
  return ids;
}

function inOrder(deletions: readonly Deletion[]): Deletion[] {
  return deletions.toSorted((a, b) => Date.parse(a.requested_at) - Date.parse(b.requested_at));
}
