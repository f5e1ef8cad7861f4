"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import {
  CLOCKS,
  browserZone,
  rememberClock,
  rememberZone,
  type ClockChoice,
} from "@/lib/client/preferences";

type ZoneState = {
  /** IANA name of the zone that times are written in. */
  zone: string;
  choice: ClockChoice;
  choose: (choice: ClockChoice) => void;
};

const ZoneContext = createContext<ZoneState>({ zone: "UTC", choice: "utc", choose: () => {} });

/** The time zone in which absolute times are written; every one of them names it. */
export const useZone = () => useContext(ZoneContext).zone;

/** The switch between the person's own zone and UTC. */
export const useZoneChoice = () => useContext(ZoneContext);

const never = () => () => {};
const tzParser = parseAsStringLiteral(CLOCKS);

/**
 * Which zone a page is written in: the address decides (`?tz=utc`), so that a shared link reads the same
 * for both; else what this browser chose before; else its own zone.
 * @param serverZone what the server wrote in, from the cookie of an earlier visit
 * @param serverClock likewise, this browser's choice
 */
export function ZoneProvider({
  serverZone,
  serverClock,
  children,
}: {
  serverZone: string;
  serverClock: ClockChoice;
  children: ReactNode;
}) {
  const ownZone = useSyncExternalStore(never, browserZone, () => serverZone);
  const [chosen, setChosen] = useState(serverClock);
  const [asked, setAsked] = useQueryState("tz", tzParser);
  useEffect(() => {
    if (ownZone !== serverZone) rememberZone(ownZone);
  }, [ownZone, serverZone]);

  const choice = asked ?? chosen;
  const choose = useCallback(
    (next: ClockChoice) => {
      setChosen(next);
      rememberClock(next);
      void setAsked(next === "utc" ? "utc" : null);
    },
    [setAsked],
  );
  const state = useMemo(
    () => ({ zone: choice === "utc" ? "UTC" : ownZone, choice, choose }),
    [choice, ownZone, choose],
  );
  return <ZoneContext value={state}>{children}</ZoneContext>;
}
