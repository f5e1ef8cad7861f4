import {
  integerParam,
  readAddress,
  searchParam,
  usually,
  wordParam,
  type StateOf,
} from "@/lib/client/address-params";
import type { PeopleSelection } from "@/lib/client/people-path";
import { PEOPLE_FILTERS } from "@/lib/domain/people-filters";

/** What the list of people is narrowed to, as it stands in the address. */
export const peopleParams = {
  q: usually(searchParam, ""),
  which: wordParam(PEOPLE_FILTERS),
  page: usually(integerParam, 1),
};

/** What is asked for by that. */
export function selectionIn({ q, which, page }: StateOf<typeof peopleParams>): PeopleSelection {
  return { q: q.trim(), which, page: Math.max(1, page) };
}

/** The same of a page's `searchParams`. */
export function selectionOf(search: Parameters<typeof readAddress>[1]): PeopleSelection {
  return selectionIn(readAddress(peopleParams, search));
}
