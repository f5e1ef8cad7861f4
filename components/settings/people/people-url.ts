import {
  integerParam,
  readAddress,
  searchParam,
  usually,
  wordParam,
} from "@/lib/client/address-params";
import type { PeopleSelection } from "@/lib/client/people-path";
import { PEOPLE_FILTERS } from "@/lib/domain/people-filters";

/** What the list of people is narrowed to, as it stands in the address. */
export const peopleParams = {
  q: usually(searchParam, ""),
  which: wordParam(PEOPLE_FILTERS),
  page: usually(integerParam, 1),
};

/** What a page's `searchParams` ask for. */
export function selectionOf(search: Parameters<typeof readAddress>[1]): PeopleSelection {
  const { q, which, page } = readAddress(peopleParams, search);
  return { q: q.trim(), which, page: Math.max(1, page) };
}
