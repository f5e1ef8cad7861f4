import { nameParam } from "@/lib/client/address/address-params";

/** Which promise is open: its id, `NEW`, or null for the list. */
export const promisesParams = { promise: nameParam };
export const NEW = "new";
