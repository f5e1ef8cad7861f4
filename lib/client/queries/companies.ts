import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { get } from "@/lib/client/api";
import type { ServerClock } from "@/lib/client/clock";
import { useServerClock } from "@/lib/client/use-now";
import type { CompaniesView, Source } from "@/lib/contracts/dashboard";
import { LATE_RHYTHM_MS, isRecord } from "@/lib/client/snapshot";
import { untilNextAskMs } from "./sync-status";

/** Companies are read at moments of their own; many of them must not make one request each. */
const SOONEST_MS = 5000;

/** While a newer version takes over, an earlier one may still answer, which says less of a company: that is no answer. */
function isCompaniesView(body: unknown): body is CompaniesView {
  return (
    isRecord(body) &&
    Array.isArray(body["companies"]) &&
    body["companies"].every((company) => isRecord(company) && isCare(company["care"]))
  );
}

const isCare = (care: unknown) => care === null || (isRecord(care) && "next" in care);

/**
 * When something in the list may change: at the earliest of the companies' next reads.
 * @returns null for an empty list, which only a right or a connection can change
 */
export function soonestOf(
  sources: readonly Source[],
): Pick<Source, "next_refresh_at" | "rhythm_seconds"> | null {
  const [first, ...others] = sources;
  if (first === undefined) return null;
  return others.reduce<Pick<Source, "next_refresh_at" | "rhythm_seconds">>(
    (soonest, source) => ({
      next_refresh_at:
        Date.parse(source.next_refresh_at) < Date.parse(soonest.next_refresh_at)
          ? source.next_refresh_at
          : soonest.next_refresh_at,
      rhythm_seconds: Math.min(source.rhythm_seconds, soonest.rhythm_seconds),
    }),
    first,
  );
}

/** The list alone, not what else is kept of companies: for who changes what it says of incidents and owners. */
export const COMPANIES = { queryKey: ["companies"], exact: true } as const;

/** The companies that the person may see, asked for just after the server has something new. */
const companiesQuery = (clock: ServerClock) =>
  queryOptions({
    queryKey: COMPANIES.queryKey,
    queryFn: async ({ signal }) => {
      const { value, dateMs } = await get("/companies", isCompaniesView, signal);
      if (dateMs !== null) clock.anchor(dateMs);
      return { view: value, receivedMs: clock.nowMs() };
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return LATE_RHYTHM_MS;
      const soonest = soonestOf(state.data.view.companies.map(({ source }) => source));
      if (soonest === null) return EMPTY_RHYTHM_MS;
      const lastAskMs = Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
      const atLeastMs = Math.min(SOONEST_MS, soonest.rhythm_seconds * 1000);
      return Math.max(atLeastMs, untilNextAskMs(soonest, lastAskMs, clock));
    },
  });

const EMPTY_RHYTHM_MS = 60_000;

/** The newest list there is, and how this browser came by it. */
export type Companies = {
  view: CompaniesView;
  /** When it was heard, epoch milliseconds on the server's clock. */
  receivedMs: number;
  /** The last question got no answer. */
  isError: boolean;
};

/**
 * What this browser has read, or what came with the page.
 * @param first from the server, made at `firstMs` on its clock
 */
export function useCompanies(first: CompaniesView, firstMs: number): Companies {
  const clock = useServerClock();
  const { data, isError, refetch } = useQuery(companiesQuery(clock));
  useEffect(() => clock.onGap(() => void refetch()), [clock, refetch]);
  return data !== undefined && data.receivedMs >= firstMs
    ? { ...data, isError }
    : { view: first, receivedMs: firstMs, isError };
}
