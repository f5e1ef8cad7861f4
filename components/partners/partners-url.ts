import { pageParam, searchParam, usually } from "@/lib/client/address/address-params";

/** The shareable state of the list, as stored in the address. */
export const partnersParams = {
  q: usually(searchParam, ""),
  page: usually(pageParam, 1),
};
