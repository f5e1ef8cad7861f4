import { FILE_SORTS, NO_PROJECT, type FileSort } from "@/lib/contracts/schedule-files";
import { needlesOf } from "@/lib/domain/text/fold-text";
import type { FileFilters } from "@/lib/server/store/files/find-schedule-files";
import {
  choice,
  integer,
  invalid,
  NO_NULL,
  optionalFlag,
  search,
  text,
} from "@/lib/server/http/query";

const MAX_TYPES = 20;

const MAX_KEPT = 100;

/**
 * Filters of a file list: `q`, `type` (repeated, or comma-separated), `baseline`, `project` and
 * `integration` (an id, or `none`), `source` (of that project) and `except_newest` (1 to 100: without as many of the
 * newest files of each project). Other query parameters are ignored.
 * @throws Failure `invalid_request`
 */
export function filtersOf(query: URLSearchParams): FileFilters {
  const words = needlesOf(search(query, "q") ?? "");
  const types = query
    .getAll("type")
    .flatMap((several) => several.split(","))
    .filter(Boolean);
  if (types.length > MAX_TYPES) throw invalid("type", `must name at most ${MAX_TYPES} types`);
  if (types.some((type) => type.includes("\0"))) throw invalid("type", NO_NULL);
  const project = idOrNone(query, "project");
  const source = text(query, "source");
  if (source !== null && typeof project !== "number") throw invalid("source", "needs a project");
  return {
    words,
    types,
    baseline: optionalFlag(query, "baseline"),
    project,
    source,
    integration: idOrNone(query, "integration"),
    exceptNewest: integer(query, "except_newest", { min: 1, max: MAX_KEPT }),
  };
}

/** Whether no filter is set. */
export function isEverything(filters: FileFilters): boolean {
  const { words, types, ...others } = filters;
  return [...words, ...types, ...Object.values(others)].every((value) => value === null);
}

const ORDERS = FILE_SORTS.flatMap((sort) => [sort, `-${sort}`] as const);

/**
 * `sort`: `uploaded` (oldest first), `name`, `type` or `project`, each reversed by a leading `-`.
 * Default: newest first, the upstream order.
 * @throws Failure `invalid_request`
 */
export function orderOf(query: URLSearchParams): { sort: FileSort; isReversed: boolean } {
  const given = choice(query, "sort", ORDERS) ?? "-uploaded";
  const sort = FILE_SORTS.find((each) => given.endsWith(each)) ?? "uploaded";
  return { sort, isReversed: given.startsWith("-") };
}

function idOrNone(query: URLSearchParams, name: string): number | "none" | null {
  const given = text(query, name);
  if (given === null || given === NO_PROJECT) return given;
  const id = /^-?\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw invalid(name, `must be an id or ${NO_PROJECT}`);
  return id;
}
