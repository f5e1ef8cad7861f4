"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo, useState, type MouseEvent } from "react";
import { SharePage, subjectOf } from "@/components/drill-down/share/share-page";
import { ResourcePage } from "@/components/resource/resource-page";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { lazyPart } from "@/components/ui/lazy-part";
import { useLiveCompany } from "@/components/shell/live-company";
import { UnreadCompany } from "@/components/shell/unread-company";
import { useZone } from "@/components/shell/time/zone";
import { API_CALLS } from "@/components/shell/words";
import { allowancesQuery } from "@/lib/client/queries/calls/allowances";
import { apiCallsCsvPath, apiCallsQuery } from "@/lib/client/queries/calls/api-calls";
import { useAddress } from "@/lib/client/address/use-address";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { AllowancesView } from "@/lib/contracts/calls/allowances";
import { instantMs } from "@/lib/domain/time/instant";
import { NOT_KNOWN, clockTimeWithSeconds, moment } from "@/lib/domain/words/format";
import { datedText } from "@/lib/domain/words/shared-words";
import { sourceReasonSentence } from "@/lib/domain/words/source-sentences";
import { zoneName } from "@/lib/domain/time/zone-name";
import { apiCallsParams, apiCallsPath, listedOf, type ApiCallsState } from "./api-calls-url";
import { CallsOverTime, CompanyOverTime } from "./calls-over-time";
import { FeedTable, type FeedRuns } from "./feed-table";
import { LargestChanges } from "./largest-changes";
import { PartnerTable } from "./partner-table";
import { SlowerCadence } from "./slower-cadence";
import { allowancesOf, chooseUnread, usageOf, type Usage } from "./usage";
import {
  CSV,
  allowanceAct,
  callsHeading,
  callsIntro,
  callsSentence,
  noCalls,
  noEndpoints,
  rollingWindow,
} from "./words";

const AllowanceDialog = lazyPart(() => import("./allowance-dialog"));

/**
 * API calls of each partner: now, ranked, against its allowance, and over time.
 * @param first server data of the page, shown until the browser has all rows
 * @param firstAllowances allowances sent with the page; `view` null: they couldn't be read
 * @param mayChange whether the person may change allowances
 */
export function ApiCallsView({
  first,
  firstAllowances,
  mayChange,
}: {
  first: Usage;
  firstAllowances: { view: AllowancesView | null; receivedMs: number };
  mayChange: boolean;
}) {
  const { slug, view, asOf, name, confidence } = useLiveCompany();
  const timeZone = useZone();
  const [state, setState] = useAddress(apiCallsParams, "push");
  const [edited, setEdited] = useState<string | null>(null);
  const allowances = useAllowances(slug, firstAllowances);
  const { page } = listedOf(state);
  const usage = useMemo(
    () =>
      view === null
        ? chooseUnread(first, state.partner)
        : usageOf(view.rows, { partner: state.partner, page }, allowances),
    [view, first, state.partner, page, allowances],
  );
  const { data: week, isError } = useQuery(apiCallsQuery(slug, { range: "7d" }));
  const unread = isError ? NOT_KNOWN : "";
  const runs = useMemo(
    () =>
      new Map(
        week?.partners.flatMap(({ endpoints }) =>
          endpoints.map((own): [string, FeedRuns] => [own.id, own.runs]),
        ),
      ),
    [week],
  );
  const asOfMs = instantMs(asOf);
  const untilText = useNow((nowMs) => (asOfMs === null ? "" : moment(asOfMs, nowMs, timeZone)));
  if (asOfMs === null) return <NotKnown />;
  if (usage.chosen === null) {
    return (
      <UnreadCompany title={noEndpoints.title} heading="h1">
        {noEndpoints.sentence(name)}
      </UnreadCompany>
    );
  }
  const linkTo = (to: Partial<ApiCallsState>) => ({
    href: apiCallsPath(slug, { ...state, ...to }),
    onClick: (event: MouseEvent) => {
      // The browser handles modified clicks, such as opening a tab.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setState(to);
    },
  });
  const { chosen, calls, highest, endpointCount, missingCount, partnerCount } = usage;
  const allowance = allowances?.get(chosen.partner) ?? null;
  const isListed = chosen.endpoints === null || chosen.endpoints.length > 0;
  return (
    <div className="page">
      <ResourcePage
        title={callsHeading(calls, confidence === "blind" ? untilText : null, highest)}
        subline={
          <>
            <b className="font-medium text-ink">{rollingWindow.lead}</b> {rollingWindow.rest}{" "}
            {callsIntro(<AsOf ms={asOfMs} />, {
              partners: partnerCount,
              endpoints: endpointCount,
              missing: missingCount,
            })}
          </>
        }
        actions={
          <>
            {mayChange && allowances !== null && isListed ? (
              <Button aria-haspopup="dialog" onClick={() => setEdited(chosen.partner)}>
                {allowance === null ? allowanceAct.enter : allowanceAct.change}
              </Button>
            ) : null}
            <a
              className="button-link"
              href={apiCallsCsvPath(slug, { range: state.range })}
              download
            >
              {CSV}
            </a>
            <SharePage
              subject={subjectOf(API_CALLS, name)}
              say={({ nowMs, timeZone: zone }) =>
                callsSentence(calls, {
                  until: confidence === "blind" ? moment(asOfMs, nowMs, zone) : null,
                  highest,
                  missing: missingCount,
                  chosen:
                    state.partner === null || chosen.calls === null
                      ? null
                      : { partner: chosen.partner, calls: chosen.calls },
                })
              }
              date={(said) =>
                datedText({ asOfMs, checkedMs: null, isBlind: confidence === "blind" }, said)
              }
            />
          </>
        }
      >
        <div className="calls-columns">
          <div className="min-w-0">
            <PartnerTable
              usage={usage}
              page={page}
              onPage={(to) => setState({ page: to })}
              chosen={chosen.partner}
              week={week}
              unread={unread}
              areAllowancesKnown={allowances !== null}
              linkTo={(partner) => linkTo({ partner, endpoint: null })}
              onAllowance={mayChange && allowances !== null ? setEdited : null}
            />
            <div className="calls-company">
              <CompanyOverTime range={state.range} />
              <LargestChanges
                range={state.range}
                since={state.since}
                onSince={(since) => setState({ since })}
              />
            </div>
          </div>
          <div className="min-w-0">
            <CallsOverTime
              chosen={chosen}
              endpointId={state.endpoint}
              allowance={allowance}
              range={state.range}
              onRange={(range) => setState({ range })}
            />
            <FeedTable
              chosen={chosen}
              endpointId={state.endpoint}
              asOf={<AsOf ms={asOfMs} />}
              runs={runs}
              unread={unread}
              linkTo={(endpoint) =>
                linkTo({
                  partner: chosen.partner,
                  endpoint: endpoint === state.endpoint ? null : endpoint,
                })
              }
            />
            {week === undefined || chosen.calls === null || !chosen.endpoints?.length ? null : (
              <SlowerCadence
                calls={chosen.calls}
                feeds={chosen.endpoints}
                runs={runs}
                allowance={allowance}
              />
            )}
          </div>
        </div>
      </ResourcePage>
      <Suspense>
        {edited === null ? null : (
          <AllowanceDialog
            company={slug}
            partner={edited}
            before={allowances?.get(edited) ?? null}
            onClose={() => setEdited(null)}
          />
        )}
      </Suspense>
    </div>
  );
}

/** The newest allowances by partner; null: not known. */
function useAllowances(
  company: string,
  first: { view: AllowancesView | null; receivedMs: number },
) {
  const { data } = useQuery(allowancesQuery(company, useServerClock()));
  const isLater = data !== undefined && data.receivedMs >= first.receivedMs;
  const list = isLater ? data.view : first.view;
  return useMemo(() => allowancesOf(list), [list]);
}

/** Before the first complete check the number of calls is unknown. */
function NotKnown() {
  const { name, source } = useLiveCompany();
  const timeZone = useZone();
  const { reason } = source;
  const resetMs = instantMs(source.rate_limit?.reset_at ?? null);
  const why = useNow((nowMs) =>
    reason === null || reason === "starting"
      ? ""
      : sourceReasonSentence(reason, { resetMs, nowMs, timeZone }),
  );
  // The first check may just be running.
  const Missing = why === "" ? Empty : UnreadCompany;
  return (
    <Missing title={noCalls.title} heading="h1">
      {noCalls.sentence(name, why)}
    </Missing>
  );
}

function AsOf({ ms }: { ms: number }) {
  const timeZone = useZone();
  return (
    <time dateTime={new Date(ms).toISOString()}>
      {clockTimeWithSeconds(ms, timeZone)} {zoneName(ms, timeZone)}
    </time>
  );
}
