import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { quietQuery } from "@/lib/client/queries/quiet";
import type { Expectation } from "@/lib/contracts/quiet";

/** Planned quiet times; the API's clock is `offsetMs` ahead of the server's. */
export type Planned = { all: readonly Expectation[]; offsetMs: number };
const NONE: Planned = { all: [], offsetMs: 0 };

/** Those of the company; before they come there are none. */
export function usePlanned(): Planned {
  const { slug } = useLiveCompany();
  const { data } = useQuery(quietQuery(slug));
  return useMemo(
    () => (data === undefined ? NONE : { all: data.data, offsetMs: data.api_clock_offset_ms }),
    [data],
  );
}

/** Whether it is of every endpoint of the partner. */
export function isOfAll(
  { partner_name: of, endpoint_id: id }: Expectation,
  partner: string,
): boolean {
  return id === null && (of === null || of === partner);
}

/** What it is about, as `concerns` wants it. */
export const scopeOf = ({ partner_name: partner, endpoint_id: endpointId }: Expectation) => ({
  partner,
  endpointId,
});
