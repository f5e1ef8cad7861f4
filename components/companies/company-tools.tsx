"use client";

import type { ReactNode, RefObject } from "react";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import { ORDERS, WHOSE, type CompaniesState, type Whose } from "./companies-url";
import { toolWords as words } from "./words";

/** Which companies to show, and in which order. */
export function CompanyTools({
  state,
  amounts,
  searchRef,
  onChange,
  onSearch,
  children,
}: {
  state: CompaniesState;
  /** How many there are; null: not known. */
  amounts: Readonly<Record<Exclude<Whose, "all">, number | null>>;
  searchRef: RefObject<HTMLInputElement | null>;
  onChange: (changes: Partial<CompaniesState>) => void;
  onSearch: (q: string) => void;
  /** What is shown, and what else can be done with it. */
  children: ReactNode;
}) {
  return (
    <div className="fleet-tools">
      <SearchField
        ref={searchRef}
        label={words.search}
        hint="/"
        maxLength={200}
        className="fleet-search w-[236px]"
        value={state.q}
        onType={onSearch}
        onKeyDown={(event) => {
          if (event.key === "Escape") onChange({ q: "" });
        }}
      />
      <Segmented
        className="fleet-whose"
        label={words.whose}
        value={state.whose}
        options={WHOSE.map((value) => ({
          value,
          label:
            value === "all" ? words.allCompanies : words.withCount(words[value], amounts[value]),
        }))}
        onChange={(whose) => onChange({ whose })}
      />
      <Segmented
        label={words.order}
        value={state.order}
        options={ORDERS.map((value) => ({ value, label: words[value] }))}
        onChange={(order) => onChange({ order })}
      />
      <span className="flex-1" />
      {children}
    </div>
  );
}
