import { clampedInteger, DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE } from "@/lib/contracts/v3";

export type Paging = { page: number; perPage: number };

/** `page` and `per_page` of a listing. The first one of a repeated parameter counts. */
export function readPaging(query: URLSearchParams): Paging {
  return {
    page: clampedInteger(query.get("page"), { min: 1, max: MAX_PAGE, absent: 1 }),
    perPage: clampedInteger(query.get("per_page"), {
      min: 1,
      max: MAX_PER_PAGE,
      absent: DEFAULT_PER_PAGE,
    }),
  };
}

/** The `meta` of a listing. A page beyond the end is returned as requested. */
export function paginationMeta({ page, perPage }: Paging, totalCount: number) {
  return {
    page,
    per_page: perPage,
    total_count: totalCount,
    total_pages: Math.ceil(totalCount / perPage),
  };
}
