import type { FileFacets, FileSelection, ScheduleFileRow } from "@/lib/contracts/schedule-files";

/** A selection: files one by one, or all that match the filters, pinned by a digest. */
export type Selection =
  | {
      kind: "files";
      files: ReadonlyMap<number, ScheduleFileRow>;
      /** Position of the last single choice, where a range starts; null: none. */
      anchor: number | null;
    }
  | { kind: "matching"; filters: string; pinned: FileSelection };

export const NOTHING_SELECTED: Selection = { kind: "files", files: new Map(), anchor: null };

/** More don't fit into one request; larger selections use "all that match" with filters. */
export const MAX_CHOSEN = 300;
/** Maximum of one deletion; importing the contract's constant would load zod. */
export const MAX_MATCHING = 2000;

export function countOf(selection: Selection): number {
  return selection.kind === "files" ? selection.files.size : selection.pinned.count;
}

export function baselinesOf(selection: Selection): readonly ScheduleFileRow[] {
  return selection.kind === "matching"
    ? selection.pinned.baselines
    : [...selection.files.values()].filter((file) => file.is_baseline);
}

/** Names of the projects whose latest upload is selected. @param facets undefined: not loaded yet */
export function latestOf(selection: Selection, facets: FileFacets | undefined): readonly string[] {
  if (selection.kind === "matching") return selection.pinned.latest_of;
  return (facets?.projects ?? []).flatMap(({ project, latest_id: id }) =>
    project !== null && selection.files.has(id) ? [project.name] : [],
  );
}

export function isSelected(selection: Selection, file: ScheduleFileRow): boolean {
  return selection.kind === "matching" || selection.files.has(file.id);
}

/**
 * Toggles one file and sets the anchor. Leaving "all that match" starts with an empty selection.
 */
export function toggled(selection: Selection, file: ScheduleFileRow, place: number): Selection {
  if (selection.kind === "matching") {
    return { kind: "files", files: new Map(), anchor: place };
  }
  const files = new Map(selection.files);
  if (!files.delete(file.id)) files.set(file.id, file);
  return { kind: "files", files, anchor: place };
}

/** Adds files; the anchor stays. */
export function withFiles(selection: Selection, added: readonly ScheduleFileRow[]): Selection {
  const before = selection.kind === "files" ? selection : { files: new Map(), anchor: null };
  const files = new Map([...before.files, ...added.map((file) => [file.id, file] as const)]);
  return { kind: "files", files, anchor: before.anchor };
}

/** Removes files. */
export function withoutFiles(selection: Selection, gone: readonly ScheduleFileRow[]): Selection {
  if (selection.kind === "matching") return NOTHING_SELECTED;
  const files = new Map(selection.files);
  for (const { id } of gone) files.delete(id);
  return { kind: "files", files, anchor: selection.anchor };
}

/** Positions from the anchor to another one, inclusive. */
export function rangeTo(selection: Selection, place: number): { from: number; to: number } {
  const anchor = selection.kind === "files" ? (selection.anchor ?? place) : place;
  return { from: Math.min(anchor, place), to: Math.max(anchor, place) };
}
