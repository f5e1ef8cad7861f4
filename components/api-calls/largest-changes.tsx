"use client";

import { useQuery } from "@tanstack/react-query";
import { useLiveCompany } from "@/components/shell/live-company";
import { PAST } from "@/components/charts/words";
import { PreviousData, usePreviousData } from "@/components/shell/previous-data";
import { RecordNote } from "@/components/shell/record-note";
import { Segmented } from "@/components/ui/segmented";
import { apiCallsQuery } from "@/lib/client/queries/calls/api-calls";
import { count } from "@/lib/domain/words/format";
import type { ApiCallsState } from "./api-calls-url";
import { CallsPanel } from "./calls-panel";
import { comparedFeeds, differenceText, largestCallsChanges } from "./changes";
import { largestChanges } from "./words";

const SHOWN = 6;
/** As high as their table. */
const NOT_READ_PX = 222;

/** Endpoints with the largest change in calls, comparing windows that don't overlap. */
export function LargestChanges({
  range,
  since,
  onSince,
}: {
  /** Of the lines beside it, which come in the same response. */
  range: ApiCallsState["range"];
  since: ApiCallsState["since"];
  onSince: (since: ApiCallsState["since"]) => void;
}) {
  const { slug } = useLiveCompany();
  const { data, ...kept } = usePreviousData(slug, useQuery(apiCallsQuery(slug, { range })));
  const changes = data === undefined ? [] : largestCallsChanges(data.partners, since, SHOWN);
  const { heads } = largestChanges;
  return (
    <CallsPanel
      title={largestChanges.title}
      note={largestChanges.note[since]}
      controls={
        <Segmented
          className="mb-2"
          label={largestChanges.label}
          value={since}
          options={largestChanges.options}
          onChange={onSince}
        />
      }
    >
      {data === undefined ? (
        <RecordNote state={kept.isError ? "silent" : "reading"} heightPx={NOT_READ_PX} />
      ) : changes.length === 0 ? (
        <p className="text-ink-2">
          {largestChanges.none(comparedFeeds(data.partners, since), since)}
        </p>
      ) : (
        <PreviousData {...kept} requested={PAST[range]} shown={PAST[data.range]} asOf={data.as_of}>
          <table className="w-full table-fixed text-left">
            <caption className="sr-only">{largestChanges.title}</caption>
            <thead>
              <tr className="text-2xs text-ink-2">
                <th scope="col" className="py-1 font-normal">
                  {heads.endpoint}
                </th>
                {[heads.before, heads.now, heads.change].map((head) => (
                  <th key={head} scope="col" className="w-[72px] py-1 text-right font-normal">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {changes.map(({ id, partner, endpointKey, before, now }) => (
                <tr key={id} className="border-t border-line">
                  <th scope="row" className="truncate py-1.5 font-normal">
                    <bdi>{partner}</bdi> /{" "}
                    <bdi className="font-mono text-[12.5px]">{endpointKey}</bdi>
                  </th>
                  <td className="py-1.5 text-right text-ink-2">{count(before)}</td>
                  <td className="py-1.5 text-right">{count(now)}</td>
                  <td className="py-1.5 text-right font-strong">
                    {differenceText(now - before, count)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </PreviousData>
      )}
    </CallsPanel>
  );
}
