import { textParam } from "@/lib/client/address/address-params";

/** Which promise is open: its id, `NEW`, or null for the list. */
export const promisesParams = { promise: textParam };
export const NEW = "new";
