"use client";

import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { memo, type ReactNode, type RefObject } from "react";
import { MenuButton } from "@/components/ui/menu-button";
import type { MenuItem } from "@/components/ui/menu-item";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import type { BoardState } from "./board-url";
import {
  GROUP,
  GROUPS,
  ORDER,
  ORDERS,
  ROWS,
  ROW_CHOICES,
  SEARCH,
  VIEW_MENU,
  shownText,
} from "./words";

/**
 * Filters and order of the board.
 * @param onSearch called on every keystroke; `onChange` for everything else, and when typing ends
 */
export function Toolbar({
  state,
  onChange,
  onSearch,
  searchRef,
  matching,
  total,
  children,
}: {
  state: BoardState;
  onChange: (change: Partial<BoardState>) => void;
  onSearch: (q: string) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  matching: number;
  total: number;
  /** Further actions. */
  children?: ReactNode;
}) {
  const { q, order, group, rows } = state;
  return (
    <div className="board-tools flex h-11 items-center gap-3 px-6 text-xs text-ink-2 max-sm:h-[52px] max-sm:gap-2 max-sm:px-3.5">
      <SearchField
        maxLength={SEARCH_CHARACTERS}
        ref={searchRef}
        label={SEARCH}
        hint="/"
        className="w-[236px] max-sm:w-auto max-sm:min-w-0 max-sm:flex-1"
        value={q}
        onType={onSearch}
        onBlur={() => {
          // Going back from another page restores the last search.
          if (!isInAddress(q)) onChange({ q });
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") onChange({ q: "" });
        }}
      />
      <Choices order={order} group={group} rows={rows} onChange={onChange} />
      <span className="flex-1 max-sm:hidden" />
      <span role="status" className="whitespace-nowrap text-ink-3 max-md:sr-only">
        {matching === total ? "" : shownText(matching, total)}
      </span>
      {children}
    </div>
  );
}

function isInAddress(q: string): boolean {
  return (new URLSearchParams(window.location.search).get("q") ?? "") === q;
}

type ChoicesProps = Pick<BoardState, "order" | "group" | "rows"> & {
  onChange: (change: Partial<BoardState>) => void;
};

/** The controls that no keystroke in the search field changes. */
const Choices = memo(function Choices({ order, group, rows, onChange }: ChoicesProps) {
  return (
    <>
      <Segmented
        className="shrink-0"
        label={ORDER}
        value={order}
        options={ORDERS}
        onChange={(value) => onChange({ order: value })}
      />
      <Segmented
        className="max-md:hidden"
        label={GROUP}
        value={group}
        options={GROUPS}
        onChange={(value) => onChange({ group: value })}
      />
      <Segmented
        className="max-md:hidden"
        label={ROWS}
        value={rows}
        options={ROW_CHOICES}
        onChange={(value) => onChange({ rows: value, open: [] })}
      />
      <ViewMenu group={group} rows={rows} onChange={onChange} />
    </>
  );
});

/** Grouping and folding as a menu, in narrow windows. */
function ViewMenu({ group, rows, onChange }: Omit<ChoicesProps, "order">) {
  const items: MenuItem[] = [
    {
      kind: "choice",
      key: "group",
      label: GROUP,
      value: group,
      options: GROUPS,
      onChoose: (value) => onChange({ group: value === "flat" ? "flat" : "partner" }),
    },
    {
      kind: "choice",
      key: "rows",
      label: ROWS,
      value: rows,
      options: ROW_CHOICES,
      onChoose: (value) => onChange({ rows: value === "folded" ? "folded" : "all", open: [] }),
    },
  ];
  return (
    <span className="md:hidden">
      <MenuButton
        label={VIEW_MENU}
        items={items}
        align="end"
        className="grid h-7 w-9 place-items-center rounded border border-control text-ink-2 max-sm:h-9"
      >
        <svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true">
          <path d="M0 1.5h14M3 6h11M3 10.5h11" stroke="currentColor" strokeWidth="1.5" />
        </svg>
      </MenuButton>
    </span>
  );
}
