import { usually, wordParam } from "@/lib/client/address-params";
import { HISTORY_RANGES } from "@/lib/domain/history";

/** How far back a page looks, as it stands in its address (`?range=`). */
export const rangeParam = usually(wordParam(HISTORY_RANGES), "24h");
