"use client";

import { needlesOf } from "@/lib/domain/text/fold-text";
import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useState, type ReactNode } from "react";
import { IncidentIcon } from "@/components/marks/incident-icon";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import { QuietSection } from "@/components/quiet/quiet-section";
import { ShareCompanyPage, ShareFleetPage } from "@/components/drill-down/share/share-page";
import { PreviousData } from "@/components/shell/previous-data";
import { useLiveCompany } from "@/components/shell/live-company";
import { Button } from "@/components/ui/button";
import { ListSilence } from "@/components/list/list-silence";
import { Empty, Loading } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { FilterSelect } from "@/components/ui/filter-select";
import { NOT_COUNTED } from "@/components/grid/words";
import { PageHead } from "@/components/ui/page-head";
import { SearchField } from "@/components/ui/search-field";
import { Segmented } from "@/components/ui/segmented";
import { lazyPart } from "@/components/ui/lazy-part";
import { endedIncidentsPath, incidentsCsvPath } from "@/lib/client/incident-lists";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { incidentsQuery } from "@/lib/client/queries/incidents";
import { untagged } from "@/lib/client/queries/views/tagged";
import { useSilentSince } from "@/lib/client/use-silent-since";
import { useAddress } from "@/lib/client/address/use-address";
import type { IncidentCounts, IncidentsView as View } from "@/lib/contracts/incidents";
import { CareSelect } from "./care-select";
import { chosen, countsOf, namedOf } from "./choose";
import { EndedList } from "./ended-list";
import {
  ENDED_STEP,
  endedOf,
  incidentsParams,
  ORDERS,
  SHOWN,
  type State,
  type Shown,
} from "./incidents-url";
import { incidentsSentence } from "./incidents-sentence";
import { OpenList } from "./open-list";
import {
  ANY_COMPANY,
  beyond,
  chatFilters,
  COMPANY,
  endedWords,
  handOverWords,
  CSV,
  INCIDENTS,
  none,
  notLoaded,
  onlyNow,
  ORDER_LABEL,
  ORDER_WORDS,
  SEARCH,
  SHOW_LABEL,
  SHOWN_LABEL,
  silence,
  summary,
} from "./words";

const HandOverDialog = lazyPart(() => import("./hand-over-dialog"));

/** Server data of the page, with the path that it is for. */
export type FirstIncidents = { path: string; view: View | null };

/**
 * Open and ended incidents: of a company, or (null) of all that the person may see.
 * @param companies to filter by; empty on a company's page
 * @param mayHandOver whether any of it could be this person's
 */
export function IncidentsView({
  company,
  companies,
  mayHandOver,
  first,
}: {
  company: string | null;
  companies: readonly { slug: string; name: string }[];
  mayHandOver: boolean;
  first: readonly FirstIncidents[];
}) {
  const [state, setState] = useAddress(incidentsParams, "replace");
  const open = useList(openIncidentsPath(company), first);
  const ended = useList(endedIncidentsPath(company, endedOf(state)), first);
  const all = open.data?.data;
  const shown = useMemo(() => (all === undefined ? [] : chosen(all, state)), [all, state]);
  const withCompany = company === null;
  const Share = withCompany ? ShareFleetPage : ShareCompanyPage;
  const silentMs = useSilentSince(open.dataUpdatedAt);
  const showAll = () => setState({ show: "open", company: null, q: "" });
  const counts = useMemo(
    () => (open.data === undefined ? undefined : countsOf(open.data.counts, open.data.data, state)),
    [open.data, state],
  );
  const named = useMemo(() => namedOf(all ?? [], state), [all, state]);
  const hitCompanies = new Set(named.map((incident) => incident.company.slug)).size;
  const allOpen = open.data?.counts.open ?? 0;
  const unseen = open.data?.not_observed.map(({ name }) => name) ?? [];
  return (
    <>
      <PageHead
        className="px-6 max-sm:flex-row! max-sm:flex-wrap! max-sm:items-center! max-sm:px-3.5 max-sm:[&>:first-child]:flex-auto!"
        title={
          counts === undefined
            ? INCIDENTS
            : `${INCIDENTS}: ${
                counts.open === null || allOpen > (all?.length ?? 0)
                  ? beyond(all?.length ?? 0, allOpen)
                  : summary(counts.open, withCompany ? hitCompanies : null, unseen)
              }`
        }
        below={
          state.at === null ? undefined : (
            <p className="text-ink-2">
              {onlyNow.said}{" "}
              <Link
                href={`/${company ?? ""}?at=${encodeURIComponent(state.at)}`}
                className="underline underline-offset-3"
              >
                {onlyNow.link}
              </Link>
            </p>
          )
        }
        actions={
          <>
            {company === null ? null : (
              <a
                className="button-link max-sm:hidden"
                href={incidentsCsvPath(company, state)}
                download=""
              >
                {CSV}
              </a>
            )}
            {mayHandOver ? <HandOver /> : null}
            {open.data === undefined ? null : (
              <Share
                page={INCIDENTS}
                filters={chatFilters(
                  state,
                  companies.find(({ slug }) => slug === state.company)?.name ?? null,
                )}
                silentMs={silentMs}
                say={() =>
                  incidentsSentence(state.show, {
                    shown,
                    listed: open.data.data,
                    counts: open.data.counts,
                    isFiltered: state.show !== "open" || named.length < open.data.data.length,
                    ended: ended.data?.meta.total_count ?? null,
                    unseen,
                    withCompany,
                  })
                }
              />
            )}
          </>
        }
      />
      <Tiles
        counts={counts}
        chosenOne={state.show}
        onChoose={(show) => setState({ show: show === state.show ? "open" : show })}
      />
      <Tools company={company} companies={companies} state={state} onChange={setState} />
      <ListSilence sinceMs={silentMs} say={silence} />
      {state.show === "ended" ? null : all === undefined ? (
        open.isError ? (
          <Empty title={notLoaded.title}>{notLoaded.sentence}</Empty>
        ) : (
          <Loading className="mx-6 min-h-[120px] max-sm:mx-3.5" />
        )
      ) : shown.length > 0 ? (
        <OpenList incidents={shown} withCompany={withCompany} />
      ) : all.length === 0 ? (
        <NoneOpen isOfCompany={company !== null} unseen={unseen} />
      ) : (
        <p className="list-empty">
          <b className="font-strong text-ink">{none.noMatch}.</b> {none.hidden(all.length)}{" "}
          <Button onClick={showAll} className="ml-2">
            {none.show}
          </Button>
        </p>
      )}
      {company === null ? null : <QuietSection mayPlan={mayHandOver} />}
      <EndedSection
        list={ended}
        lately={state.show === "mine" ? null : (counts?.ended_last_7_days ?? null)}
        isSearched={needlesOf(state.q).length > 0}
        isOpenFailed={open.isError}
        withCompany={withCompany}
        isNarrowed={state.show === "mine" || state.company !== null}
        onShowAll={showAll}
        onMore={() => setState({ ended: state.ended + ENDED_STEP })}
      />
    </>
  );
}

/** Gives a person's open incidents to others. */
function HandOver() {
  const [handsOver, setHandsOver] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setHandsOver(true)}>
        {handOverWords.button}
      </Button>
      {handsOver ? (
        <Suspense>
          <HandOverDialog onClose={() => setHandsOver(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Search, order and filters. */
function Tools({
  company,
  companies,
  state,
  onChange,
}: {
  company: string | null;
  companies: readonly { slug: string; name: string }[];
  state: State;
  onChange: (changes: Partial<State>) => void;
}) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2 px-6 py-2 max-sm:gap-2 max-sm:px-3.5">
      <SearchField
        maxLength={SEARCH_CHARACTERS}
        label={SEARCH}
        value={state.q}
        onType={(q) => onChange({ q })}
        className="w-[236px] max-sm:w-full"
      />
      <Segmented
        label={ORDER_LABEL}
        value={state.order}
        options={ORDERS.map((value) => ({ value, label: ORDER_WORDS[value] }))}
        onChange={(order) => onChange({ order })}
        className="max-sm:w-full max-sm:text-xs"
      />
      {companies.length < 2 ? null : (
        <FilterSelect
          label={COMPANY}
          value={state.company ?? ""}
          onChoose={(slug) => onChange({ company: slug === "" ? null : slug })}
        >
          <option value="">{ANY_COMPANY}</option>
          {companies.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </FilterSelect>
      )}
      {company === null ? null : <CareSelect company={company} />}
    </div>
  );
}

/**
 * @param lately number of those that ended in the last 7 days; null: not known
 * @param isSearched the open ones are searched
 * @param isOpenFailed the open incidents couldn't be loaded either, which says so for both
 */
function EndedSection({
  list,
  lately,
  isSearched,
  isOpenFailed,
  withCompany,
  isNarrowed,
  onShowAll,
  onMore,
}: {
  list: ReturnType<typeof useList>;
  lately: number | null;
  isSearched: boolean;
  isOpenFailed: boolean;
  withCompany: boolean;
  isNarrowed: boolean;
  onShowAll: () => void;
  onMore: () => void;
}) {
  return (
    <section aria-labelledby="ended-incidents">
      <div className="mx-6 mt-[18px] mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-0.5 max-sm:mx-3.5">
        <h2 id="ended-incidents" className="font-strong">
          {endedWords.heading}
        </h2>
        <p className="text-xs text-ink-3">
          {endedWords.note({
            total: list.data?.meta.total_count ?? null,
            lately,
            isSoFar: list.data?.is_history_loading === true,
            isSearched,
          })}
        </p>
      </div>
      {list.data === undefined ? (
        list.isError && !isOpenFailed ? (
          <p className="list-empty">{notLoaded.sentence}</p>
        ) : null
      ) : list.data.data.length === 0 ? (
        <p className="list-empty">
          {isNarrowed ? (
            <>
              {none.noneEndedHere}{" "}
              <Button onClick={onShowAll} className="ml-2">
                {none.show}
              </Button>
            </>
          ) : list.data.is_history_loading === true ? (
            none.noneEndedSoFar
          ) : (
            none.noneEnded
          )}
        </p>
      ) : (
        <>
          <PreviousData isPrevious={list.isPlaceholderData} isError={list.isError}>
            <EndedList incidents={list.data.data} withCompany={withCompany} />
          </PreviousData>
          {list.data.meta.total_pages > 1 ? (
            <Button className="mx-6 mt-3 max-sm:mx-3.5" onClick={onMore}>
              {endedWords.more}
            </Button>
          ) : null}
        </>
      )}
    </section>
  );
}

function NoneOpen({ isOfCompany, unseen }: { isOfCompany: boolean; unseen: readonly string[] }) {
  if (isOfCompany) return <NoneOpenHere />;
  return (
    <None unseen={unseen}>
      <Link href="/companies" className="text-ink underline underline-offset-3">
        {none.companies}
      </Link>
    </None>
  );
}

/** While the company is blind, no incident can open. */
function NoneOpenHere() {
  const { slug, name, confidence } = useLiveCompany();
  return (
    <None unseen={confidence === "blind" ? [name] : []}>
      <Link href={`/${slug}`} className="text-ink underline underline-offset-3">
        {none.overview(name)}
      </Link>
    </None>
  );
}

/** @param unseen names of companies that may have some */
function None({ unseen, children }: { unseen: readonly string[]; children: ReactNode }) {
  const [title, sentence] =
    unseen.length === 0
      ? [none.title, none.sentence]
      : [none.titleUnseen, none.sentenceUnseen(unseen)];
  return (
    <p className="list-empty">
      <b className="font-strong text-ink">{title}.</b> {sentence} {children}
    </p>
  );
}

/** A list with the server's data until the browser has fetched it. */
function useList(path: string, first: readonly FirstIncidents[]) {
  const drawn = first.find((one) => one.path === path)?.view ?? null;
  return useQuery({
    ...incidentsQuery(path),
    ...(drawn !== null && { initialData: untagged(drawn) }),
  });
}

const COUNT_OF: Readonly<Record<Shown, keyof IncidentCounts>> = {
  open: "open",
  unacknowledged: "unacknowledged",
  mine: "mine",
  failing: "failing",
  stale: "stale",
  late: "late",
  unknown: "cannot_tell",
  ended: "ended_last_7_days",
};

function Tiles({
  counts,
  chosenOne,
  onChoose,
}: {
  /** Null: can't be counted. */
  counts: Readonly<Record<keyof IncidentCounts, number | null>> | undefined;
  chosenOne: Shown;
  onChoose: (shown: Shown) => void;
}) {
  return (
    <div className="filters incident-tiles" role="group" aria-label={SHOW_LABEL}>
      {SHOWN.map((shown) => {
        const amount = counts?.[COUNT_OF[shown]];
        const verdict = VERDICT_TILES.find((word) => word === shown);
        return (
          <button
            key={shown}
            type="button"
            className={amount === 0 ? "filter is-none" : "filter"}
            data-verdict={verdict}
            aria-pressed={chosenOne === shown}
            aria-label={`${amount ?? ""} ${SHOWN_LABEL[shown]}`.trim()}
            onClick={() => onChoose(shown)}
          >
            <b>{amount === null ? NOT_COUNTED : (amount ?? " ")}</b>
            <span>
              {verdict === undefined ? null : <VerdictIcon shape={verdict} />}
              {shown === "unacknowledged" ? (
                <span className="text-ink">
                  <IncidentIcon isAcknowledged={false} />
                </span>
              ) : null}
              {SHOWN_LABEL[shown]}
            </span>
          </button>
        );
      })}
    </div>
  );
}

const VERDICT_TILES = ["failing", "stale", "late", "unknown"] as const;
