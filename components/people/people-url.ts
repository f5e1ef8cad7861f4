import { integerParam, textParam, usually, wordParam } from "@/lib/client/address-params";
import { PEOPLE_FILTERS } from "@/lib/domain/people-filters";

/** What the list of people is narrowed to, as it stands in the address. */
export const peopleParams = {
  q: usually(textParam, ""),
  which: wordParam(PEOPLE_FILTERS),
  page: usually(integerParam, 1),
};
