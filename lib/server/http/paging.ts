import { integer } from "./query";

const MOST_PAGES = 100_000;
const MOST_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 50;

/** Which part of a list is asked for; pages count from 1. */
export type Place = { page: number; perPage: number };

/**
 * The parameters `page` and `per_page`: the first page, of 50, unless they are given.
 * @param limits.mostPerPage 100 unless given
 * @throws Failure `invalid_request`, naming the one that is out of its bounds
 */
export function placeOf(
  query: URLSearchParams,
  { mostPages = MOST_PAGES, mostPerPage = MOST_PER_PAGE } = {},
): Place {
  return {
    page: integer(query, "page", { least: 1, most: mostPages }) ?? 1,
    perPage: integer(query, "per_page", { least: 1, most: mostPerPage }) ?? DEFAULT_PER_PAGE,
  };
}

/** The rows of a place, as a database counts them. */
export function rowsAt({ page, perPage }: Place): { offset: number; limit: number } {
  return { offset: (page - 1) * perPage, limit: perPage };
}

/** The `meta` of a list's answer. @param total how many there are on all pages */
export function pageMeta({ page, perPage }: Place, total: number) {
  return {
    page,
    per_page: perPage,
    total_count: total,
    total_pages: Math.ceil(total / perPage),
  };
}
