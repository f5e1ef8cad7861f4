"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense, useDeferredValue, useMemo, useRef, useState } from "react";
import { ShareCompanyPage } from "@/components/drill-down/share/share-page";
import {
  ResourceList,
  ResourcePage,
  ResourcePager,
  ResourceTools,
} from "@/components/resource/resource-page";
import { useResource } from "@/components/resource/use-resource";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { lazyPart } from "@/components/ui/lazy-part";
import { statusOf } from "@/lib/client/api";
import {
  changePromise,
  keptPerPromiseQuery,
  makePromise,
  promisesCsvPath,
  promisesQuery,
  removePromise,
} from "@/lib/client/queries/promises";
import { useAddress } from "@/lib/client/address/use-address";
import { useNow } from "@/lib/client/use-now";
import { confidenceNow } from "@/lib/domain/confidence";
import { addKept } from "@/lib/domain/deadlines/kept";
import { dayOf } from "@/lib/domain/time/day";
import { CALENDAR } from "./calendar-words";
import { keptByPromise } from "./kept";
import { listPromises, searchPromises, type ListedPromise } from "./listed";
import { PromiseKeys } from "./promise-keys";
import { PromiseLegend, PromiseTable } from "./promise-table";
import { NEW, promisesParams } from "./promises-url";
import { promiseHeadline } from "./status";
import * as words from "./words";

const PromiseEditor = lazyPart(() => import("./promise-editor"));
const PromiseFacts = lazyPart(() => import("./promise-facts"));
const CalendarDialog = lazyPart(() => import("./calendar-dialog"));
const ImportDialog = lazyPart(() => import("./import-dialog"));

/** Each row draws a month. */
const PER_PAGE = 40;

/** The promises to a company: the list, or the editor of one. @param mayChange may add, change and import them */
export function PromisesView({ mayChange }: { mayChange: boolean }) {
  const { slug, name, view, isServerSilent } = useLiveCompany();
  const timeZone = useZone();
  const [{ promise: opened }, setState] = useAddress(promisesParams, "push");
  const [dialog, setDialog] = useState<"import" | "calendar" | null>(null);
  const [typed, setTyped] = useState("");
  const [page, setPage] = useState(1);
  const listRef = useRef<HTMLDivElement>(null);
  const sought = useDeferredValue(typed);
  const { client, data, isError, attempt } = useResource(
    promisesQuery(slug),
    (error) => words.refusal(statusOf(error)),
    null,
  );
  const month = useNow((nowMs) => dayOf(nowMs, timeZone).slice(0, 7));
  const { data: kept, isError: isKeptMissing } = useQuery(keptPerPromiseQuery(slug, month));
  const months = useMemo(() => (kept === undefined ? null : keptByPromise(kept)), [kept]);
  const listed = useMemo((): readonly ListedPromise[] | undefined => {
    // Where a promise stands is known by its rows; if Plumbline is silent, they may not come.
    const rows = view?.rows ?? (isServerSilent ? [] : undefined);
    return data && rows && listPromises(data, rows, months);
  }, [data, view, isServerSilent, months]);
  // Without its rows it isn’t known what is in trouble.
  const standing = view === null ? undefined : listed;
  const found = useMemo(() => listed && searchPromises(listed, sought), [listed, sought]);
  const pages = Math.max(1, Math.ceil((found?.length ?? 0) / PER_PAGE));
  const shownPage = Math.min(page, pages);
  const toList = () => setState({ promise: null });

  if (data !== undefined && opened !== null && (opened !== NEW || mayChange)) {
    const promise = data.find(({ id }) => id === opened);
    if (promise === undefined && opened !== NEW) {
      return (
        <div className="page">
          <Empty
            title={words.noPromise.title}
            heading="h1"
            action={<Button onClick={toList}>{words.noPromise.back}</Button>}
          >
            {words.noPromise.sentence}
          </Empty>
        </div>
      );
    }
    if (promise !== undefined && !mayChange) {
      return (
        <div className="page">
          <Suspense>
            <PromiseFacts promise={promise} onBack={toList} />
          </Suspense>
        </div>
      );
    }
    const andLeave = (change: Promise<unknown>) =>
      attempt(async () => {
        await change;
        toList();
      });
    return (
      <div className="page">
        <Suspense>
          <PromiseEditor
            key={opened}
            promise={promise ?? null}
            onSave={(request, changes) =>
              andLeave(
                promise === undefined
                  ? makePromise(client, slug, request)
                  : changePromise(client, slug, promise.id, changes),
              )
            }
            onDelete={
              promise === undefined ? null : () => andLeave(removePromise(client, slug, promise.id))
            }
            onBack={toList}
          />
        </Suspense>
      </div>
    );
  }
  const add = mayChange ? (
    <Button look="primary" onClick={() => setState({ promise: NEW })}>
      {words.ADD}
    </Button>
  ) : null;
  const total = months === null ? null : addKept([...months.values()].map(({ counts }) => counts));
  return (
    <div className="page">
      <ResourcePage
        title={
          standing === undefined ? words.PROMISES : <Headline listed={standing} company={name} />
        }
        subline={
          data?.length === 0 ? null : (
            <Subline
              isComing={months === null && !isKeptMissing}
              text={words.monthSentence(month, total)}
            />
          )
        }
        actions={
          data === undefined ? undefined : (
            <>
              {data.length === 0 ? null : (
                <a className="button-link" href={promisesCsvPath(slug)} download>
                  {words.EXPORT}
                </a>
              )}
              {mayChange ? (
                <>
                  <Button aria-haspopup="dialog" onClick={() => setDialog("calendar")}>
                    {CALENDAR}
                  </Button>
                  <Button aria-haspopup="dialog" onClick={() => setDialog("import")}>
                    {words.IMPORT}
                  </Button>
                </>
              ) : null}
              {data.length === 0 ? null : add}
              {standing === undefined ? null : (
                <Share listed={standing} monthText={words.monthText(month, total)} />
              )}
            </>
          )
        }
      >
        {(data?.length ?? 0) <= PER_PAGE ? null : (
          <ResourceTools
            search={words.SEARCH}
            text={typed}
            onType={(text) => {
              setTyped(text);
              setPage(1);
            }}
          >
            {null}
          </ResourceTools>
        )}
        <ResourceList
          data={found?.slice((shownPage - 1) * PER_PAGE, shownPage * PER_PAGE)}
          isError={isError}
          amountOf={({ length }) => length}
          isNarrowed={data !== undefined && data.length > 0}
          words={words.listWords}
          next={add}
          onShowAll={() => setTyped("")}
        >
          {(promises) => (
            <div ref={listRef} className="above-keys">
              <PromiseTable
                promises={promises}
                month={month}
                isMonthRead={months !== null}
                mayChange={mayChange}
                onOpen={(promise) => setState({ promise })}
              />
              <PromiseLegend isMonthMissing={isKeptMissing && months === null} />
              <PromiseKeys
                said={words.footWords.said(found?.length ?? 0)}
                listRef={listRef}
                onNew={mayChange ? () => setState({ promise: NEW }) : null}
              />
            </div>
          )}
        </ResourceList>
        <ResourcePager
          words={words.pageWords}
          meta={{ page: shownPage, total_pages: pages, total_count: found?.length ?? 0 }}
          onPage={setPage}
        />
      </ResourcePage>
      <Suspense>
        {dialog === "import" ? <ImportDialog onClose={() => setDialog(null)} /> : null}
        {dialog === "calendar" ? <CalendarDialog onClose={() => setDialog(null)} /> : null}
      </Suspense>
    </div>
  );
}

/** Its line is there before its text, so that nothing moves. */
const Subline = ({ isComing, text }: { isComing: boolean; text: string }) =>
  isComing ? <>&nbsp;</> : text;

function Share({ listed, monthText }: { listed: readonly ListedPromise[]; monthText: string }) {
  const { name, source } = useLiveCompany();
  return (
    <ShareCompanyPage
      page={words.PROMISES}
      say={({ nowMs, timeZone }) => {
        const isFrozen = confidenceNow(source, nowMs) === "blind";
        const apiNowMs = nowMs + source.api_clock_offset_ms;
        const headline = promiseHeadline(listed, name, apiNowMs, { timeZone, isFrozen });
        return [headline, monthText].filter(Boolean).join("; ");
      }}
    />
  );
}

/** How many promises are in trouble and the first of them, or how many there are. */
function Headline({ listed, company }: { listed: readonly ListedPromise[]; company: string }) {
  const { source, confidence } = useLiveCompany();
  const timeZone = useZone();
  return useNow((nowMs) =>
    promiseHeadline(listed, company, nowMs + source.api_clock_offset_ms, {
      timeZone,
      isFrozen: confidence === "blind",
    }),
  );
}
