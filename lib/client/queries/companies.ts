import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "@/lib/client/api";
import type { ServerClock } from "@/lib/client/clock";
import { useServerClock } from "@/lib/client/use-now";
import { useSilence } from "@/lib/client/use-silence";
import type { CompaniesView, ListedSource } from "@/lib/contracts/dashboard";
import { LATE_RHYTHM_MS, isRecord } from "@/lib/client/snapshot";
import type { Silence } from "@/lib/domain/silence";
import { untilNextRequestMs, useRefetchAfterGap } from "./sync-status";

/** Companies are read at different times; many of them must not cause one request each. */
const SOONEST_MS = 5000;

/** During an update, an earlier version may still respond with less data per company: reject that. */
function isCompaniesView(body: unknown, partner: string): body is CompaniesView {
  return (
    isRecord(body) &&
    (body["partner"] ?? "") === partner &&
    Array.isArray(body["companies"]) &&
    body["companies"].every((company) => isRecord(company) && isCare(company["care"]))
  );
}

const isCare = (care: unknown) => care === null || (isRecord(care) && "next" in care);

/**
 * When the list may change: at the earliest of the companies' next reads, if any is planned.
 * @returns null for an empty list, which only a new right or connection can change
 */
export function soonestOf(
  sources: readonly ListedSource[],
): Pick<ListedSource, "next_refresh_at" | "rhythm_seconds"> | null {
  const [first, ...others] = sources;
  if (first === undefined) return null;
  return others.reduce<Pick<ListedSource, "next_refresh_at" | "rhythm_seconds">>(
    (soonest, source) => ({
      next_refresh_at: earlierOf(source.next_refresh_at, soonest.next_refresh_at),
      rhythm_seconds: Math.min(source.rhythm_seconds, soonest.rhythm_seconds),
    }),
    first,
  );
}

function earlierOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) < Date.parse(b) ? a : b;
}

/** Key of the list only, without other data of companies: to refetch after changes of incidents and owners. */
export const COMPANIES = { queryKey: ["company-list"] } as const;

/**
 * The companies that the person may see, refetched just after the server has new data.
 * @param partner limits the numbers to this partner, by name; empty: all
 */
const companiesQuery = (clock: ServerClock, partner: string) =>
  queryOptions({
    queryKey: [...COMPANIES.queryKey, partner],
    queryFn: async ({ signal }) => {
      const query = partner === "" ? "" : `?${new URLSearchParams({ partner }).toString()}`;
      const isView = (body: unknown) => isCompaniesView(body, partner);
      const { value, serverTime } = await get(`/companies${query}`, isView, signal);
      clock.anchor(serverTime);
      return { view: value, receivedMs: clock.nowMs() };
    },
    // Refetches when a partner is selected again, but not within this time.
    staleTime: SOONEST_MS,
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return LATE_RHYTHM_MS;
      const soonest = soonestOf(state.data.view.companies.map(({ source }) => source));
      if (soonest === null) return EMPTY_RHYTHM_MS;
      const lastRequestMs = Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
      const atLeastMs = Math.min(SOONEST_MS, soonest.rhythm_seconds * 1000);
      return Math.max(atLeastMs, untilNextRequestMs(soonest, lastRequestMs, clock));
    },
  });

const EMPTY_RHYTHM_MS = 60_000;

type Received = {
  view: CompaniesView;
  /** When it was received, epoch milliseconds on the server's clock. */
  receivedMs: number;
};

/** The newest list, and the state of this browser's connection. */
export type Companies = Received & {
  /** Why our server doesn't respond to this browser; null: it does. */
  silence: Silence | null;
  /** Whether its numbers are those of the selected partner. */
  isCounted: boolean;
};

/**
 * The list read by this browser, or the one that came with the page. Until the numbers of a newly selected partner have
 * arrived, it is the previous list.
 * @param first from the server, created at `firstMs` on its clock
 * @param partner limits the numbers to this partner, by name; empty: all
 */
export function useCompanies(first: CompaniesView, firstMs: number, partner = ""): Companies {
  const clock = useServerClock();
  const { data, isError, error, refetch } = useQuery(companiesQuery(clock, partner));
  useRefetchAfterGap(clock, refetch);
  const came: Received = { view: first, receivedMs: firstMs };
  const [last, setLast] = useState(came);
  const newest = newestOf(partner, [data ?? came, came, last]);
  if (newestOf(partner, [last, newest]) !== last) setLast(newest);
  const source = soonestOf(newest.view.companies.map((company) => company.source));
  const { receivedMs } = newest;
  const silence = useSilence({ isError, error }, { source, receivedMs }, SOONEST_MS);
  return { ...newest, silence, isCounted: isOf(partner, newest) };
}

/**
 * The list as this browser reads it, for a page that doesn't come with it; null until then.
 * @param isWanted whether to read it
 */
export function useCompaniesIf(isWanted: boolean, partner: string): Received | null {
  const clock = useServerClock();
  return useQuery({ ...companiesQuery(clock, partner), enabled: isWanted }).data ?? null;
}

const isOf = (partner: string, { view }: Received) => (view.partner ?? "") === partner;

/** The newest list for the selected partner, or the newest of all if there is none. */
export function newestOf(
  partner: string,
  [first, ...others]: readonly [Received, ...Received[]],
): Received {
  return others.reduce((best, one) => {
    const fits = Number(isOf(partner, one)) - Number(isOf(partner, best));
    return fits > 0 || (fits === 0 && one.receivedMs > best.receivedMs) ? one : best;
  }, first);
}
