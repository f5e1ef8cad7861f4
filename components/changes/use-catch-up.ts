import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { recordLook, lastLookQuery } from "@/lib/client/queries/changes";
import { useAddressParam } from "@/lib/client/address/use-address";
import { useServerClock } from "@/lib/client/use-now";
import { AWAY_MS, createVisit } from "@/lib/client/visit";
import type { LastLook } from "@/lib/contracts/changes";
import { sinceParam, sinceText } from "./since";

/**
 * When each page was left, by the server's clock; without visible pages and those never visited.
 */
const leftMs = new Map<string | null, number>();

export type CatchUp = {
  /** Start of the requested changes, ISO 8601; null: not known yet. */
  since: string | null;
  /** Null: not known yet, or unavailable. */
  lastLook: LastLook | null;
  hasFailed: boolean;
  /** Whether the requested changes go back to the last visit. */
  isWhole: boolean;
  /** The moment in the address, epoch milliseconds; null: since the last visit. */
  addressMs: number | null;
  ask: (ms: number | null) => void;
};

/** Start of the changes: the moment in the address, or the last visit. */
export function useCatchUp(company: string | null): CatchUp {
  const { data, isError } = useQuery(lastLookQuery(company));
  const [addressMs, ask] = useAddressParam("since", sinceParam);
  const since = addressMs === null ? (data?.since ?? null) : sinceText(addressMs);
  const isWhole = data !== undefined && (addressMs === null || addressMs <= Date.parse(data.since));
  return { since, lastLook: data ?? null, hasFailed: isError, isWhole, addressMs, ask };
}

/**
 * Stores the visit once the changes are visible: what couldn't be shown doesn't count as seen.
 * @param isShown the changes since the last visit are on the page
 */
export function useVisit(company: string | null, isShown: boolean) {
  const clock = useServerClock();
  const client = useQueryClient();
  useEffect(() => {
    if (!isShown) return;
    const visit = createVisit({
      later: (run, ms) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      onViewed: () => recordLook(company),
    });
    const leave = () => {
      visit.end();
      if (!leftMs.has(company)) leftMs.set(company, clock.nowMs());
    };
    const follow = () => {
      if (document.visibilityState !== "visible") return leave();
      const awayMs = clock.nowMs() - (leftMs.get(company) ?? Infinity);
      leftMs.delete(company);
      // After coming back, the time of leaving counts as the last visit.
      if (awayMs >= AWAY_MS) void client.invalidateQueries(lastLookQuery(company));
      visit.begin();
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    window.addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [company, isShown, clock, client]);
}
