import {
  countParam,
  pageParam,
  readAddress,
  searchParam,
  nameParam,
  usually,
  wordParam,
  type StateOf,
} from "@/lib/client/address/address-params";
import { pageQuery } from "@/lib/client/file-pages";
import type { FileSort } from "@/lib/contracts/schedule-files";
import type { ProjectFilter } from "@/lib/contracts/schedule-projects";

/** Sortable columns; importing the contract's list would load zod. */
const SORTS = ["uploaded", "name", "type", "project"] as const satisfies readonly FileSort[];
const SHOWN = [
  "behind",
  "due",
  "current",
  "unknown",
  "no-baseline",
] as const satisfies readonly ProjectFilter[];
const ORDERS = SORTS.flatMap((sort) => [sort, `-${sort}`] as const);
export type FileOrder = (typeof ORDERS)[number];

/** Filter value for files without a project or integration. */
export const NONE = "none";

/** Versions of each project that "all but the newest" leaves out. */
export const NEWEST_KEPT = 3;

/** Which view is shown; absent in addresses made before there were several. */
export const viewParam = wordParam(["projects", "files"]);

/** The shareable state of the file list, as stored in the address. */
export const filesParams = {
  view: viewParam,
  /** Text contained in name or project. */
  q: usually(searchParam, ""),
  /** Only files of this type; absent: all. */
  type: nameParam,
  baseline: wordParam(["true", "false"]),
  /** A project's id, or `none`. */
  project: nameParam,
  /** The source of that project, since several may have a project of the same id. */
  source: nameParam,
  /** A `partner_token_id`, or `none`. */
  integration: nameParam,
  /** Leaves out as many of the newest files of each project, and files without a project. */
  except_newest: countParam(100),
  sort: usually(wordParam(ORDERS), "-uploaded"),
};

export type FilesState = StateOf<typeof filesParams>;

/** The shareable state of the list of projects. */
export const projectsParams = {
  view: viewParam,
  /** Text contained in the name. */
  q: usually(searchParam, ""),
  show: wordParam(SHOWN),
  page: usually(pageParam, 1),
};

export type ProjectsState = StateOf<typeof projectsParams>;

/** The view of an address: without one, files if it has any of their filters. */
export function viewOf(search: Parameters<typeof readAddress>[1]): "projects" | "files" {
  const { view, ...filters } = loadFilesState(search);
  const isFiltered = Object.entries(filters).some(
    ([name, value]) => value !== filesParams[name as keyof typeof filters].absent,
  );
  return view ?? (isFiltered ? "files" : "projects");
}

/** The API query of a list of projects. */
export function projectsQueryOf({ q, show, page }: ProjectsState): string {
  const given = Object.entries({ q: q.trim(), show, page: String(Math.max(1, page)) }).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== "",
  );
  return new URLSearchParams(given).toString();
}

/** Reads the state from a page's `searchParams`; invalid values count as absent. */
export function loadFilesState(search: Parameters<typeof readAddress>[1]): FilesState {
  return readAddress(filesParams, search);
}

/** The same for a list of projects. */
export function loadProjectsState(search: Parameters<typeof readAddress>[1]): ProjectsState {
  return readAddress(projectsParams, search);
}

export const NO_FILTERS = {
  q: "",
  type: null,
  baseline: null,
  project: null,
  source: null,
  integration: null,
  except_newest: null,
} as const satisfies Partial<FilesState>;

/** The filters as an API query string: "q=tower&type=xer"; empty for all. */
export function filtersOf({
  q,
  type,
  baseline,
  project,
  source,
  integration,
  except_newest,
}: FilesState): string {
  const given = Object.entries({
    q: q.trim(),
    type,
    baseline,
    project,
    source,
    integration,
    except_newest: except_newest === null ? null : String(except_newest),
  }).filter((entry): entry is [string, string] => entry[1] !== null && entry[1] !== "");
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
