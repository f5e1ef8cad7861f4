import type { PeopleFilter } from "@/lib/domain/people-filters";
import { withQuery } from "./company-path";

const PER_PAGE = 50;

/** What the list is narrowed to. */
export type PeopleSelection = { q: string; which: PeopleFilter | null; page: number };

/** What a page of everybody is asked for with, beginning with `/people?`. */
export function peoplePath({ q, which, page }: PeopleSelection): string {
  return withQuery("/people", {
    page: String(page),
    per_page: String(PER_PAGE),
    q: q === "" ? undefined : q,
    which: which ?? undefined,
  });
}
