import type { ScheduleFileRow } from "@/lib/contracts/schedule-files";
import type { Selection } from "./selection";

/** Dialogs that are restored after a redirect to the identity provider. */
export const DELETE_FILE = "delete-file";
export const DELETE_FILES = "delete-files";

/** The question for one file. `key`: its idempotency key. */
export type KeptDeletion = { file: ScheduleFileRow; typed: string; key: string };

/** Several confirmed files, and the ids of baselines to keep. */
export type KeptDeletions = { selection: Selection; kept: ReadonlySet<number>; key: string };

/** Same as JSON. */
type Written = {
  selection: { kind: "files"; files: ScheduleFileRow[] } | Extract<Selection, { kind: "matching" }>;
  kept: number[];
  key: string;
};

/** Stored values were written by this page, possibly by another version of it. */
export function isKeptDeletion(state: unknown): state is KeptDeletion {
  return hasKey(state) && "file" in state && isFile(state.file) && "typed" in state;
}

/** @returns a JSON-serialisable value */
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
