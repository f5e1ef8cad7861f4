import { integerParam, searchParam, usually, wordParam } from "@/lib/client/address-params";

/** What the list of share links is narrowed to, as it stands in the address. */
export const linksParams = {
  q: usually(searchParam, ""),
  whose: wordParam(["mine"] as const),
  state: wordParam(["open", "ended"] as const),
  page: usually(integerParam, 1),
};
