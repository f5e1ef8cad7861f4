"use client";

import { Button } from "@/components/ui/button";
import {
  baselinesOf,
  countOf,
  MAX_CHOSEN,
  MAX_MATCHING,
  type Selection,
} from "@/components/deletions/selection";
import { selected } from "./words";

/** The selection and its actions, at the bottom of the window. */
export function SelectionBar({
  selection,
  latestOf,
  matching,
  isPinning,
  isPaused,
  problem,
  onAll,
  onClear,
  onDelete,
}: {
  selection: Selection;
  /** Names of the projects whose latest upload is selected. */
  latestOf: readonly string[];
  /** Number of files in the list. */
  matching: number;
  /** All that match are being counted. */
  isPinning: boolean;
  /** Deletions are paused until an administrator resumes them. */
  isPaused: boolean;
  /** Why "all that match" failed; empty: no error. */
  problem: string;
  onAll: () => void;
  onClear: () => void;
  onDelete: () => void;
}) {
  const chosen = countOf(selection);
  const baselines = baselinesOf(selection).length;
  const limit = isPaused ? selected.paused : limitNote(selection);
  const canTakeAll = selection.kind === "files" && matching > chosen;
  return (
    <div
      role="region"
      aria-label={selected.label}
      className="selection-bar fixed right-6 bottom-0 left-6 z-10 flex min-h-[52px] flex-wrap items-center gap-x-4 gap-y-2 border border-b-0 border-ink bg-bg px-4 py-2 max-sm:right-0 max-sm:left-0 max-sm:border-x-0"
    >
      <b role="status" className="font-strong">
        {selected.amount(chosen, selection.kind === "matching")}
      </b>
      <span className="text-ink-2">{limit || problem || selected.note(baselines, latestOf)}</span>
      {canTakeAll ? (
        <button
          type="button"
          className="min-h-6 underline underline-offset-3 disabled:text-ink-3"
          disabled={isPinning}
          onClick={onAll}
        >
          {selected.all(matching)}
        </button>
      ) : null}
      <span className="ml-auto flex gap-4 max-sm:w-full max-sm:gap-2 max-sm:[&>*]:flex-1">
        <Button onClick={onClear}>{selected.clear}</Button>
        <Button look="danger" disabled={limit !== ""} onClick={onDelete}>
          {selected.delete(chosen)}
        </Button>
      </span>
    </div>
  );
}

function limitNote(selection: Selection): string {
  if (selection.kind === "matching")
    return selection.pinned.count > MAX_MATCHING ? selected.tooManyMatching(MAX_MATCHING) : "";
  return selection.files.size > MAX_CHOSEN ? selected.tooMany(MAX_CHOSEN) : "";
}
