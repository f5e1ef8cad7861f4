import { usually, wordParam } from "@/lib/client/address-params";
import { HISTORY_RANGES, type HistoryRange } from "@/lib/domain/history";

/** How far back a page looks, as it stands in its address (`?range=`). */
export const rangeParam = usually(wordParam(HISTORY_RANGES), "24h");

/** "past 24 hours" */
export const PAST: Readonly<Record<HistoryRange, string>> = {
  "1h": "past hour",
  "24h": "past 24 hours",
  "7d": "past 7 days",
  "30d": "past 30 days",
  "90d": "past 90 days",
};
