import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ApiError, get, statusOf } from "@/lib/client/api";
import { useRefetchAfterGap } from "@/lib/client/queries/sync-status";
import { useNow, useServerClock } from "@/lib/client/use-now";
import { DELAYED_POLLS } from "@/lib/domain/confidence";
import { silenceOf, type Silence } from "@/lib/domain/silence";
import { instantMs } from "@/lib/domain/time/instant";

const EVERY_MS = 10_000;
/** A hidden tab continues, because its title shows what is behind. */
const HIDDEN_MS = 60_000;
/** After this, a request that is due counts as unanswered: its timeout and a margin. */
const UNANSWERED_MS = 15_000;

/** A view, and when it was received: epoch milliseconds on the server's clock. */
export type ReceivedView<View> = {
  path: string;
  /** The past instant that it shows; null: it was current when it was received. */
  at: string | null;
  view: View;
  receivedMs: number;
};

/** A view of several companies that is refetched all the time, or once for a past instant. */
export type ViewSource<Body, View> = {
  /** First parts of the query key; the path follows. */
  key: readonly string[];
  /** Below `/api`. */
  path: string;
  /** Past instant, ISO 8601; null: now. */
  at: string | null;
  isValid: (body: unknown) => body is Body;
  /** What the page keeps of a response. */
  shown: (body: Body) => View;
};

const everyMs = (rhythmMs: number) =>
  typeof document !== "undefined" && document.hidden ? HIDDEN_MS : Math.min(EVERY_MS, rhythmMs);

/** The newest view, and how far it can be trusted. */
export type LatestView<View> = {
  /** Null: none yet. */
  received: ReceivedView<View> | null;
  /** It is that of an earlier address, until the one for this arrives. */
  isOld: boolean;
  /** Why our server doesn't respond to this browser; null: it does, or the request was refused. */
  silence: Silence | null;
  /** The server refused the address, or has nothing there: its status; null: it didn't. */
  refused: 400 | 404 | null;
  /** It has nothing there because that time isn't recorded. */
  isUnrecorded: boolean;
  atMs: number | null;
  isPast: boolean;
  isSilent: boolean;
  isOutdated: boolean;
  /** A server that has been silent for as long as a source that we can't see. */
  isBlind: boolean;
  /** The instant shown, once nothing newer is known, epoch milliseconds; null while live. */
  frozenMs: number | null;
};

/**
 * Reads a view, refetched all the time.
 * @param first from the server; null: it had none
 * @param rhythmMs poll rhythm of the server
 */
export function useLatestView<Body, View>(
  source: ViewSource<Body, View>,
  first: ReceivedView<View> | null,
  rhythmMs: number,
): LatestView<View> {
  const clock = useServerClock();
  const { key, path, at, isValid, shown } = source;
  const isPast = at !== null;
  const { data, isError, error, refetch } = useQuery(
    queryOptions({
      queryKey: [...key, path],
      queryFn: async ({ signal }): Promise<ReceivedView<View>> => {
        const { value, serverTime } = await get(path, isValid, signal);
        clock.anchor(serverTime);
        return { path, at, view: shown(value), receivedMs: clock.nowMs() };
      },
      placeholderData: keepPreviousData,
      // A past instant doesn't change.
      staleTime: isPast ? Infinity : 0,
      refetchInterval: ({ state }) =>
        isPast && state.data !== undefined ? false : everyMs(rhythmMs),
      refetchIntervalInBackground: !isPast,
    }),
  );
  useRefetchAfterGap(clock, refetch);
  const [last, setLast] = useState(first);
  const own = data?.path === path ? data : first?.path === path ? first : null;
  // Never the past as the present, or the other way round.
  const ofThisTime = (view: ReceivedView<View> | null | undefined) =>
    view?.at === at ? view : null;
  const received = own ?? ofThisTime(data) ?? ofThisTime(last);
  if (received !== last) setLast(received);
  const receivedMs = received?.receivedMs ?? null;
  const isUnanswered = useNow(
    (nowMs) => !isPast && receivedMs !== null && nowMs > receivedMs + HIDDEN_MS + UNANSWERED_MS,
  );
  // Also while a request hangs, or just after the page was hidden; and perhaps after sleep.
  const isOutdated = useNow(
    (nowMs) =>
      !isPast &&
      receivedMs !== null &&
      (!clock.isCertain() || nowMs - receivedMs > DELAYED_POLLS * rhythmMs),
  );
  const status = isError ? statusOf(error) : null;
  const refused = status === 400 || status === 404 ? status : null;
  const silence = useMemo(() => {
    if (refused !== null || (!isError && !isUnanswered)) return null;
    return silenceOf(status ?? 0, navigator.onLine);
  }, [refused, isError, isUnanswered, status]);
  const isSilent = silence !== null;
  const isBlind = isSilent && isOutdated;
  const atMs = instantMs(at);
  return {
    received,
    isOld: received !== null && received.path !== path,
    silence,
    refused,
    isUnrecorded: refused !== null && error instanceof ApiError && error.code === "no_history",
    atMs,
    isPast,
    isSilent,
    isOutdated,
    isBlind,
    frozenMs: isPast ? atMs : isBlind ? receivedMs : null,
  };
}
