/** Rows per request for schedule files: the API's maximum page size. */
export const FILES_PER_PAGE = 100;

/**
 * The query string of one page of the list.
 * @param filters filters and order as a query string; may be empty
 * @param page from 1
 */
export function pageQuery(filters: string, page: number): string {
  return `${filters === "" ? "" : `${filters}&`}page=${page}&per_page=${FILES_PER_PAGE}`;
}

/** The pages, from 1, that contain the rows of `[first, end)`. */
export function pagesWithin(first: number, end: number): readonly number[] {
  if (end <= first) return [];
  const from = Math.floor(first / FILES_PER_PAGE) + 1;
  const to = Math.floor((end - 1) / FILES_PER_PAGE) + 1;
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}
