import { textParam } from "@/lib/client/address/address-params";

/** Which rule is open: its id, `NEW`, or null for the list. */
export const rulesParams = { rule: textParam };
export const NEW = "new";
