import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import type { Selection } from "./selection";

/** Dialogs that are kept while their person is at their provider. */
export const DELETE_FILE = "delete-file";
export const DELETE_FILES = "delete-files";

/** The question for one file as it was. `key`: what it is sent under. */
export type KeptDeletion = { file: ScheduleFileRow; typed: string; key: string };

/** Several files that were confirmed, and the ids of baselines to keep. */
export type KeptDeletions = { selection: Selection; kept: ReadonlySet<number>; key: string };

/** The same as JSON has it. */
type Written = {
  selection: { kind: "files"; files: ScheduleFileRow[] } | Extract<Selection, { kind: "matching" }>;
  kept: number[];
  key: string;
};

/** What is kept in a browser was written there by this page, maybe by another version of it. */
export function isKeptDeletion(state: unknown): state is KeptDeletion {
  return hasKey(state) && "file" in state && isFile(state.file) && "typed" in state;
}

/** @returns what survives JSON */
export function writeDeletions({ selection, kept, key }: KeptDeletions): Written {
  return {
    selection:
      selection.kind === "files"
        ? { kind: "files", files: [...selection.files.values()] }
        : selection,
    kept: [...kept],
    key,
  };
}

export function isWrittenDeletions(state: unknown): state is Written {
  if (!hasKey(state) || !("selection" in state) || !("kept" in state)) return false;
  const selection = state.selection as Partial<Written["selection"]> | null;
  if (!Array.isArray(state.kept) || selection === null) return false;
  return selection.kind === "files"
    ? Array.isArray(selection.files) && selection.files.every(isFile)
    : selection.kind === "matching" && typeof selection.filters === "string";
}

export function readDeletions({ selection, kept, key }: Written): KeptDeletions {
  const chosen: Selection =
    selection.kind === "files"
      ? {
          kind: "files",
          files: new Map(selection.files.map((file) => [file.id, file])),
          anchor: null,
        }
      : selection;
  return { selection: chosen, kept: new Set(kept), key };
}

function hasKey(state: unknown): state is { key: string } {
  return (
    typeof state === "object" && state !== null && "key" in state && typeof state.key === "string"
  );
}

function isFile(file: unknown): boolean {
  return typeof file === "object" && file !== null && "id" in file && "is_baseline" in file;
}
