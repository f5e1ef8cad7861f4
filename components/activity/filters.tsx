"use client";

import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { DateInput } from "@/components/shell/time/date-input";
import { useZone } from "@/components/shell/time/zone";
import { FILTER_CONTROL, FilterLabel, FilterSelect } from "@/components/ui/filter-select";
import { SearchField } from "@/components/ui/search-field";
import { useMedia } from "@/components/ui/use-media";
import type { ActivityView } from "@/lib/contracts/activity";
import { OUTCOMES } from "@/lib/domain/deletion";
import { OUTCOME_LABEL } from "@/lib/domain/words/file-words";
import type { ActivityState } from "./activity-url";
import { filterWords } from "./words";
import { dayEndMs, dayOf, dayStartMs } from "@/lib/domain/time/day";

/** Filters of the log. `people`: everyone in it; `areFiles`: whether it contains file actions. */
export function Filters({
  state,
  people,
  areFiles,
  onChange,
}: {
  state: ActivityState;
  people: ActivityView["people"];
  areFiles: boolean;
  onChange: (changes: Partial<ActivityState>, how?: "push" | "replace") => void;
}) {
  const timeZone = useZone();
  // The native picker reports every part of a date that changes.
  const how = useMedia("(pointer: coarse)") ? "replace" : "push";
  // A link may name a person whom the response doesn't include, or not yet.
  const isListed = people.some(({ email }) => email === state.person);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-2.5 max-sm:grid max-sm:grid-cols-2">
      <SearchField
        maxLength={SEARCH_CHARACTERS}
        label={filterWords.search}
        className="w-[250px] max-sm:col-span-full max-sm:h-11 max-sm:w-full"
        value={state.q}
        onType={(q) => onChange({ q }, "replace")}
        onKeyDown={(event) => {
          if (event.key === "Escape") onChange({ q: "" }, "replace");
        }}
      />
      {areFiles ? (
        <FilterSelect
          label={filterWords.outcome}
          value={state.outcome ?? ""}
          onChoose={(chosen) =>
            onChange({ outcome: OUTCOMES.find((word) => word === chosen) ?? null })
          }
        >
          <option value="">{filterWords.anyOutcome}</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome} value={outcome}>
              {OUTCOME_LABEL[outcome]}
            </option>
          ))}
        </FilterSelect>
      ) : null}
      <FilterSelect
        label={filterWords.who}
        className="max-w-[220px] max-sm:max-w-none"
        value={state.person ?? ""}
        onChoose={(email) => onChange({ person: email || null })}
      >
        <option value="">{filterWords.everyone}</option>
        {state.person === null || isListed ? null : (
          <option value={state.person}>{state.person}</option>
        )}
        {people.map(({ name, email }) => (
          <option key={email} value={email}>
            {name === email ? email : `${name} (${email})`}
          </option>
        ))}
      </FilterSelect>
      <FilterLabel label={filterWords.from}>
        <DateInput
          kind="date"
          className={FILTER_CONTROL}
          min={NO_EARLIER}
          value={state.from === null ? "" : dayOf(state.from.getTime(), timeZone)}
          onChange={(day) => onChange({ from: asDate(dayStartMs(day, timeZone)) }, how)}
        />
      </FilterLabel>
      <FilterLabel label={filterWords.until}>
        <DateInput
          kind="date"
          className={FILTER_CONTROL}
          min={NO_EARLIER}
          value={state.until === null ? "" : dayOf(state.until.getTime() - 1, timeZone)}
          onChange={(day) => onChange({ until: asDate(dayEndMs(day, timeZone)) }, how)}
        />
      </FilterLabel>
    </div>
  );
}

const NO_EARLIER = "2000-01-01";

function asDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
