"use client";

import {
  Suspense,
  useCallback,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type ReactNode,
} from "react";
import { Filters } from "@/components/grid/filters";
import { useBoardKeys } from "@/components/grid/use-board-keys";
import { Spacer } from "@/components/list/spacer";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { useRowFocus } from "@/components/list/use-row-focus";
import { useVisibleLines } from "@/components/list/use-visible-lines";
import { FleetBar } from "@/components/shell/live/fleet-bar";
import { useFleet } from "@/components/shell/live/fleet-context";
import { shareButtonProps } from "@/components/drill-down/share/share-button-props";
import { popupButton } from "@/components/ui/popup-button";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { useMedia } from "@/components/ui/use-media";
import { lazyPart } from "@/components/ui/lazy-part";
import { textParam } from "@/lib/client/address/address-params";
import { useAddressParam } from "@/lib/client/address/use-address";
import type { CompanySummary } from "@/lib/contracts/dashboard";
import { totalOf } from "@/lib/domain/order";
import { instantMs } from "@/lib/domain/time/instant";
import { ownersOf, partnersOf, type Unseen } from "./choose";
import { useCompaniesHere } from "./companies-here";
import type { CompaniesState } from "./companies-url";
import { CompanyFoot } from "./company-foot";
import { CARD_PX, CARD_QUERY, CompanyHead, CompanyRow, ROW_PX } from "./company-row";
import { CompanyTools } from "./company-tools";
import { NoMatch } from "./no-match";
import {
  chatSubject,
  companiesText,
  listHead,
  noCompanies,
  notCounted,
  shownText,
  summary,
} from "./words";
import { CompaniesThen } from "./companies-then";

const Share = popupButton("dialog", () => import("./companies-share"));
const KeysDialog = lazyPart(() => import("./company-keys-dialog"));

/** Delay between the last keystroke and the update of the address. */
const TYPING_MS = 600;
/** Height of the footer; see `.board-keys`. */
const FOOT_PX = 28;
/** Overscan is small because a row has many elements. */
const MORE_ROWS = 1;

/**
 * Companies that a person may see, worst first, each with its confidence.
 * @param children content between the bar and the list
 */
export function CompanyList({
  mayConnect,
  children,
}: {
  /** May manage the connections. */
  mayConnect: boolean;
  children?: ReactNode;
}) {
  const { companies } = useFleet().view;
  if (companies.length === 0)
    return (
      <>
        {children}
        <Empty
          heading="h1"
          title={noCompanies.title}
          action={
            mayConnect ? (
              <Link href="/settings/connections/new" className="button-link">
                {noCompanies.connectOne}
              </Link>
            ) : null
          }
        >
          {mayConnect ? noCompanies.connect : noCompanies.sentence}
        </Empty>
      </>
    );
  return (
    <>
      <FleetBar />
      {children}
      <Companies />
    </>
  );
}

function Companies() {
  const { view, silence } = useFleet();
  const { companies } = view;
  const { unseen, choice, state, setState } = useCompaniesHere();
  const { companies: shown, counts, amounts } = choice;
  const change = useCallback((to: Partial<CompaniesState>) => setState(to), [setState]);
  const owners = useMemo(() => ownersOf(companies), [companies]);
  const partners = useMemo(() => partnersOf(companies), [companies]);
  const searchRef = useRef<HTMLInputElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const showKeys = useCallback(() => setShowsKeys(true), []);
  const showVerdict = useCallback(
    ({ verdict = null }: Pick<Partial<CompaniesState>, "verdict">) => setState({ verdict }),
    [setState],
  );
  useBoardKeys({ searchRef, change: showVerdict, onHelp: showKeys });
  const subject = chatSubject(state);
  const [at, setAt] = useAddressParam("at", textParam);
  const atMs = instantMs(at);
  return (
    <div className="above-keys">
      <PageHead
        className="px-6 max-sm:flex-row! max-sm:items-center! max-sm:px-3.5 max-sm:[&>:first-child]:flex-1!"
        title={
          <span role="status">
            {counts === null
              ? notCounted(state.partner, silence !== null)
              : shown.length === companies.length
                ? summaryOf(companies, unseen)
                : shownText(shown.length, companies.length)}
          </span>
        }
        actions={
          counts === null ? undefined : (
            <Share {...shareButtonProps()} subject={subject} companies={shown} />
          )
        }
      />
      <Filters
        counts={counts}
        total={counts === null ? null : totalOf(counts)}
        chosen={state.verdict}
        onChange={showVerdict}
      />
      <CompanyTools
        state={state}
        amounts={amounts}
        owners={owners}
        partners={partners}
        searchRef={searchRef}
        onChange={change}
        onSearch={(q) => setState({ q }, { pauseMs: TYPING_MS })}
      />
      {atMs === null || shown.length === 0 ? null : (
        <CompaniesThen
          atMs={atMs}
          companies={shown}
          partner={state.partner}
          isCounted={counts !== null}
          onBack={() => setAt(null)}
        />
      )}
      {shown.length === 0 ? (
        <NoMatch
          state={state}
          companies={companies.length}
          unseen={unseen.size}
          isCareKnown={companies.every(({ care }) => care !== null)}
          onShowAll={() => change({ verdict: null, whose: "all", owner: "", partner: "", q: "" })}
        />
      ) : (
        <Table
          companies={shown}
          isCounted={counts !== null}
          isServerSilent={silence !== null}
          filterKey={JSON.stringify(state)}
          order={state.order}
        />
      )}
      <CompanyFoot
        said={
          shown.length === companies.length
            ? companiesText(companies.length)
            : shownText(shown.length, companies.length)
        }
        onHelp={showKeys}
      />
      {showsKeys ? (
        <Suspense>
          <KeysDialog onClose={() => setShowsKeys(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** @param filterKey the filters as one string */
function Table({
  companies,
  isCounted,
  isServerSilent,
  filterKey,
  order,
}: {
  companies: readonly CompanySummary[];
  isCounted: boolean;
  isServerSilent: boolean;
  filterKey: string;
  order: CompaniesState["order"];
}) {
  const table = useRef<HTMLDivElement>(null);
  const { isInteracting, handlers } = useInteracting();
  const slugs = useMemo(() => companies.map(({ slug }) => slug), [companies]);
  // Rows stay in place while a pointer or focus is on them, while their texts update. Added and
  // removed rows take effect at once.
  const held = useFrozenOrder(slugs, `${filterKey} ${slugs.toSorted().join(" ")}`, isInteracting);
  const rowPx = useMedia(CARD_QUERY) ? CARD_PX : ROW_PX;
  const heights = useMemo(() => held.map(() => rowPx), [held, rowPx]);
  const isPrinted = useMedia("print");
  const lines = useVisibleLines(table, heights, isPrinted, FOOT_PX, MORE_ROWS);
  const { first, end, abovePx, belowPx, reveal } = lines;

  const onRowFocus = useRowFocus(table, held, "a", reveal);
  const touch = {
    ...handlers,
    onFocus: (event: FocusEvent) => {
      handlers.onFocus();
      onRowFocus(event);
    },
  };
  const bySlug = new Map(companies.map((company) => [company.slug, company]));
  return (
    <div
      ref={table}
      role="table"
      aria-label={listHead.label(order)}
      aria-rowcount={held.length + 1}
      className="list-frame"
      {...touch}
    >
      <CompanyHead />
      <Spacer px={abovePx} />
      {held.slice(first, end).map((slug, at) => {
        const company = bySlug.get(slug);
        return company === undefined ? null : (
          <CompanyRow
            key={slug}
            company={company}
            isCounted={isCounted}
            isServerSilent={isServerSilent}
            place={first + at}
          />
        );
      })}
      <Spacer px={belowPx} />
    </div>
  );
}

function summaryOf(companies: readonly CompanySummary[], unseen: Unseen): string {
  const isRead = ({ source }: CompanySummary) => source.last_success_at !== null;
  const endpoints = companies.reduce((sum, { counts }) => sum + totalOf(counts), 0);
  const blind = companies.filter((company) => isRead(company) && unseen.has(company.slug));
  return summary(
    companies.length,
    endpoints,
    companies.filter((company) => !isRead(company)).length,
    blind.map(({ name }) => name),
  );
}
