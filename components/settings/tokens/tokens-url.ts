import { integerParam, searchParam, usually, wordParam } from "@/lib/client/address/address-params";

/** Filters of the token list, as address parameters. */
export const tokensParams = {
  q: usually(searchParam, ""),
  whose: wordParam(["mine"] as const),
  page: usually(integerParam, 1),
};
