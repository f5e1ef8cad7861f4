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

/** Sortable columns; importing the contract's list would load zod. */
const SORTS = ["uploaded", "name", "type", "project"] as const satisfies readonly FileSort[];
const ORDERS = SORTS.flatMap((sort) => [sort, `-${sort}`] as const);
export type FileOrder = (typeof ORDERS)[number];

/** Filter value for files without a project or integration. */
export const NONE = "none";

/** The shareable state of the file list, as stored in the address. */
export const filesParams = {
  /** Text contained in name or project. */
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

/** Reads the state from a page's `searchParams`; invalid values count as absent. */
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

/** The filters as an API query string: "q=tower&type=xer"; empty for all. */
export function filtersOf({ q, type, baseline, project, integration }: FilesState): string {
  const given = Object.entries({ q: q.trim(), type, baseline, project, integration }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== "",
  );
  return new URLSearchParams(given).toString();
}

/** Same with the order, unless it is the default. */
export function listQueryOf(state: FilesState): string {
  const filters = filtersOf(state);
  if (state.sort === filesParams.sort.absent) return filters;
  return filters === "" ? `sort=${state.sort}` : `${filters}&sort=${state.sort}`;
}

/** The API query of a state, and that of its first page. */
export function firstQueryOf(state: FilesState): { query: string; firstPage: string } {
  const query = listQueryOf(state);
  return { query, firstPage: pageQuery(query, 1) };
}

/**
 * The order after a click on a column header: reversed, or the column's own; newest first for
 * times.
 */
export function orderAfter(order: FileOrder, pressed: FileSort): FileOrder {
  if (order === pressed) return `-${pressed}`;
  if (order === `-${pressed}`) return pressed;
  return pressed === "uploaded" ? "-uploaded" : pressed;
}

/** A column's direction in an order, for `aria-sort`. */
export function sortOf(order: FileOrder, column: FileSort): "ascending" | "descending" | "none" {
  if (order === column) return "ascending";
  return order === `-${column}` ? "descending" : "none";
}
