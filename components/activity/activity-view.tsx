"use client";

import { useQuery } from "@tanstack/react-query";
import { Empty } from "@/components/ui/empty";
import { CopyLink } from "@/components/shell/copy-link";
import { RecordNote } from "@/components/shell/record-note";
import { useSettled } from "@/components/list/use-settled";
import { useLiveCompany } from "@/components/shell/live-company";
import { Button } from "@/components/ui/button";
import {
  activityCsvPath,
  activityQuery,
  type ActivitySelection,
} from "@/lib/client/queries/activity";
import { useAddress } from "@/lib/client/use-address";
import type { ActivityView as View } from "@/lib/contracts/activity";
import { count, counted } from "@/lib/domain/words/format";
import { Actions } from "./actions";
import { Filters } from "./filters";
import { NO_FILTERS, activityParams, type ActivityState } from "./activity-url";
import "@/components/ui/page.css";

const PER_PAGE = 50;
const ROW_PX = 36;
const TYPED_MS = 250;

/** What people did in a company: narrowed and paged by the address, kept up to date by itself. */
export function ActivityView() {
  const { slug, name } = useLiveCompany();
  const [state, setState] = useAddress(activityParams, "push");
  const q = useSettled(state.q.trim(), TYPED_MS);
  const selection = selectionOf({ ...state, q });
  const { data, isError, isPlaceholderData } = useQuery(
    activityQuery(slug, selection, { page: Math.max(1, state.page), perPage: PER_PAGE }),
  );
  const narrow = (changes: Partial<ActivityState>, how: "push" | "replace" = "push") =>
    setState({ ...changes, page: 1 }, { how });
  const isNarrowed = Object.values(selection).some((value) => value !== undefined);
  const isEmpty = data !== undefined && !isNarrowed && data.meta.total_count === 0;
  return (
    <>
      <header className="page-head">
        <div className="min-w-0">
          <h1 className="page-title">Activity</h1>
          <p className="mt-0.5 text-ink-2">
            What people did in <bdi>{name}</bdi>, newest first. Entries are never changed or
            removed.
          </p>
        </div>
        <div className="page-actions">
          {isEmpty ? null : (
            <a href={activityCsvPath(slug, selection)} download className="button-link">
              Download CSV
            </a>
          )}
          <CopyLink />
        </div>
      </header>
      {isEmpty ? (
        <Empty title="No activity yet">
          When someone deletes a schedule file or changes a display that shows {name}, it appears
          here: who, what, when and the outcome.
        </Empty>
      ) : (
        <>
          <Filters state={state} people={data?.people ?? []} onChange={narrow} />
          {data === undefined ? (
            <RecordNote state={isError ? "silent" : "reading"} heightPx={ROW_PX * 8} />
          ) : (
            <>
              <Unknown
                count={data.unknown_count}
                isChosen={state.outcome === "unknown"}
                onChoose={() => narrow({ ...NO_FILTERS, outcome: "unknown" })}
              />
              <div aria-busy={isPlaceholderData}>
                {data.data.length > 0 ? (
                  <Actions entries={data.data} />
                ) : (
                  <Nothing total={data.meta.total_count} onAll={() => narrow(NO_FILTERS)} />
                )}
              </div>
              <Pages meta={data.meta} onPage={(page) => setState({ page })} />
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

/** What is not settled must not be overlooked on a later page. */
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
      <b className="font-strong text-unknown-text">
        {amount === 1 ? "1 outcome is" : `${count(amount)} outcomes are`} unknown.
      </b>{" "}
      {amount === 1 ? "The request was" : "The requests were"} sent but got no response. We’ll check
      again automatically; no need to repeat {amount === 1 ? "it" : "them"}.{" "}
      {isChosen ? null : (
        <button type="button" className="underline underline-offset-3" onClick={onChoose}>
          Show {amount === 1 ? "it" : "them"}
        </button>
      )}
    </p>
  );
}

/** Filters that find nothing, or a page beyond the last; `total`: how many match. */
function Nothing({ total, onAll }: { total: number; onAll: () => void }) {
  return (
    <Empty
      title={total > 0 ? "No more pages" : "No matches"}
      action={<Button onClick={onAll}>Show all activity</Button>}
    >
      {total > 0 ? "This page is past the end of the list." : "No activity matches these filters."}
    </Empty>
  );
}

function Pages({ meta, onPage }: { meta: View["meta"]; onPage: (page: number) => void }) {
  const { page, total_pages: pages, total_count: total } = meta;
  return (
    <nav aria-label="Pages of activity" className="flex items-center gap-3 pt-3 text-xs text-ink-2">
      <Button disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, Math.max(1, pages)))}>
        Newer
      </Button>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Older
      </Button>
      <span role="status">
        {total === 0
          ? "No actions"
          : `Page ${count(page)} of ${count(pages)}, ${counted(total, "action")}`}
      </span>
    </nav>
  );
}
