import { useMemo } from "react";
import type { Allowance } from "@/lib/contracts/calls/allowances";
import { allowanceShare } from "@/lib/domain/calls/allowance";
import { slowerCadences } from "@/lib/domain/calls/slower-cadence";
import { span } from "@/lib/domain/words/format";
import { CallsPanel } from "./calls-panel";
import type { FeedRuns } from "./feed-table";
import { cadenceMinutes, type EndpointUsage } from "./usage";
import { cadence, slower } from "./words";

const SHOWN = 3;

/**
 * What half as many runs would free, by arithmetic on each feed's own runs and calls.
 * @param calls of the partner
 * @param runs by endpoint id
 */
export function SlowerCadence({
  calls,
  feeds,
  runs,
  allowance,
}: {
  calls: number;
  feeds: readonly EndpointUsage[];
  runs: ReadonlyMap<string, FeedRuns>;
  allowance: Allowance | null;
}) {
  const all = useMemo(
    () =>
      slowerCadences(
        feeds.map((feed) => {
          const its = runs.get(feed.id);
          return {
            id: feed.id,
            calls: feed.calls,
            runs: its?.is_complete === true ? its.started : null,
            cadenceMinutes: cadenceMinutes(feed),
          };
        }),
        SHOWN,
      ),
    [feeds, runs],
  );
  const keys = new Map(feeds.map(({ id, endpointKey }) => [id, endpointKey]));
  const freed = all.reduce((sum, { frees }) => sum + frees, 0);
  const still = calls - freed;
  const every = (minutes: number) => cadence.every(span(minutes * 60_000));
  const { heads } = slower;
  return (
    <CallsPanel title={slower.title} note={slower.note} isRolling={false}>
      {all.length === 0 ? (
        <p className="text-ink-2">{slower.none}</p>
      ) : (
        <table className="slower-table">
          <caption className="sr-only">{slower.title}</caption>
          <thead className="sr-only">
            <tr>
              {[heads.feed, heads.now, heads.instead, heads.frees].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.map((one) => (
              <tr key={one.id}>
                <th scope="row" className="font-mono text-[12.5px]">
                  <bdi>{keys.get(one.id)}</bdi>
                </th>
                <td className="is-now">
                  {slower.now(one.calls, one.runs, every(one.cadenceMinutes))}
                </td>
                <td>{slower.instead(one.slowerRuns, every(one.slowerMinutes))}</td>
                <td>{slower.frees(one.frees)}</td>
              </tr>
            ))}
            {all.length === 1 ? null : (
              <tr className="is-sum">
                <th scope="row">{slower.together(all.length)}</th>
                <td colSpan={3}>{slower.free(freed)}</td>
              </tr>
            )}
            <tr className="is-sum">
              <th scope="row">{slower.made}</th>
              <td colSpan={3}>
                {slower.still(
                  still,
                  allowance,
                  allowance === null ? null : allowanceShare(still, allowance),
                )}
              </td>
            </tr>
          </tbody>
        </table>
      )}
    </CallsPanel>
  );
}
