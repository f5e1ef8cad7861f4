"use client";

import { useMemo, type MouseEvent } from "react";
import { RankedBars, type RankedBar } from "@/components/charts/ranked-bars";
import { UnreadCompany } from "@/components/shell/unread-company";
import { Empty } from "@/components/ui/empty";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { useLiveCompany } from "@/components/shell/live-company";
import { RecordNote } from "@/components/shell/record-note";
import { useZone } from "@/components/shell/time/zone";
import { useAddress } from "@/lib/client/use-address";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { clockTimeWithSeconds, count, moment, span } from "@/lib/domain/words/format";
import { sourceReasonSentence } from "@/lib/domain/words/source-sentences";
import { zoneName } from "@/lib/domain/time/zone-name";
import { apiCallsParams, apiCallsPath, type ApiCallsState } from "./api-calls-url";
import { CallsOverTime, CompanyOverTime } from "./calls-over-time";
import { CallsPanel } from "./calls-panel";
import { LargestChanges } from "./largest-changes";
import {
  chooseUnread,
  usageOf,
  type ChosenUsage,
  type EndpointUsage,
  type PartnerUsage,
  type Usage,
} from "./usage";
import {
  byEndpoint,
  byPartner,
  cadence,
  callsHeading,
  callsIntro,
  noCalls,
  noEndpoints,
  rollingWindow,
} from "./words";

/** A constant, so that memoised values stay equal. */
const NOT_READ: readonly EndpointUsage[] = [];
/** Placeholder height, for a few endpoints. */
const NOT_READ_PX = 120;

/**
 * API calls of each partner: now, ranked, and over time.
 * @param first server data of the page, shown until the browser has all rows
 */
export function ApiCallsView({ first }: { first: Usage }) {
  const { slug, view, asOf, name } = useLiveCompany();
  const [state, setState] = useAddress(apiCallsParams, "push");
  const usage = useMemo(
    () => (view === null ? chooseUnread(first, state.partner) : usageOf(view.rows, state.partner)),
    [view, first, state.partner],
  );
  const asOfMs = instantMs(asOf);
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
  const { chosen } = usage;
  return (
    <div className="px-6 pt-4 max-sm:px-3.5">
      <Headline usage={usage} asOfMs={asOfMs} />
      <div className="grid grid-cols-2 gap-x-6 max-md:grid-cols-1">
        <div className="min-w-0">
          <ByPartner
            partners={usage.partners}
            chosen={chosen.partner}
            asOfMs={asOfMs}
            linkTo={(partner) => linkTo({ partner, endpoint: null })}
          />
          <CompanyOverTime range={state.range} />
        </div>
        <div className="min-w-0">
          <ByEndpoint
            chosen={chosen}
            endpointId={state.endpoint}
            asOfMs={asOfMs}
            linkTo={(endpoint) =>
              linkTo({
                partner: chosen.partner,
                endpoint: endpoint === state.endpoint ? null : endpoint,
              })
            }
          />
          <CallsOverTime
            chosen={chosen}
            endpointId={state.endpoint}
            range={state.range}
            onRange={(range) => setState({ range })}
          />
          <LargestChanges
            range={state.range}
            since={state.since}
            onSince={(since) => setState({ since })}
          />
        </div>
      </div>
    </div>
  );
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

type LinkProps = { href: string; onClick: (event: MouseEvent) => void };

function Headline({ usage, asOfMs }: { usage: Usage; asOfMs: number }) {
  const { confidence } = useLiveCompany();
  const timeZone = useZone();
  const { calls, endpointCount, missingCount, partners } = usage;
  const untilText = useNow((nowMs) => moment(asOfMs, nowMs, timeZone));
  const isFrozen = confidence === "blind";

  return (
    <header className="mb-4 flex items-start justify-between gap-x-8 gap-y-3 max-md:flex-col">
      <div>
        <h1 className="text-xl font-strong tracking-tight">
          {callsHeading(calls, isFrozen ? untilText : null)}
        </h1>
        <p className="mt-1 text-ink-2">
          {callsIntro(<AsOf ms={asOfMs} />, {
            partners: partners.length,
            endpoints: endpointCount,
            missing: missingCount,
          })}
        </p>
      </div>
      <p className="max-w-[520px] border-l-2 border-ink pl-3 text-xs text-ink-2">
        <b className="font-strong text-ink">{rollingWindow.lead}</b> {rollingWindow.rest}
      </p>
    </header>
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

/** Equal for equal names, however they are ranked. */
function keyOf(names: readonly string[]): string {
  return JSON.stringify(names.toSorted());
}

function ByPartner({
  partners,
  chosen,
  asOfMs,
  linkTo,
}: {
  partners: readonly PartnerUsage[];
  chosen: string;
  asOfMs: number;
  linkTo: (partner: string) => LinkProps;
}) {
  const { isInteracting, handlers } = useInteracting();
  // Ranks change with new data, but not under a pointer or focus.
  const order = useFrozenOrder(
    partners,
    keyOf(partners.map(({ partner }) => partner)),
    isInteracting,
  );
  const byName = new Map(partners.map((own) => [own.partner, own]));
  const bars = order.flatMap(({ partner }): RankedBar[] => {
    const own = byName.get(partner);
    if (own === undefined) return [];
    const isChosen = partner === chosen;
    return [
      {
        key: partner,
        value: own.calls,
        valueText: count(own.calls),
        name: (
          <a {...linkTo(partner)} aria-current={isChosen ? "true" : undefined} title={partner}>
            <bdi>{partner}</bdi>
          </a>
        ),
        note: own.shareText,
        isChosen,
      },
    ];
  });
  return (
    <div {...handlers} className="min-w-0">
      <CallsPanel title={byPartner.title} note={byPartner.note(<AsOf ms={asOfMs} />)}>
        <RankedBars label={byPartner.label} bars={bars} />
      </CallsPanel>
    </div>
  );
}

function ByEndpoint({
  chosen,
  endpointId,
  asOfMs,
  linkTo,
}: {
  chosen: ChosenUsage;
  endpointId: string | null;
  asOfMs: number;
  linkTo: (endpointId: string) => LinkProps;
}) {
  const { isInteracting, handlers } = useInteracting();
  const endpoints = chosen.endpoints ?? NOT_READ;
  const order = useFrozenOrder(endpoints, keyOf(endpoints.map(({ id }) => id)), isInteracting);
  const byId = new Map(endpoints.map((own) => [own.id, own]));
  const bars = order.flatMap(({ id }): RankedBar[] => {
    const own = byId.get(id);
    if (own === undefined) return [];
    const isChosen = id === endpointId;
    return [
      {
        key: id,
        value: own.calls,
        valueText: count(own.calls),
        name: (
          <a
            {...linkTo(id)}
            aria-current={isChosen ? "true" : undefined}
            title={own.endpointKey}
            className="font-mono text-[12.5px]"
          >
            <bdi>{own.endpointKey}</bdi>
          </a>
        ),
        note: cadenceText(own),
        isChosen,
      },
    ];
  });
  return (
    <div
      {...handlers}
      className="[--ranked-columns:24px_minmax(90px,154px)_minmax(60px,1fr)_62px_82px] max-sm:[--ranked-columns:18px_minmax(80px,1.4fr)_minmax(40px,1fr)_44px_72px]"
    >
      <CallsPanel
        title={byEndpoint.title(<bdi>{chosen.partner}</bdi>)}
        note={byEndpoint.note(chosen.calls, <AsOf ms={asOfMs} />)}
      >
        {chosen.endpoints === null ? (
          <RecordNote state="reading" heightPx={NOT_READ_PX} />
        ) : bars.length === 0 ? (
          <p className="text-ink-2">{byEndpoint.notThere}</p>
        ) : (
          <RankedBars label={byEndpoint.label} bars={bars} isDense />
        )}
      </CallsPanel>
    </div>
  );
}

function cadenceText({ status, frequencyMinutes, learnedMinutes }: EndpointUsage): string {
  if (status === "webhook") return cadence.webhook;
  if (status === "inactive") return cadence.paused;
  const minutes =
    frequencyMinutes !== null && frequencyMinutes > 0 ? frequencyMinutes : learnedMinutes;
  return minutes === null ? "" : cadence.every(span(minutes * 60_000));
}
