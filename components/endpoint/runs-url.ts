import { countParam, usually, wordParam } from "@/lib/client/address/address-params";
import { RUN_FILTERS, RUN_SORTS } from "./run-columns";

/** State of the run table in the address. */
export const runsParams = {
  /** Only runs with this outcome; absent: all. */
  run_status: wordParam(RUN_FILTERS),
  run_sort: usually(wordParam(RUN_SORTS), "started"),
  run_order: usually(wordParam(["asc", "desc"]), "desc"),
  run_page: usually(countParam(10_000), 1),
};
