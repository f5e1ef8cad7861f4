import type { Param } from "@/lib/client/address/address-params";
import { useAddressParam } from "@/lib/client/address/use-address";
import { instantMs } from "@/lib/domain/time/instant";

const atParam: Param<string> = {
  parse: (text) => (instantMs(text) === null ? null : text),
  format: String,
  absent: null,
};

/** The raw moment in the address, and its setter. */
export const useAt = () => useAddressParam("at", atParam);

/**
 * The moment of a link to a past state (`?at=`), epoch milliseconds; null when missing or invalid.
 */
export function useThenMs(): number | null {
  const [at] = useAt();
  return instantMs(at);
}
