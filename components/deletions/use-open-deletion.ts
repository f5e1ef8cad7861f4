import { nameParam } from "@/lib/client/address/address-params";
import { useAddressParam } from "@/lib/client/address/use-address";

/** The id of the deletion whose progress or receipt is open, stored in the address. */
export const useOpenDeletion = () => useAddressParam("deletion", nameParam);
