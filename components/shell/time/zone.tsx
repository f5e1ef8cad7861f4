"use client";

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
import { wordParam } from "@/lib/client/address-params";
import {
  CLOCKS,
  browserZone,
  rememberClock,
  rememberZone,
  type ClockChoice,
} from "@/lib/client/preferences";
import { useAddressParam } from "@/lib/client/use-address";

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
const tzParam = wordParam(CLOCKS);

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
  const [asked, setAsked] = useAddressParam("tz", tzParam);
  useEffect(() => {
    if (ownZone !== serverZone) rememberZone(ownZone);
  }, [ownZone, serverZone]);

  const choice = asked ?? chosen;
  const choose = useCallback(
    (next: ClockChoice) => {
      setChosen(next);
      rememberClock(next);
      setAsked(next === "utc" ? "utc" : null);
    },
    [setAsked],
  );
  const state = useMemo(
    () => ({ zone: choice === "utc" ? "UTC" : ownZone, choice, choose }),
    [choice, ownZone, choose],
  );
  return <ZoneContext value={state}>{children}</ZoneContext>;
}
