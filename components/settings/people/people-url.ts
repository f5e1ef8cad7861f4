import {
  pageParam,
  readAddress,
  searchParam,
  usually,
  wordParam,
} from "@/lib/client/address/address-params";
import type { PeopleSelection } from "@/lib/client/people-path";
import { PEOPLE_FILTERS } from "@/lib/domain/people-filters";

/** Filters of the people list, as address parameters. */
export const peopleParams = {
  q: usually(searchParam, ""),
  which: wordParam(PEOPLE_FILTERS),
  page: usually(pageParam, 1),
};

/** Filters in a page's `searchParams`. */
export function selectionOf(search: Parameters<typeof readAddress>[1]): PeopleSelection {
  const { q, which, page } = readAddress(peopleParams, search);
  return { q: q.trim(), which, page: Math.max(1, page) };
}
