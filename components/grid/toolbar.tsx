"use client";

import type { RefObject } from "react";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import type { BoardState } from "./board-url";

/** What to show and in which order. */
export function Toolbar({
  state,
  onChange,
  searchRef,
  matching,
  total,
}: {
  state: BoardState;
  onChange: (change: Partial<BoardState>) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  matching: number;
  total: number;
}) {
  return (
    <div className="board-tools flex h-11 items-center gap-3 px-6 text-xs text-ink-2 max-sm:h-[52px] max-sm:px-3.5">
      <SearchField
        ref={searchRef}
        label="Filter this list"
        hint="/"
        className="w-[236px] max-sm:w-auto max-sm:flex-1"
        value={state.q}
        onChange={(event) => onChange({ q: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") onChange({ q: "" });
        }}
      />
      <Segmented
        label="Order"
        value={state.order}
        options={[
          { value: "worst", label: "Worst first" },
          { value: "fixed", label: "Fixed order" },
        ]}
        onChange={(order) => onChange({ order })}
      />
      <Segmented
        className="max-sm:hidden"
        label="Group"
        value={state.group}
        options={[
          { value: "partner", label: "By partner" },
          { value: "flat", label: "Flat" },
        ]}
        onChange={(group) => onChange({ group })}
      />
      <Segmented
        className="max-md:hidden"
        label="Rows"
        value={state.rows}
        options={[
          { value: "all", label: "All rows" },
          { value: "folded", label: "Fold healthy" },
        ]}
        onChange={(rows) => onChange({ rows, open: [] })}
      />
      <span className="flex-1 max-sm:hidden" />
      <span role="status" className="whitespace-nowrap text-ink-3 max-md:sr-only">
        {matching === total ? "" : `${matching} of ${total} shown`}
      </span>
    </div>
  );
}
