"use client";

import { isPausedAtSource } from "@/lib/domain/sync";
import { useState, type ReactNode } from "react";
import { Pager } from "@/components/list/pager";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { RecordNote } from "@/components/shell/record-note";
import type { ApiCallsView } from "@/lib/contracts/history";
import { count, span } from "@/lib/domain/words/format";
import { CallsBar } from "./calls-bar";
import { CallsPanel } from "./calls-panel";
import { keyOf, type LinkProps } from "./link-props";
import {
  LISTED,
  cadenceMinutes,
  pageOf,
  pagesOf,
  type ChosenUsage,
  type EndpointUsage,
} from "./usage";
import { byEndpoint, cadence, feedPager, heads, perRunText } from "./words";

/** A constant, so that memoised values stay equal. */
const NOT_READ: readonly EndpointUsage[] = [];
/** Placeholder height, for a few endpoints. */
const NOT_READ_PX = 120;

export type FeedRuns = ApiCallsView["partners"][number]["runs"];

/**
 * The selected partner's feeds: calls, calls per completed run, and schedule.
 * @param runs by endpoint id
 * @param unread shown for a feed without runs
 */
export function FeedTable({
  chosen,
  endpointId,
  asOf,
  runs,
  unread,
  linkTo,
}: {
  chosen: ChosenUsage;
  endpointId: string | null;
  asOf: ReactNode;
  runs: ReadonlyMap<string, FeedRuns>;
  unread: string;
  linkTo: (endpointId: string) => LinkProps;
}) {
  const { isInteracting, handlers } = useInteracting();
  const [at, setAt] = useState({ partner: chosen.partner, page: 1 });
  const page = at.partner === chosen.partner ? at.page : 1;
  const all = chosen.endpoints ?? NOT_READ;
  const order = useFrozenOrder(all, keyOf(all.map(({ id }) => id)), isInteracting);
  const byId = new Map(all.map((own) => [own.id, own]));
  const scale = Math.max(1, all[0]?.calls ?? 0);
  return (
    <div {...handlers}>
      <CallsPanel
        title={byEndpoint.title(<bdi>{chosen.partner}</bdi>)}
        note={
          chosen.calls === null || all.length === 0 ? asOf : byEndpoint.note(chosen.calls, asOf)
        }
      >
        {chosen.endpoints === null ? (
          <RecordNote state="reading" heightPx={NOT_READ_PX} />
        ) : all.length === 0 ? (
          <p className="text-ink-2">{byEndpoint.notThere}</p>
        ) : (
          <table className="calls-table is-feeds">
            <caption className="sr-only">{byEndpoint.label}</caption>
            <thead>
              <tr>
                <th scope="col">
                  <span className="sr-only">{heads.rank}</span>
                </th>
                <th scope="col">{heads.feed}</th>
                <th scope="col">
                  <span className="sr-only">{heads.bar}</span>
                </th>
                <th scope="col" className="is-number">
                  {heads.calls}
                </th>
                <th scope="col" className="is-number">
                  {heads.perRun}
                </th>
                <th scope="col" className="is-number">
                  {heads.cadence}
                </th>
              </tr>
            </thead>
            <tbody>
              {pageOf(order, page).map(({ id }, index) => {
                const own = byId.get(id);
                if (own === undefined) return null;
                const isChosen = id === endpointId;
                const its = runs.get(id);
                return (
                  <tr key={id} data-chosen={isChosen ? "" : undefined}>
                    <td className="is-rank">{(page - 1) * LISTED + index + 1}</td>
                    <th scope="row">
                      <a
                        {...linkTo(id)}
                        aria-current={isChosen ? "true" : undefined}
                        title={own.endpointKey}
                        className="font-mono text-[12.5px]"
                      >
                        <bdi>{own.endpointKey}</bdi>
                      </a>
                    </th>
                    <td className="is-bar">
                      <CallsBar calls={own.calls} scale={scale} />
                    </td>
                    <td className="is-number is-calls">{count(own.calls)}</td>
                    <td className="is-number is-per-run" data-label={heads.perRun}>
                      {its === undefined ? unread : perRunText(own.calls, its)}
                    </td>
                    <td className="is-number is-cadence">{cadenceText(own)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
        {all.length > LISTED ? (
          <Pager
            words={feedPager}
            page={page}
            pages={pagesOf(all.length)}
            total={all.length}
            onPage={(to) => setAt({ partner: chosen.partner, page: to })}
          />
        ) : null}
      </CallsPanel>
    </div>
  );
}

function cadenceText(own: EndpointUsage): string {
  if (own.status === "webhook") return cadence.webhook;
  if (isPausedAtSource(own)) return cadence.paused;
  const minutes = cadenceMinutes(own);
  return minutes === null ? "" : cadence.every(span(minutes * 60_000));
}
