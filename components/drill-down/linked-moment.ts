import type { Param } from "@/lib/client/address-params";
import { useAddressParam } from "@/lib/client/use-address";
import { instantMs } from "@/lib/domain/time/instant";

const atParam: Param<string> = {
  parse: (text) => (instantMs(text) === null ? null : text),
  format: String,
  absent: null,
};

/** The moment in the address as it stands there, and what sets it. */
export const useAt = () => useAddressParam("at", atParam);

/** The moment of a link with how it was (`?at=`), epoch milliseconds; null without one that can be read. */
export function useThenMs(): number | null {
  const [at] = useAt();
  return instantMs(at);
}
