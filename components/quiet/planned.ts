import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { quietQuery } from "@/lib/client/queries/quiet";
import type { Expectation } from "@/lib/contracts/quiet";

/** Planned quiet times; the API's clock is `offsetMs` ahead of the server's. */
export type Planned = { all: readonly Expectation[]; offsetMs: number };
const NONE: Planned = { all: [], offsetMs: 0 };

/**
 * The company's planned quiet times; empty until they are loaded.
 * @param first from the server, until the browser has its own; null: none
 */
export function usePlanned(first: Planned | null = null): Planned {
  const { slug } = useLiveCompany();
  const { data } = useQuery(quietQuery(slug));
  return useMemo(
    () =>
      data === undefined ? (first ?? NONE) : { all: data.data, offsetMs: data.api_clock_offset_ms },
    [data, first],
  );
}

/** Whether it covers every endpoint of the partner. */
export function isOfAll(
  { partner_name: of, endpoint_id: id }: Expectation,
  partner: string,
): boolean {
  return id === null && (of === null || of === partner);
}

/** Its scope in the form that `concerns` takes. */
export const scopeOf = ({ partner_name: partner, endpoint_id: endpointId }: Expectation) => ({
  partner,
  endpointId,
});
