"use client";

import { createContext, use, useMemo, type ReactNode } from "react";
import { useAddress } from "@/lib/client/use-address";
import { useToday, type TodayHeard } from "@/lib/client/queries/today/today-query";
import { useNow } from "@/lib/client/use-now";
import { DELAYED_POLLS } from "@/lib/domain/confidence";
import { instantMs } from "@/lib/domain/time/instant";
import { filterOf, todayParams } from "./today-url";

/**
 * The view that the address asks for, and how far it can be trusted.
 * @param first from the server; null: it had none
 * @param rhythmMs poll rhythm of the server
 */
function useReadToday(first: TodayHeard | null, rhythmMs: number) {
  const [state, setState] = useAddress(todayParams);
  const filter = useMemo(() => filterOf(state), [state]);
  const read = useToday(filter, first, rhythmMs);
  const { heard, silence } = read;
  const atMs = instantMs(state.at);
  const isPast = state.at !== null;
  const isSilent = silence !== null;
  const receivedMs = heard?.receivedMs ?? null;
  // Also while a request hangs, or just after the page was hidden.
  const isUnheard = useNow(
    (nowMs) => !isPast && receivedMs !== null && nowMs - receivedMs > DELAYED_POLLS * rhythmMs,
  );
  // A server that has been silent for as long as a source that we can't see is treated alike.
  const isBlind = isSilent && isUnheard;
  return {
    ...read,
    state,
    setState,
    atMs,
    isPast,
    isSilent,
    isUnheard,
    isBlind,
    frozenMs: isPast ? atMs : isBlind ? receivedMs : null,
  };
}

export type TodayHere = ReturnType<typeof useReadToday>;

const HereContext = createContext<TodayHere | null>(null);

/** Reads the first page's view, once for the top bar and the page. See `useReadToday`. */
export function TodayHereProvider({
  first,
  rhythmMs,
  children,
}: {
  first: TodayHeard | null;
  rhythmMs: number;
  children: ReactNode;
}) {
  const here = useReadToday(first, rhythmMs);
  return <HereContext value={here}>{children}</HereContext>;
}

/** The view that the address asks for, and how far it can be trusted. */
export function useTodayHere(): TodayHere {
  const here = use(HereContext);
  if (here === null) throw new Error("TodayHereProvider is missing above this component");
  return here;
}
