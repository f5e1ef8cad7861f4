"use client";

import { useState, type ReactNode, type RefObject } from "react";
import { LeadSentence } from "@/components/list/lead-sentence";
import { PromiseMark } from "@/components/marks/promise-mark";
import { useBoardTitle } from "@/components/shell/use-tab-title";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { TODAY_ORDERS } from "@/lib/domain/today/shown";
import { NO_FILTER, isFiltered, type TodayState } from "./today-url";
import { useLead, type LeadGiven } from "./use-lead";
import { lead as words, filterWords, tools } from "./words";

type Change = (changes: {
  [Name in keyof TodayState]?: TodayState[Name] | null;
}) => void;

/** Remarks that are shown before the rest is folded, beside rows and beside cards. */
const SHOWN_NOTES = 3;
const SHOWN_ON_CARDS = 2;

/**
 * The sentence, whose parts are filters, and below it what would make it too good.
 * @param owner name of the filtered owner; null: unknown
 * @param isOld the sentence is that of earlier filters
 * @param children further actions
 */
export function TodayLead({
  given,
  change,
  owner,
  isOld,
  searchRef,
  onSearch,
  customersHref,
  children,
}: {
  given: LeadGiven;
  change: Change;
  owner: string | null;
  isOld: boolean;
  searchRef: RefObject<HTMLInputElement | null>;
  onSearch: (q: string) => void;
  customersHref: string;
  children: ReactNode;
}) {
  const { state } = given;
  const { parts, notes, sentence } = useLead(given);
  useBoardTitle(words.title(sentence));
  const [isUnfolded, setIsUnfolded] = useState(false);
  // Other filters don't apply to them, nor does a past instant.
  const showsAmounts = !isFiltered({ ...state, mine: false }) && given.frozenMs === null;
  const does = {
    all: {
      isPressed: !isFiltered(state),
      run: () => change(NO_FILTER),
    },
    unattended: {
      isPressed: state.unattended,
      run: () => change({ unattended: state.unattended ? null : true }),
    },
    next: {
      isPressed: state.order === "next",
      run: () => change({ order: state.order === "next" ? null : "next" }),
    },
    customers: { href: customersHref },
  };
  return (
    <header className="today-lead">
      <h1 aria-busy={isOld} className={isOld ? "text-ink-3" : undefined}>
        <LeadSentence parts={parts} does={does} />
      </h1>
      <div className="today-notes">
        <Chips state={state} change={change} owner={owner} />
        <p>
          {isOld ? <span role="status">{words.oldFilters}</span> : null}
          {notes.map(({ key, mark, text }, at) =>
            at < SHOWN_NOTES || isUnfolded ? (
              <span
                key={key}
                className={
                  at < SHOWN_ON_CARDS || isUnfolded ? "today-note" : "today-note not-on-cards"
                }
              >
                {mark === null ? null : mark === "missed" || mark === "at_risk" ? (
                  <PromiseMark state={mark} />
                ) : (
                  <i className={`today-mark is-${mark}`} aria-hidden="true" />
                )}
                {text}
              </span>
            ) : null,
          )}
          {notes.length <= SHOWN_ON_CARDS ? null : (
            <button
              type="button"
              aria-expanded={isUnfolded}
              className={notes.length > SHOWN_NOTES ? "today-more" : "today-more only-on-cards"}
              onClick={() => setIsUnfolded(!isUnfolded)}
            >
              {isUnfolded ? (
                words.less
              ) : (
                <>
                  {notes.length > SHOWN_NOTES ? (
                    <span className="not-on-cards">{words.more(notes.length - SHOWN_NOTES)}</span>
                  ) : null}
                  <span className="only-on-cards">{words.more(notes.length - SHOWN_ON_CARDS)}</span>
                </>
              )}
            </button>
          )}
        </p>
      </div>
      <div className="today-tools">
        <SearchField
          maxLength={SEARCH_CHARACTERS}
          ref={searchRef}
          label={tools.search}
          hint="/"
          className="today-search"
          value={state.q}
          onType={onSearch}
          onKeyDown={(event) => {
            if (event.key === "Escape") change({ q: null });
          }}
        />
        <Segmented
          className="today-order"
          label={tools.order}
          value={state.order}
          options={TODAY_ORDERS.map((value) => ({ value, label: tools[value] }))}
          onChange={(order) => change({ order })}
        />
        <Segmented
          className="today-whose"
          label={tools.whose}
          value={state.mine ? "mine" : "all"}
          options={[
            { value: "all", label: tools.all(showsAmounts ? given.customers : null) },
            { value: "mine", label: tools.mine(showsAmounts ? given.own : null) },
          ]}
          onChange={(whose) => change({ mine: whose === "mine" ? true : null })}
        />
        {children}
      </div>
    </header>
  );
}

/** Filters that apply and aren't shown anywhere else, each of which can be removed. */
function Chips({
  state: { partner, owner: ownerId, verdict, unattended },
  change,
  owner,
}: {
  state: TodayState;
  change: Change;
  owner: string | null;
}) {
  const chips = [
    partner === null ? null : (["partner", filterWords.partner(partner)] as const),
    ownerId === null ? null : (["owner", filterWords.owner(owner ?? filterWords.someone)] as const),
    verdict === null ? null : (["verdict", filterWords.verdict(verdict)] as const),
    unattended ? (["unattended", filterWords.unattended] as const) : null,
  ].filter((chip) => chip !== null);
  if (chips.length === 0) return null;
  return (
    <span role="group" aria-label={words.filters} className="today-chips">
      {chips.map(([name, text]) => (
        <button
          key={name}
          type="button"
          aria-label={words.remove(text)}
          onClick={() => change({ [name]: null })}
        >
          {text} <span aria-hidden="true">×</span>
        </button>
      ))}
    </span>
  );
}
