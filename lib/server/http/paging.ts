import { integer } from "./query";

const MAX_PAGES = 100_000;
const MAX_PER_PAGE = 100;
const DEFAULT_PER_PAGE = 50;

/** A page of a list; pages count from 1. */
export type PageRequest = { page: number; perPage: number };

/**
 * The parameters `page` and `per_page`: by default the first page of 50.
 * @param limits.maxPerPage default 100
 * @throws Failure `invalid_request` naming a parameter out of range
 */
export function readPageRequest(
  query: URLSearchParams,
  { maxPages = MAX_PAGES, maxPerPage = MAX_PER_PAGE } = {},
): PageRequest {
  return {
    page: integer(query, "page", { min: 1, max: maxPages }) ?? 1,
    perPage: integer(query, "per_page", { min: 1, max: maxPerPage }) ?? DEFAULT_PER_PAGE,
  };
}

/** Offset and limit of a page. */
export function offsetAndLimit({ page, perPage }: PageRequest): { offset: number; limit: number } {
  return { offset: (page - 1) * perPage, limit: perPage };
}

/** The `meta` of a list's response. @param total number on all pages */
export function pageMeta({ page, perPage }: PageRequest, total: number) {
  return {
    page,
    per_page: perPage,
    total_count: total,
    total_pages: Math.ceil(total / perPage),
  };
}
