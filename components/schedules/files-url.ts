import {
  readAddress,
  searchParam,
  textParam,
  usually,
  wordParam,
  type StateOf,
} from "@/lib/client/address-params";
import { pageQuery } from "@/lib/client/file-pages";
import type { FileSort } from "@/lib/contracts/schedule-files";

/** Columns that the list can be sorted by; the contract's own list brings zod along. */
const SORTS = ["uploaded", "name", "type", "project"] as const satisfies readonly FileSort[];
const ORDERS = SORTS.flatMap((sort) => [sort, `-${sort}`] as const);
export type FileOrder = (typeof ORDERS)[number];

/** What stands for "without one" among projects and integrations. */
export const NONE = "none";

/** Everything about a view of the files that a person might share, as it stands in the address. */
export const filesParams = {
  /** Text that name or project must hold. */
  q: usually(searchParam, ""),
  /** Only files of this type; absent: all. */
  type: textParam,
  baseline: wordParam(["true", "false"]),
  /** A project's id, or `none`. */
  project: textParam,
  /** A `partner_token_id`, or `none`. */
  integration: textParam,
  sort: usually(wordParam(ORDERS), "-uploaded"),
};

export type FilesState = StateOf<typeof filesParams>;

/** Reads the state from a page's `searchParams`; what does not parse counts as absent. */
export function loadFilesState(search: Parameters<typeof readAddress>[1]): FilesState {
  return readAddress(filesParams, search);
}

export const NO_FILTERS = {
  q: "",
  type: null,
  baseline: null,
  project: null,
  integration: null,
} as const satisfies Partial<FilesState>;

/** The filters as they stand behind the question mark of the JSON: "q=tower&type=xer"; empty for all. */
export function filtersOf({ q, type, baseline, project, integration }: FilesState): string {
  const given = Object.entries({ q: q.trim(), type, baseline, project, integration }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== "",
  );
  return new URLSearchParams(given).toString();
}

/** The same with the order of the rows, which is left out where it is the usual one. */
export function listQueryOf(state: FilesState): string {
  const filters = filtersOf(state);
  if (state.sort === filesParams.sort.absent) return filters;
  return filters === "" ? `sort=${state.sort}` : `${filters}&sort=${state.sort}`;
}

/** The question to the server that a state asks, and the same for its first page. */
export function firstQueryOf(state: FilesState): { query: string; firstPage: string } {
  const query = listQueryOf(state);
  return { query, firstPage: pageQuery(query, 1) };
}

/** The order after a press on a column's head: reversed, or its own; newest first for times. */
export function orderAfter(order: FileOrder, pressed: FileSort): FileOrder {
  if (order === pressed) return `-${pressed}`;
  if (order === `-${pressed}`) return pressed;
  return pressed === "uploaded" ? "-uploaded" : pressed;
}

/** How a column stands in an order, for `aria-sort`. */
export function sortOf(order: FileOrder, column: FileSort): "ascending" | "descending" | "none" {
  if (order === column) return "ascending";
  return order === `-${column}` ? "descending" : "none";
}
