import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { quietQuery } from "@/lib/client/queries/quiet";
import type { Planned } from "./covered";

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
