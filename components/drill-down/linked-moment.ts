import { useMemo } from "react";
import { textParam } from "@/lib/client/address/address-params";
import { useAddressParam } from "@/lib/client/address/use-address";
import { instantMs } from "@/lib/domain/time/instant";

/** The raw moment in the address, and its setter. */
export const useAt = () => useAddressParam("at", textParam);

/** The moment of a link to a past state, epoch milliseconds; null: it has no valid one. */
export type LinkedMoment = { atMs: number | null };

/** The moment of a link to a past state (`?at=`); null: the address has none. */
export function useThen(): LinkedMoment | null {
  const [at] = useAt();
  return useMemo(() => (at === null ? null : { atMs: instantMs(at) }), [at]);
}
