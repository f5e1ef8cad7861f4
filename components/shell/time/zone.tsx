"use client";

import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import { useAfterHydration } from "@/components/ui/early/use-after-hydration";
import { wordParam } from "@/lib/client/address/address-params";
import {
  CLOCKS,
  browserZone,
  rememberClock,
  rememberZone,
  type ClockChoice,
} from "@/lib/client/preferences";
import { useAddressParam } from "@/lib/client/address/use-address";

type ZoneState = {
  /** IANA name of the zone for displayed times. */
  zone: string;
  choice: ClockChoice;
  choose: (choice: ClockChoice) => void;
};

const ZoneContext = createContext<ZoneState>({ zone: "UTC", choice: "utc", choose: () => {} });

/** The time zone of displayed absolute times; each of them names it. */
export const useZone = () => useContext(ZoneContext).zone;

/** The switch between the person's own zone and UTC. */
export const useZoneChoice = () => useContext(ZoneContext);

const tzParam = wordParam(CLOCKS);

/**
 * The zone of a page: the address takes precedence (`?tz=utc`), so that a shared link reads alike
 * for both; then this browser's earlier choice; then its own zone.
 * @param serverZone the zone that the server rendered with, from the cookie of an earlier visit
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
  const ownZone = useAfterHydration(browserZone, serverZone);
  const [chosen, setChosen] = useState(serverClock);
  const [addressChoice, setAddressChoice] = useAddressParam("tz", tzParam);
  useEffect(() => {
    if (ownZone !== serverZone) rememberZone(ownZone);
  }, [ownZone, serverZone]);

  const choice = addressChoice ?? chosen;
  const choose = useCallback(
    (next: ClockChoice) => {
      setChosen(next);
      rememberClock(next);
      setAddressChoice(next === "utc" ? "utc" : null);
    },
    [setAddressChoice],
  );
  const state = useMemo(
    () => ({ zone: choice === "utc" ? "UTC" : ownZone, choice, choose }),
    [choice, ownZone, choose],
  );
  return <ZoneContext value={state}>{children}</ZoneContext>;
}
