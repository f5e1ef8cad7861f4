"use client";

import { createContext, use, useMemo, type ReactNode } from "react";
import { ViewStatusProvider, type ViewStatus } from "@/components/shell/live/view-confidence";
import { useAddress } from "@/lib/client/address/use-address";
import { useToday, type ReceivedToday } from "@/lib/client/queries/today/today-query";
import { filterOf, todayParams } from "./today-url";

/**
 * The view that the address asks for, and how far it can be trusted.
 * @param first from the server; null: it had none
 * @param rhythmMs poll rhythm of the server
 */
function useReadToday(first: ReceivedToday | null, rhythmMs: number) {
  const [state, setState] = useAddress(todayParams);
  const filter = useMemo(() => filterOf(state), [state]);
  return { ...useToday(filter, first, rhythmMs), state, setState };
}

export type TodayHere = ReturnType<typeof useReadToday>;

const HereContext = createContext<TodayHere | null>(null);

/** Reads the first page's view, once for the top bar and the page. See `useReadToday`. */
export function TodayHereProvider({
  first,
  rhythmMs,
  children,
}: {
  first: ReceivedToday | null;
  rhythmMs: number;
  children: ReactNode;
}) {
  const here = useReadToday(first, rhythmMs);
  const { received, isSilent, isOutdated, isBlind, isPast, state } = here;
  const { partner } = state;
  const shown = useMemo(
    (): ViewStatus => ({
      view:
        received === null
          ? null
          : {
              asOf: received.view.as_of,
              delayed: received.view.counts.delayed,
              unseen: received.view.counts.unseen_companies,
              unseenName: received.view.unseen[0]?.company.name,
            },
      receivedMs: received?.receivedMs ?? null,
      isSilent,
      isOutdated,
      isBlind,
      isPast,
      partner,
    }),
    [received, isSilent, isOutdated, isBlind, isPast, partner],
  );
  return (
    <ViewStatusProvider value={shown}>
      <HereContext value={here}>{children}</HereContext>
    </ViewStatusProvider>
  );
}

/** The view that the address asks for, and how far it can be trusted. */
export function useTodayHere(): TodayHere {
  const here = use(HereContext);
  if (here === null) throw new Error("TodayHereProvider is missing above this component");
  return here;
}
