"use client";

import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import type { RefObject } from "react";
import { FilterSelect } from "@/components/ui/filter-select";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import { NO_OWNER, ORDERS, WHOSE, type CompaniesState, type Whose } from "./companies-url";
import { toolWords as words } from "./words";

/** Filters and order of the list. */
export function CompanyTools({
  state,
  amounts,
  owners,
  partners,
  searchRef,
  onChange,
  onSearch,
}: {
  state: CompaniesState;
  /** How many there are; null: unknown. */
  amounts: Readonly<Record<Exclude<Whose, "all">, number | null>>;
  /** Owners to choose from; see `ownersOf`. */
  owners: { names: readonly string[]; hasUnowned: boolean };
  /** Names to choose from. */
  partners: readonly string[];
  searchRef: RefObject<HTMLInputElement | null>;
  onChange: (changes: Partial<CompaniesState>) => void;
  onSearch: (q: string) => void;
}) {
  return (
    <div className="fleet-tools flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 px-6 py-2 text-xs/4.5 text-ink-2 max-sm:gap-2 max-sm:px-3.5">
      <SearchField
        maxLength={SEARCH_CHARACTERS}
        ref={searchRef}
        label={words.search}
        hint="/"
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
      <NameSelect
        label={words.owner}
        any={words.anyOwner}
        {...owners}
        value={state.owner}
        onChoose={(owner) => onChange({ owner })}
      />
      <NameSelect
        label={words.partner}
        any={words.anyPartner}
        names={partners}
        value={state.partner}
        onChoose={(partner) => onChange({ partner })}
      />
      <span className="flex-1" />
    </div>
  );
}

/** A select whose current value is always an option, even if no company has it. */
function NameSelect({
  label,
  any,
  names,
  hasUnowned,
  value,
  onChoose,
}: {
  label: string;
  /** Label of the empty choice. */
  any: string;
  names: readonly string[];
  /** Whether "no owner" is an option; absent: no such option. */
  hasUnowned?: boolean;
  value: string;
  onChoose: (name: string) => void;
}) {
  if (names.length === 0 && value === "") return null;
  const isUnowned = hasUnowned !== undefined && value === NO_OWNER;
  const isNamed = value !== "" && !isUnowned;
  return (
    <FilterSelect
      label={label}
      className="max-w-[160px] max-sm:max-w-none"
      value={value}
      onChoose={onChoose}
    >
      <option value="">{any}</option>
      {hasUnowned === true || isUnowned ? (
        <option value={NO_OWNER}>{words.administrators}</option>
      ) : null}
      {isNamed && !names.includes(value) ? <option value={value}>{value}</option> : null}
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </FilterSelect>
  );
}
