import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keepLook, lastLookQuery } from "@/lib/client/queries/changes";
import { useAddressParam } from "@/lib/client/use-address";
import { useServerClock } from "@/lib/client/use-now";
import { AWAY_MS, createVisit } from "@/lib/client/visit";
import type { LastLook } from "@/lib/contracts/changes";
import { sinceParam, sinceText } from "./since";

/** When each page was left, by the server's clock; none of those that are visible, or never were. */
const leftMs = new Map<string | null, number>();

export type CatchUp = {
  /** What changes are asked for since, ISO 8601; null: it isn't known yet. */
  since: string | null;
  /** Null: it isn't known yet, or couldn't be read. */
  lastLook: LastLook | null;
  hasFailed: boolean;
  /** What is asked for goes back as far as the last look. */
  isWhole: boolean;
  /** The moment of the address, epoch milliseconds; null: since one last looked. */
  askedMs: number | null;
  ask: (ms: number | null) => void;
};

/** Since when somebody catches up: what the address says, or when they last looked. */
export function useCatchUp(company: string | null): CatchUp {
  const { data, isError } = useQuery(lastLookQuery(company));
  const [askedMs, ask] = useAddressParam("since", sinceParam);
  const since = askedMs === null ? (data?.since ?? null) : sinceText(askedMs);
  const isWhole = data !== undefined && (askedMs === null || askedMs <= Date.parse(data.since));
  return { since, lastLook: data ?? null, hasFailed: isError, isWhole, askedMs, ask };
}

/**
 * Keeps when somebody looked, from when they see what changed: what couldn't be shown isn't seen.
 * @param isShown what changed since their last visit is on the page
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
      onLooked: () => keepLook(company),
    });
    const leave = () => {
      visit.end();
      if (!leftMs.has(company)) leftMs.set(company, clock.nowMs());
    };
    const follow = () => {
      if (document.visibilityState !== "visible") return leave();
      const awayMs = clock.nowMs() - (leftMs.get(company) ?? Infinity);
      leftMs.delete(company);
      // They come back to look again: from now on what counts is when they left.
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
