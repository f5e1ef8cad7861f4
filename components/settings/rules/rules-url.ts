import { nameParam } from "@/lib/client/address/address-params";

/** Which rule is open: its id, `NEW`, or null for the list. */
export const rulesParams = { rule: nameParam };
export const NEW = "new";
