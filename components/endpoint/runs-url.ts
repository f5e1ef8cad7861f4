import { parseAsInteger, parseAsStringLiteral } from "nuqs/server";
import { RUN_FILTERS, RUN_SORTS } from "./run-columns";

/** How the table of runs stands in the address. */
export const runsParsers = {
  /** Only runs that ended so; absent: all. */
  run_status: parseAsStringLiteral(RUN_FILTERS),
  run_sort: parseAsStringLiteral(RUN_SORTS).withDefault("started"),
  run_order: parseAsStringLiteral(["asc", "desc"]).withDefault("desc"),
  run_page: parseAsInteger.withDefault(1),
};
