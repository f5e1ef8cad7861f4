import { usually, wordParam } from "@/lib/client/address/address-params";
import { HISTORY_RANGES } from "@/lib/domain/history";

/** Range of a page, as stored in its address (`?range=`). */
export const rangeParam = usually(wordParam(HISTORY_RANGES), "24h");
