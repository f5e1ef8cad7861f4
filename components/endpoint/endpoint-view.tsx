"use client";

import { Suspense, useMemo } from "react";
import { Badge } from "@/components/marks/badge";
import { Empty } from "@/components/ui/empty";
import { PlanQuiet } from "@/components/quiet/plan-quiet";
import { endpointScopes } from "@/components/quiet/scopes";
import { Crumbs } from "@/components/shell/crumbs";
import { useThen } from "@/components/drill-down/linked-moment";
import { LinkedThenAndNow } from "@/components/drill-down/then-and-now/linked-then-and-now";
import { PartnerNotes } from "@/components/drill-down/partner-notes";
import { useJudge, useJudgedEvery, usePartnerRows } from "@/components/drill-down/partner-rows";
import { shareButtonProps } from "@/components/drill-down/share/share-button-props";
import { TellCustomer } from "@/components/drill-down/tell-customer";
import { allEndpoints, endpointTitle } from "@/components/drill-down/words";
import { useLiveCompany } from "@/components/shell/live-company";
import { useTabTitle } from "@/components/shell/use-tab-title";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { popupButton } from "@/components/ui/popup-button";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { RemovedFeed } from "@/lib/contracts/endpoint/removed-feed";
import { instantMs } from "@/lib/domain/time/instant";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { Figures } from "./figures";
import { PROMISE_HEIGHT } from "./promise-height";
import { EndpointPast, useEndpointPast } from "./past";
import { RawFields } from "./raw-fields";
import { Runs } from "./runs";
import { Why } from "./why";
import { neighbours, notListed, wasWord } from "./words";

const RemovedEndpoint = lazyPart(() => import("./removed-endpoint"));
const LearnedWeek = lazyPart(() => import("./learned-week"));
const EndpointPromise = lazyPart(() => import("./endpoint-promise"));
const Share = popupButton("dialog", () => import("@/components/drill-down/share/rows-share"));

/**
 * One endpoint. `partnerRows`, `notes`: its partner's, rendered by the server, shown until the browser
 * has all.
 */
export function EndpointView({
  id,
  partnerName,
  partnerRows,
  removed,
  notes,
  mayPlan,
}: {
  id: string;
  partnerName: string;
  partnerRows: readonly SyncStatusRow[];
  /** As recorded, if the API no longer lists it; else null. */
  removed: RemovedFeed | null;
  notes: PartnerNotes;
  /** May plan quiet times. */
  mayPlan: boolean;
}) {
  const { slug, name: companyName, confidence } = useLiveCompany();
  const rows = usePartnerRows(partnerName, partnerRows);
  const at = rows.findIndex((row) => row.id === id);
  const row = rows[at];
  if (row === undefined) {
    if (removed !== null)
      return (
        <Suspense>
          <RemovedEndpoint feed={removed} notes={notes} />
        </Suspense>
      );
    return (
      <Empty
        heading="h1"
        title={notListed.title}
        action={
          <Link href={`/${slug}`} className="button-link">
            {allEndpoints(companyName)}
          </Link>
        }
      >
        {notListed.sentence(companyName)}
      </Empty>
    );
  }
  return (
    <div className={`is-${confidence} ${confidence === "blind" ? "is-frozen" : ""}`}>
      <PageHead
        above={
          <Crumbs
            trail={[
              { label: partnerName, href: partnerPath(slug, partnerName) },
              { label: row.endpoint_key, href: null },
            ]}
          />
        }
        title={<Title row={row} />}
        below={<PartnerNotes partner={partnerName} endpointId={id} first={notes} />}
        actions={
          <>
            <Neighbour row={rows[at - 1]}>{neighbours.before}</Neighbour>
            <Neighbour row={rows[at + 1]}>{neighbours.after}</Neighbour>
            {mayPlan ? <PlanQuiet company={slug} scopes={endpointScopes(row)} /> : null}
            <Share
              {...shareButtonProps()}
              subject={`${row.partner_name} / ${row.endpoint_key} · ${companyName}`}
              rows={[row]}
              partner={partnerName}
              told={[row]}
              mayLink={false}
            />
          </>
        }
      />
      <Facts row={row} mayPlan={mayPlan} />
    </div>
  );
}

/** The neighbouring endpoint in the API's order; nothing at either end. */
function Neighbour({ row, children }: { row: SyncStatusRow | undefined; children: string }) {
  const { slug } = useLiveCompany();
  if (row === undefined) return null;
  return (
    <Link
      href={endpointPath(slug, row.partner_name, row.id)}
      title={row.endpoint_key}
      className="button-link max-sm:hidden"
    >
      {children}
    </Link>
  );
}

function Title({ row }: { row: SyncStatusRow }) {
  const { confidence, name } = useLiveCompany();
  const word = useWord(row);
  const isFrozen = confidence === "blind";
  const endpoint = { partnerName: row.partner_name, endpointKey: row.endpoint_key };
  useTabTitle(endpointTitle(endpoint, name, word, isFrozen));
  return (
    <>
      <span className="mr-3 inline-block align-[3px] [&_.icon]:size-3.5 [&>.badge]:h-[26px] [&>.badge]:pr-2.5 [&>.badge]:pl-2 [&>.badge]:text-[14px] [&>.badge]:tracking-normal">
        <Badge
          word={word}
          text={isFrozen ? wasWord(word) : VERDICT_LABEL[word]}
          isFrozen={isFrozen}
        />
      </span>
      {row.partner_name} / <span className="font-mono">{row.endpoint_key}</span>
    </>
  );
}

function useWord(row: SyncStatusRow) {
  const judge = useJudge();
  return useNow((nowMs) => judge([row], nowMs).judged[0]?.word ?? row.verdict);
}

/** The sum includes seconds; more frequent updates couldn't be read. */
const SUM_STEP_MS = 10_000;
const DRAWING_STEP_MS = 60_000;

/** All facts of the endpoint. Charts update every minute, sums more often. */
function Facts({ row, mayPlan }: { row: SyncStatusRow; mayPlan: boolean }) {
  const alone = useMemo(() => [row], [row]);
  const { judged, apiNowMs } = useJudgedEvery(alone, DRAWING_STEP_MS);
  const { data: past } = useEndpointPast(row.id);
  const then = useThen();
  const [first] = judged;
  if (first === undefined) return null;
  return (
    <>
      <SteppedFigures rows={alone} />
      {then === null ? null : (
        <LinkedThenAndNow
          partnerName={row.partner_name}
          endpointId={row.id}
          atMs={then.atMs}
          rows={alone}
        />
      )}
      <div className="two-columns is-even">
        <div className="min-w-0">
          <SteppedWhy rows={alone} sinceMs={instantMs(past?.verdict_since ?? null)} />
          {row.promise == null ? null : (
            <Suspense fallback={<div className={`panel ${PROMISE_HEIGHT}`} />}>
              <EndpointPromise row={row} promise={row.promise} />
            </Suspense>
          )}
          <TellCustomer partnerName={row.partner_name} rows={alone} />
          <Runs endpointId={row.id} apiNowMs={apiNowMs} />
          <Suspense>
            <LearnedWeek row={row} maySwitch={mayPlan} />
          </Suspense>
        </div>
        <div className="min-w-0">
          <EndpointPast
            id={row.id}
            endpointKey={row.endpoint_key}
            status={row.status}
            timing={first.judgement.terms}
            apiNowMs={apiNowMs}
          />
          <RawFields history={past} apiNowMs={apiNowMs} />
        </div>
      </div>
    </>
  );
}

function SteppedFigures({ rows }: { rows: readonly SyncStatusRow[] }) {
  const { judged, apiNowMs, judgedMs } = useJudgedEvery(rows, SUM_STEP_MS);
  const [first] = judged;
  return first === undefined ? null : (
    <Figures judged={first} apiNowMs={apiNowMs} judgedMs={judgedMs} />
  );
}

function SteppedWhy({ rows, sinceMs }: { rows: readonly SyncStatusRow[]; sinceMs: number | null }) {
  const { judged, apiNowMs, judgedMs } = useJudgedEvery(rows, SUM_STEP_MS);
  const [first] = judged;
  return first === undefined ? null : (
    <Why judged={first} apiNowMs={apiNowMs} judgedMs={judgedMs} sinceMs={sinceMs} />
  );
}
