import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { scheduleFilesKey, scheduleFilesQuery } from "@/lib/client/queries/schedule-files";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";

const COMPLETE_EVERY_MS = 60_000;
/** While the index grows, and after a failed request. */
const GROWING_EVERY_MS = 10_000;
const SILENT_EVERY_MS = 3000;

/**
 * The first page of a list, with its number of rows and the state of the index. While a new query
 * loads, the previous response stays.
 * @param query filters and order, as a query string
 * @param first server data for `first.query`; null: none
 * @param isInteracting the pointer or focus is on a row: rows keep their order once all are loaded
 */
export function useFileList(
  query: string,
  first: { query: string; view: ScheduleFilesView } | null,
  isInteracting: boolean,
) {
  const { slug } = useLiveCompany();
  const client = useQueryClient();
  const { data, error } = useQuery({
    ...scheduleFilesQuery(slug, query, 1),
    ...(first?.query === query ? { initialData: first.view } : {}),
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return SILENT_EVERY_MS;
      if (!state.data.index.complete) return GROWING_EVERY_MS;
      return isInteracting ? false : COMPLETE_EVERY_MS;
    },
  });
  const [shown, setShown] = useState<{ query: string; view: ScheduleFilesView } | null>(first);
  if (data !== undefined && (shown?.query !== query || shown.view !== data)) {
    setShown({ query, view: data });
  }

  // An added or removed file at the start shifts every row after it.
  const mark =
    shown === null ? "" : `${shown.view.meta.total_count}:${shown.view.data[0]?.id ?? ""}`;
  const last = useRef({ query, mark });
  useEffect(() => {
    const before = last.current;
    last.current = { query, mark };
    if (before.query !== query || before.mark === mark || before.mark === "") return;
    const { queryKey: begins } = scheduleFilesQuery(slug, query, 1);
    void client.invalidateQueries({
      queryKey: scheduleFilesKey(slug),
      predicate: ({ queryKey }) => queryKey.at(-1) !== begins.at(-1),
    });
  }, [client, slug, query, mark]);

  return { shown, error, isBehind: data === undefined };
}
