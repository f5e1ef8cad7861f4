"use client";

import { Suspense, useCallback, useMemo } from "react";
import { useOpen } from "@/lib/client/use-open";
import { placeRows } from "@/lib/domain/order";
import type { Line } from "@/components/grid/board";
import { SHARE, allEndpoints } from "@/components/drill-down/words";
import { Empty } from "@/components/ui/empty";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { popupButton } from "@/components/ui/popup-button";
import { Grid } from "@/components/grid/grid";
import { lazyOnView } from "@/components/charts/lazy-on-view";
import { LineMarks } from "@/components/grid/line-marks";
import { shareButtonProps } from "@/components/drill-down/share/share-button-props";
import { PlanQuiet } from "@/components/quiet/plan-quiet";
import { partnerScopes } from "@/components/quiet/scopes";
import { useLiveCompany } from "@/components/shell/live-company";
import { partnersEverywherePath } from "@/lib/client/queries/partners/partners-path";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { RemovedFeed } from "@/lib/contracts/endpoint/removed-feed";
import { instantMs, iso } from "@/lib/domain/time/instant";
import { endpointPath } from "@/lib/domain/partner-address";
import { Crumbs } from "@/components/shell/crumbs";
import { Headline, HeadlineDetail } from "./headline";
import { usePartnerRows } from "@/components/drill-down/partner-rows";
import { useThen } from "@/components/drill-down/linked-moment";
import { LinkedThenAndNow } from "@/components/drill-down/then-and-now/linked-then-and-now";
import { PartnerNotes } from "@/components/drill-down/partner-notes";
import { Ribbon } from "./ribbon";
import { firstCheck, notListed } from "./words";
import { PageHead } from "@/components/ui/page-head";
import { TellCustomer } from "@/components/drill-down/tell-customer";

const RemovedPartner = lazyPart(() => import("./removed-partner"));
const PastCharts = lazyOnView(() => import("./past-charts"));
const Share = popupButton("dialog", () => import("@/components/drill-down/share/rows-share"));

/**
 * One partner of a company. `firstRows`, `notes`: rendered by the server, shown until the browser has all.
 */
export function PartnerView({
  name,
  firstRows,
  removed,
  notes,
  mayShare,
  mayPlan,
  everywhere,
}: {
  name: string;
  firstRows: readonly SyncStatusRow[];
  /** Its recorded feeds if the API no longer lists any; else empty. */
  removed: readonly RemovedFeed[];
  notes: PartnerNotes;
  /** May share with people without an account. */
  mayShare: boolean;
  /** May plan quiet times. */
  mayPlan: boolean;
  /** Text of the link to the partner at all customers; null: the person sees no others. */
  everywhere: string | null;
}) {
  const { slug, confidence, asOf, name: companyName } = useLiveCompany();
  const rows = usePartnerRows(name, firstRows);
  const placed = usePlaced(rows);
  const then = useThen();
  if (rows.length === 0) {
    if (removed.length > 0)
      return (
        <Suspense>
          <RemovedPartner name={name} feeds={removed} notes={notes} />
        </Suspense>
      );
    return asOf === null ? (
      <Empty heading="h1" title={firstCheck.title}>
        {firstCheck.sentence(name)}
      </Empty>
    ) : (
      <Empty
        heading="h1"
        title={notListed.title(name)}
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
  const frozen = confidence === "blind" ? "is-frozen" : "";
  return (
    <div className={`is-${confidence} ${frozen}`}>
      <PageHead
        above={<Crumbs trail={[{ label: name, href: null }]} />}
        title={<Headline partnerName={name} rows={rows} />}
        below={
          <>
            <HeadlineDetail partnerName={name} rows={rows} />
            <PartnerNotes partner={name} endpointId={null} first={notes} />
            {everywhere !== null ? (
              <p className="text-xs text-ink-2">
                <Link
                  href={partnersEverywherePath(name, then?.atMs == null ? null : iso(then.atMs))}
                  className="underline decoration-control underline-offset-3 hover:text-ink"
                >
                  {everywhere}
                </Link>
              </p>
            ) : null}
          </>
        }
        actions={
          <>
            {mayPlan ? <PlanQuiet company={slug} scopes={partnerScopes(name, rows)} /> : null}
            <Share
              {...shareButtonProps()}
              subject={`${name} · ${companyName}`}
              rows={rows}
              partner={name}
              told={rows}
              mayLink={mayShare}
            />
          </>
        }
      />
      <Ribbon rows={rows} />
      <div className="two-columns grid-rows-[auto_1fr] gap-y-0">
        <div className="min-w-0">
          {then === null ? (
            <EndpointTable rows={placed} incidents={notes.incidents} />
          ) : (
            <LinkedThenAndNow partnerName={name} atMs={then.atMs} rows={placed} />
          )}
        </div>
        <aside aria-label={SHARE} className="row-span-2">
          <TellCustomer partnerName={name} rows={rows} />
        </aside>
        <div className="min-w-0">
          <PastCharts partnerName={name} rows={placed} />
        </div>
      </div>
    </div>
  );
}

/**
 * Worst first, as on the overview: the order is fixed when data arrives, and doesn't change as time
 * passes.
 */
function usePlaced(rows: readonly SyncStatusRow[]): readonly SyncStatusRow[] {
  const { asOf, source } = useLiveCompany();
  return useMemo(() => {
    const atMs = (instantMs(asOf) ?? 0) + source.api_clock_offset_ms;
    return placeRows(rows, { atMs, isFrozen: false }, { order: "worst", group: "flat" });
  }, [rows, asOf, source.api_clock_offset_ms]);
}

function EndpointTable({
  rows,
  incidents,
}: {
  rows: readonly SyncStatusRow[];
  incidents: PartnerNotes["incidents"];
}) {
  const { slug } = useLiveCompany();
  const openPage = useOpen();
  const lines = useMemo(
    () =>
      rows.map((row): Line => ({
        kind: "row",
        key: `row:${row.id}`,
        row,
        isProblem: false,
        isInGroup: true,
      })),
    [rows],
  );
  const open = useCallback(
    (line: Line) => {
      if (line.kind === "row") openPage(endpointPath(slug, line.row.partner_name, line.row.id));
    },
    [openPage, slug],
  );
  return (
    <div className="partner-board mb-4 max-sm:-mx-3.5">
      <LineMarks incidents={incidents}>
        <Grid
          lines={lines}
          filterKey=""
          isWhole
          restCount={0}
          order="worst"
          isFlat={false}
          onAct={open}
        />
      </LineMarks>
    </div>
  );
}
