import { textParam } from "@/lib/client/address-params";
import { useAddressParam } from "@/lib/client/use-address";

/** Which deletion's progress or receipt is open, by its id; it goes along with the address. */
export const useOpenDeletion = () => useAddressParam("deletion", textParam);
