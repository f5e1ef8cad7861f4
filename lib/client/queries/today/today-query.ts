import {
  useLatestView,
  type ReceivedView,
  type LatestView,
} from "@/lib/client/queries/views/latest-view";
import { TODAY } from "@/lib/client/queries/incidents";
import { isRecord } from "@/lib/client/snapshot";
import type { TodayView } from "@/lib/contracts/today";
import { shownToday, type ShownToday } from "@/lib/domain/today/shown";
import { todayPath, type TodayFilter } from "./today-path";

export type ReceivedToday = ReceivedView<ShownToday>;

function isTodayView(body: unknown): body is TodayView {
  return (
    isRecord(body) &&
    isRecord(body["counts"]) &&
    Array.isArray(body["lines"]) &&
    Array.isArray(body["well"]) &&
    isRecord(body["api_clock_offsets"])
  );
}

/**
 * What is wrong at the companies that the person may see, refetched all the time.
 * @param first from the server; null: it had none
 * @param rhythmMs poll rhythm of the server
 */
export function useToday(
  filter: TodayFilter,
  first: ReceivedToday | null,
  rhythmMs: number,
): LatestView<ShownToday> {
  const source = {
    key: TODAY.queryKey,
    path: todayPath(filter),
    at: filter.at,
    isValid: isTodayView,
    shown: shownToday,
  };
  return useLatestView(source, first, rhythmMs);
}
