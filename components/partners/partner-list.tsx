"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ShareFleetPage } from "@/components/drill-down/share/share-page";
import { ListSilence } from "@/components/list/list-silence";
import { Pager } from "@/components/list/pager";
import { NextSync } from "@/components/marks/next-sync";
import { PARTNERS } from "@/components/shell/words";
import { useZone } from "@/components/shell/time/zone";
import { Empty, NothingMatches } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { SearchField } from "@/components/ui/search-field";
import { partnersEverywherePath, partnersPath } from "@/lib/client/queries/partners/partners-path";
import { partnersQuery } from "@/lib/client/queries/partners/partners-query";
import { useAddress } from "@/lib/client/address/use-address";
import { useSilentSince } from "@/lib/client/use-silent-since";
import { useNow } from "@/lib/client/use-now";
import type { PartnersView, PartnerSummary } from "@/lib/contracts/partners/partners";
import { SEARCH_CHARACTERS } from "@/lib/domain/text/search-limits";
import { instantMs } from "@/lib/domain/time/instant";
import { count, moment, narrowMoment } from "@/lib/domain/words/format";
import { sameNextTexts, scheduledTexts } from "@/lib/domain/words/next-sync-text";
import { partnersParams } from "./partners-url";
import { list as words, page as pageWords, partnersSentence, rows as rowWords } from "./words";

/** Delay between the last keystroke and the request. */
const TYPING_MS = 300;

/** The partners of all customers of a person. @param first from the server, with the path that it is for */
export function PartnerList({ first }: { first: { path: string; view: PartnersView | null } }) {
  const [state, setState] = useAddress(partnersParams);
  const path = partnersPath(state);
  const { data, dataUpdatedAt, isError, isPlaceholderData } = useQuery({
    ...partnersQuery(path),
    placeholderData: keepPreviousData,
    ...(first.path === path && first.view !== null && { initialData: first.view }),
  });
  const silentMs = useSilentSince(dataUpdatedAt);
  return (
    <>
      <PageHead
        className="px-6 max-sm:px-3.5"
        title={PARTNERS}
        actions={
          <>
            <SearchField
              maxLength={SEARCH_CHARACTERS}
              label={words.search}
              value={state.q}
              onType={(q) => setState({ q, page: null }, { pauseMs: TYPING_MS })}
              onKeyDown={(event) => {
                if (event.key === "Escape") setState({ q: null, page: null });
              }}
            />
            {data === undefined || isPlaceholderData ? null : (
              <ShareFleetPage
                page={PARTNERS}
                filters={state.q === "" ? [] : [`“${state.q}”`]}
                silentMs={silentMs}
                say={() => partnersSentence(data)}
              />
            )}
          </>
        }
      />
      <ListSilence sinceMs={silentMs} say={words.silence} />
      {data === undefined ? (
        <p className="pe-note" role="status">
          {isError ? words.notLoaded : pageWords.loading}
        </p>
      ) : data.data.length > 0 ? (
        <Table view={data} onPage={(page) => setState({ page })} />
      ) : state.q === "" && state.page === 1 ? (
        <Empty title={words.none}>{words.noneText}</Empty>
      ) : (
        <NothingMatches
          show={pageWords.showAll}
          onShowAll={() => setState({ q: null, page: null })}
        >
          {words.noMatch}
        </NothingMatches>
      )}
    </>
  );
}

function Table({ view, onPage }: { view: PartnersView; onPage: (page: number) => void }) {
  const { page, total_pages: pages, total_count: total } = view.meta;
  return (
    <div className="px-6 max-sm:px-0">
      <div role="table" aria-label={PARTNERS} className="pe-table pe-list">
        <div role="row" className="pe-line pe-head">
          <span role="columnheader">{words.partner}</span>
          <span role="columnheader">{words.customers}</span>
          <span role="columnheader" title={words.quietNote}>
            {words.behind}
          </span>
          <span role="columnheader">{words.since}</span>
          <span role="columnheader">{words.next}</span>
          <span role="columnheader">{words.unseen}</span>
          <span role="columnheader" title={words.cannotJudgeNote}>
            {words.cannotJudge}
          </span>
          <span role="columnheader" title={rowWords.onTimeNote(null)}>
            {words.onTime}
          </span>
        </div>
        {view.data.map((one) => (
          <Line key={one.partner_name} one={one} />
        ))}
      </div>
      {pages > 1 ? (
        <Pager words={words.pages} page={page} pages={pages} total={total} onPage={onPage} />
      ) : null}
    </div>
  );
}

function Line({ one }: { one: PartnerSummary }) {
  const timeZone = useZone();
  const [sinceMs, nextMs] = [instantMs(one.since), instantMs(one.next_sync_at)];
  const text = useNow(
    (nowMs) => ({
      since: sinceMs === null ? "" : narrowMoment(moment(sinceMs, nowMs, timeZone)),
      ...scheduledTexts(nextMs, nowMs, timeZone),
    }),
    (a, b) => a.since === b.since && sameNextTexts(a, b),
  );
  const isBehind = one.behind > 0;
  return (
    <div role="row" className="pe-line">
      <span role="rowheader">
        <Link href={partnersEverywherePath(one.partner_name, null)} dir="auto">
          {one.partner_name}
        </Link>
      </span>
      <span role="cell">
        {count(one.companies)}
        <i className="only-phone"> {words.customersHere(one.companies)}</i>
      </span>
      <span role="cell" className={isBehind ? "font-strong text-ink" : "text-ink-3"}>
        {isBehind ? count(one.behind) : words.noneBehind}
        <i className="only-phone"> {words.behindHere}</i>
        {one.quiet === 0 ? null : <span className="text-ink-3">, {words.quiet(one.quiet)}</span>}
      </span>
      <span role="cell" className="font-mono">
        {text.since}
      </span>
      <span role="cell" className="pe-next">
        <NextSync {...text} />
      </span>
      <span role="cell" className={one.unseen > 0 ? "pe-hatched" : undefined}>
        {one.unseen === 0 ? "" : count(one.unseen)}
        {one.unseen === 0 ? null : <i className="only-phone"> {words.unseenHere}</i>}
      </span>
      <span role="cell">
        {one.cannot_judge === 0 ? "" : count(one.cannot_judge)}
        {one.cannot_judge === 0 ? null : <i className="only-phone"> {words.unknownHere}</i>}
      </span>
      <span role="cell">
        {one.on_time_month === null ? "" : rowWords.percent(one.on_time_month)}
      </span>
    </div>
  );
}
