import type { ConfirmedFile, DeletionRequest } from "@/lib/contracts/deletions";
import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { countOf, type Selection } from "./selection";

/** One file as shown in the dialog. */
export function confirmed(file: ScheduleFileRow): ConfirmedFile {
  const { id, name, is_baseline, created_at, customer_project } = file;
  const project =
    customer_project === null ? null : { id: customer_project.id, name: customer_project.name };
  return { id, name, is_baseline, created_at, customer_project: project };
}

/**
 * The request body.
 * @param kept ids of baselines that the person chose to keep
 * @returns null when nothing is left to delete
 */
export function deletionRequestOf(
  selection: Selection,
  kept: ReadonlySet<number>,
): DeletionRequest | null {
  if (selection.kind === "files") {
    const files = [...selection.files.values()].filter(({ id }) => !kept.has(id));
    return files.length === 0 ? null : { files: files.map(confirmed) };
  }
  if (countOf(selection) === kept.size) return null;
  const { filters, pinned } = selection;
  const { count, digest } = pinned;
  return { matching: { filters, count, digest, without: [...kept] } };
}
