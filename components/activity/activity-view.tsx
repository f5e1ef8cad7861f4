"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Empty, NothingMatches } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { SharePage, subjectOf } from "@/components/drill-down/share/share-page";
import { PreviousData, usePreviousData } from "@/components/shell/previous-data";
import { RecordNote } from "@/components/shell/record-note";
import { Pager } from "@/components/list/pager";
import { useDebouncedValue } from "@/components/list/use-debounced-value";
import { useLiveCompany } from "@/components/shell/live-company";
import { PageHead } from "@/components/ui/page-head";
import {
  activityCsvPath,
  activityQuery,
  type ActivitySelection,
} from "@/lib/client/queries/activity";
import { useSilentSince } from "@/lib/client/use-silent-since";
import { asOfText } from "@/lib/domain/words/shared-words";
import { useZone } from "@/components/shell/time/zone";
import { useAddress } from "@/lib/client/address/use-address";
import { Actions } from "./actions";
import { Filters } from "./filters";
import { NO_FILTERS, activityParams, type ActivityState } from "./activity-url";
import {
  ACTIVITY,
  DOWNLOAD_CSV,
  INSTALLATION_INTRO,
  SHOW_ALL,
  activityIntro,
  activitySentence,
  chatFilters,
  noActivity,
  noMatches,
  pageWords,
  pastTheEnd,
  unknownOutcomes,
} from "./words";

const PER_PAGE = 50;
const ROW_PX = 36;
const TYPED_MS = 250;

/** Actions in a company. */
export function ActivityView() {
  const { slug, name } = useLiveCompany();
  return <Activity company={{ slug, name }} />;
}

/** Actions that belong to no single company: sign-ins, permissions and their changes. */
export function InstallationActivityView() {
  return <Activity company={null} />;
}

/** Filtered and paged by the address, refreshed automatically. */
function Activity({ company }: { company: { slug: string; name: string } | null }) {
  const slug = company?.slug ?? null;
  const timeZone = useZone();
  const [state, setState] = useAddress(activityParams, "push");
  const q = useDebouncedValue(state.q.trim(), TYPED_MS);
  const selection = selectionOf({ ...state, q });
  const query = useQuery(
    activityQuery(slug, selection, { page: Math.max(1, state.page), perPage: PER_PAGE }),
  );
  const { data, isPrevious, isError } = usePreviousData(slug ?? "", query);
  const silentMs = useSilentSince(query.dataUpdatedAt);
  const narrow = (changes: Partial<ActivityState>, how: "push" | "replace" = "push") =>
    setState({ ...changes, page: 1 }, { how });
  // Fields with invalid text hold no filter: they are emptied too.
  const [cleared, setCleared] = useState(0);
  const showAll = () => {
    narrow(NO_FILTERS);
    setCleared(cleared + 1);
  };
  const isNarrowed = Object.values(selection).some((value) => value !== undefined);
  const filters = chatFilters(
    { ...state, q },
    data?.people.find(({ email }) => email === state.person)?.name ?? state.person,
    timeZone,
  );
  const isEmpty = data !== undefined && !isPrevious && !isNarrowed && data.meta.total_count === 0;
  return (
    <>
      <PageHead
        title={ACTIVITY}
        below={
          <p className="mt-0.5 text-ink-2">
            {company === null ? INSTALLATION_INTRO : activityIntro(<bdi>{company.name}</bdi>)}
          </p>
        }
        actions={
          <>
            {isEmpty ? null : (
              <a href={activityCsvPath(slug, selection)} download className="button-link">
                {DOWNLOAD_CSV}
              </a>
            )}
            {data === undefined || isPrevious ? null : (
              <SharePage
                subject={subjectOf(ACTIVITY, company?.name ?? null, filters)}
                say={() => activitySentence(data, isNarrowed)}
                date={(said) => asOfText(said.nowMs, said.nowMs, said.timeZone)}
                silentMs={silentMs}
              />
            )}
          </>
        }
      />
      {isEmpty ? (
        <Empty
          title={noActivity.title}
          action={
            <Link
              href={company === null ? "/settings/people" : `/${company.slug}`}
              className="button-link"
            >
              {company === null ? noActivity.people : noActivity.overview(company.name)}
            </Link>
          }
        >
          {company === null ? noActivity.installation : noActivity.sentence}
        </Empty>
      ) : (
        <>
          <Filters
            key={cleared}
            state={state}
            people={data?.people ?? []}
            areFiles={company !== null}
            onChange={narrow}
          />
          {data === undefined ? (
            <RecordNote state={isError ? "silent" : "reading"} heightPx={ROW_PX * 8} />
          ) : (
            <>
              <Unknown
                count={data.unknown_count}
                isChosen={state.outcome === "unknown"}
                onChoose={() => narrow({ ...NO_FILTERS, outcome: "unknown" })}
              />
              <PreviousData isPrevious={isPrevious} isError={isError}>
                {data.data.length > 0 ? (
                  <Actions entries={data.data} areSent={company !== null} />
                ) : (
                  <Nothing total={data.meta.total_count} onAll={showAll} />
                )}
              </PreviousData>
              <Pager
                words={pageWords}
                page={data.meta.page}
                pages={data.meta.total_pages}
                total={data.meta.total_count}
                onPage={(page) => setState({ page })}
              />
            </>
          )}
        </>
      )}
    </>
  );
}

function selectionOf({ q, outcome, person, from, until }: ActivityState): ActivitySelection {
  return {
    q: q === "" ? undefined : q,
    outcome: outcome ?? undefined,
    person: person ?? undefined,
    from: from?.toISOString(),
    until: until?.toISOString(),
  };
}

/** Makes unknown outcomes visible even when they are on a later page. */
function Unknown({
  count: amount,
  isChosen,
  onChoose,
}: {
  count: number;
  isChosen: boolean;
  onChoose: () => void;
}) {
  if (amount === 0) return null;
  return (
    <p
      className="mb-2.5 border border-dashed border-unknown-mark bg-surface px-3 py-[7px] text-ink-2"
      role="status"
    >
      <b className="font-strong text-unknown-text">{unknownOutcomes.lead(amount)}</b>{" "}
      {unknownOutcomes.rest(amount)}
      {isChosen ? null : (
        <button type="button" className="underline underline-offset-3" onClick={onChoose}>
          {unknownOutcomes.show(amount)}
        </button>
      )}
    </p>
  );
}

/** Filters without results, or a page beyond the last; `total`: number of matches. */
function Nothing({ total, onAll }: { total: number; onAll: () => void }) {
  const { sentence, ...title } = total > 0 ? pastTheEnd : noMatches;
  return (
    <NothingMatches {...title} show={SHOW_ALL} onShowAll={onAll}>
      {sentence}
    </NothingMatches>
  );
}
