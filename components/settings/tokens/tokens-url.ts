import { pageParam, searchParam, usually, wordParam } from "@/lib/client/address/address-params";

/** Filters of the token list, as address parameters. */
export const tokensParams = {
  q: usually(searchParam, ""),
  whose: wordParam(["mine"] as const),
  page: usually(pageParam, 1),
};
