import { pageParam, searchParam, usually, wordParam } from "@/lib/client/address/address-params";

/** Filters of the share link list, as address parameters. */
export const linksParams = {
  q: usually(searchParam, ""),
  whose: wordParam(["mine"] as const),
  state: wordParam(["open", "ended"] as const),
  page: usually(pageParam, 1),
};
