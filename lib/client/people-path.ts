import type { PeopleFilter } from "@/lib/domain/people-filters";
import { withQuery } from "./company-path";

const PER_PAGE = 50;

/** Filters of the list. */
export type PeopleSelection = { q: string; which: PeopleFilter | null; page: number };

/** The address of a page of the list of people, starting with `/people?`. */
export function peoplePath({ q, which, page }: PeopleSelection): string {
  return withQuery("/people", {
    page: String(page),
    per_page: String(PER_PAGE),
    q: q === "" ? undefined : q,
    which: which ?? undefined,
  });
}
