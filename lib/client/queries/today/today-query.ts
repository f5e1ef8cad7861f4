import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { get, statusOf } from "@/lib/client/api";
import type { ServerClock } from "@/lib/client/clock";
import { isRecord } from "@/lib/client/snapshot";
import { todayPath, type TodayFilter } from "./today-path";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { TodayView } from "@/lib/contracts/today";
import { silenceOf, type Silence } from "@/lib/domain/silence";
import { shownToday, type ShownToday } from "@/lib/domain/today/shown";
import { TODAY } from "@/lib/client/queries/incidents";
import { useAskAgain } from "@/lib/client/queries/sync-status";

const EVERY_MS = 10_000;
/** A hidden tab continues, because its title shows the number of feeds behind. */
const HIDDEN_MS = 60_000;
/** After this, a request that is due counts as unanswered: its timeout and a margin. */
const UNANSWERED_MS = 15_000;

/** A view, and when it was received: epoch milliseconds on the server's clock. */
export type TodayHeard = {
  path: string;
  /** The past instant that it shows; null: it was current when it was received. */
  at: string | null;
  today: ShownToday;
  receivedMs: number;
};

function isTodayView(body: unknown): body is TodayView {
  return (
    isRecord(body) &&
    isRecord(body["counts"]) &&
    Array.isArray(body["lines"]) &&
    Array.isArray(body["well"]) &&
    isRecord(body["api_clock_offsets"])
  );
}

const everyMs = (rhythmMs: number) =>
  typeof document !== "undefined" && document.hidden ? HIDDEN_MS : Math.min(EVERY_MS, rhythmMs);

/** @param rhythmMs poll rhythm of the server */
const todayQuery = (filter: TodayFilter, rhythmMs: number, clock: ServerClock) => {
  const path = todayPath(filter);
  const { at } = filter;
  const isPast = at !== null;
  return queryOptions({
    queryKey: [...TODAY.queryKey, path],
    queryFn: async ({ signal }): Promise<TodayHeard> => {
      const { value, dateMs } = await get(path, isTodayView, signal);
      if (dateMs !== null) clock.anchor(dateMs);
      return { path, at, today: shownToday(value), receivedMs: clock.nowMs() };
    },
    placeholderData: keepPreviousData,
    // A past instant doesn't change.
    staleTime: isPast ? Infinity : 0,
    refetchInterval: ({ state }) =>
      isPast && state.data !== undefined ? false : everyMs(rhythmMs),
    refetchIntervalInBackground: !isPast,
  });
};

/** The newest view, and the state of this browser's connection. */
export type TodayNow = {
  /** Null: none yet. */
  heard: TodayHeard | null;
  /** It is that of earlier filters, until the one for these arrives. */
  isOld: boolean;
  /** Why our server doesn't respond to this browser; null: it does, or the instant was refused. */
  silence: Silence | null;
  /** The server refused the filters or the instant. */
  isRefused: boolean;
};

/**
 * What is wrong at the companies that the person may see, refetched all the time.
 * @param first from the server; null: it had none
 * @param rhythmMs poll rhythm of the server
 */
export function useToday(
  filter: TodayFilter,
  first: TodayHeard | null,
  rhythmMs: number,
): TodayNow {
  const clock = useServerClock();
  const path = todayPath(filter);
  const isPast = filter.at !== null;
  const { data, isError, error, refetch } = useQuery(todayQuery(filter, rhythmMs, clock));
  useAskAgain(clock, refetch);
  const [last, setLast] = useState(first);
  const own = data?.path === path ? data : first?.path === path ? first : null;
  // Never the past as the present, or the other way round.
  const ofThisTime = (view: TodayHeard | null | undefined) =>
    view?.at === filter.at ? view : null;
  const heard = own ?? ofThisTime(data) ?? ofThisTime(last);
  if (heard !== last) setLast(heard);
  const isUnanswered = useNow(
    (nowMs) => !isPast && heard !== null && nowMs > heard.receivedMs + HIDDEN_MS + UNANSWERED_MS,
  );
  const isRefused = isError && statusOf(error) === 400;
  const silence = useMemo(() => {
    if (isRefused || (!isError && !isUnanswered)) return null;
    return silenceOf(isError ? statusOf(error) : 0, navigator.onLine);
  }, [isRefused, isError, isUnanswered, error]);
  return { heard, isOld: heard !== null && heard.path !== path, silence, isRefused };
}
