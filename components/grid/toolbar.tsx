"use client";

import { memo, type ReactNode, type RefObject } from "react";
import { Chevron } from "@/components/marks/chevron";
import { MenuButton } from "@/components/ui/menu-button";
import type { MenuItem } from "@/components/ui/menu-item";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { boardCsvPath, groupedBy, orderedBy, type BoardState } from "./board-url";
import {
  CLOSE_ALL,
  DOWNLOAD_CSV,
  FEEDS_HEADING,
  GROUP,
  GROUPS,
  NEEDS_ATTENTION,
  OPEN_ALL,
  ORDER,
  ORDERS,
  PARTNERS,
  partnersText,
  ROWS,
  ROW_CHOICES,
  SEARCH,
  VIEW_MENU,
  shownText,
} from "./words";
import { counted } from "@/lib/domain/words/format";

/** The search in names. @param onSearch called on every keystroke; `onChange` when typing ends */
export function BoardSearch({
  q,
  onChange,
  onSearch,
  searchRef,
}: {
  q: string;
  onChange: (change: Partial<BoardState>) => void;
  onSearch: (q: string) => void;
  searchRef: RefObject<HTMLInputElement | null>;
}) {
  return (
    <SearchField
      maxLength={SEARCH_CHARACTERS}
      ref={searchRef}
      label={SEARCH}
      hint="/"
      className="board-search"
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
  );
}

function isInAddress(q: string): boolean {
  return (new URLSearchParams(window.location.search).get("q") ?? "") === q;
}

/**
 * The heading of the board's first lines, with its order and grouping.
 * @param first what those lines are
 * @param matching number of feeds that pass the filters, of `total`
 */
export function BoardHead({
  company,
  first,
  amount,
  section,
  onToggle,
  matching,
  total,
  state,
  onChange,
  children,
}: {
  /** Its slug. */
  company: string;
  first: "attention" | "feeds";
  /** Of those lines. */
  amount: number;
  /** The lines are partners, as nothing needs attention; null: they are feeds. */
  section: { partners: number; isOpen: boolean } | null;
  /** Expands or collapses all partners of the section. */
  onToggle: () => void;
  matching: number;
  total: number;
  state: BoardState;
  onChange: (change: Partial<BoardState>) => void;
  /** Further actions. */
  children?: ReactNode;
}) {
  return (
    <div className="board-head">
      <h2>
        {section !== null ? PARTNERS : first === "attention" ? NEEDS_ATTENTION : FEEDS_HEADING}
      </h2>
      <span>{section === null ? counted(amount, "feed") : partnersText(section.partners)}</span>
      <span role="status" className="flex-1 max-md:sr-only">
        {matching === total ? "" : shownText(matching, total)}
      </span>
      {section === null ? null : (
        <button type="button" className="board-open-all" onClick={onToggle}>
          {section.isOpen ? CLOSE_ALL : OPEN_ALL}
        </button>
      )}
      {children}
      <Choices company={company} state={state} onChange={onChange} />
    </div>
  );
}

/** The controls that no keystroke in the search field changes. */
const Choices = memo(
  function Choices({
    company,
    state,
    onChange,
  }: {
    company: string;
    state: BoardState;
    onChange: (change: Partial<BoardState>) => void;
  }) {
    const { order } = state;
    const shown = ORDERS.filter(({ value }) => value !== "fixed" || order === "fixed");
    return (
      <>
        <Segmented
          className="board-order h-6! max-sm:h-9!"
          label={ORDER}
          value={order}
          options={shown}
          onChange={(value) => onChange(orderedBy(value, state))}
        />
        <ViewMenu company={company} state={state} onChange={onChange} />
      </>
    );
  },
  (a, b) =>
    a.onChange === b.onChange &&
    a.company === b.company &&
    (["order", "group", "rows"] as const).every((name) => a.state[name] === b.state[name]),
);

/** Order, grouping and folding as a menu, with the download of what is shown. */
function ViewMenu({
  company,
  state,
  onChange,
}: {
  company: string;
  state: BoardState;
  onChange: (change: Partial<BoardState>) => void;
}) {
  const { order, group, rows } = state;
  const items: MenuItem[] = [
    choice("group", GROUP, group, GROUPS, (value) => onChange(groupedBy(value, state))),
    choice("order", ORDER, order, ORDERS, (value) => onChange(orderedBy(value, state))),
    choice("rows", ROWS, rows, ROW_CHOICES, (value) =>
      onChange({
        ...(group === "attention" && value === "folded" ? groupedBy("partner", state) : {}),
        rows: value,
        open: [],
      }),
    ),
    {
      kind: "action",
      key: "csv",
      label: DOWNLOAD_CSV,
      onSelect: () => download(boardCsvPath(company, window.location.search)),
    },
  ];
  return (
    <MenuButton
      label={VIEW_MENU}
      items={items}
      align="end"
      className="inline-flex h-6 items-center gap-1.5 rounded border border-control px-2.5 text-ink-2 hover:text-ink max-sm:h-9"
    >
      {VIEW_MENU}
      <Chevron />
    </MenuButton>
  );
}

function choice<T extends string>(
  key: string,
  label: string,
  value: T,
  options: readonly { value: T; label: string }[],
  onChoose: (value: T) => void,
): MenuItem {
  return {
    kind: "choice",
    key,
    label,
    value,
    options,
    onChoose: (chosen) => {
      const option = options.find((one) => one.value === chosen);
      if (option !== undefined) onChoose(option.value);
    },
  };
}

/** Like a link with `download`. */
function download(href: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}
