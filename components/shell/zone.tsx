"use client";

import { createContext, useContext, useEffect, useSyncExternalStore, type ReactNode } from "react";
import { browserZone, rememberZone } from "@/lib/client/preferences";

const ZoneContext = createContext("UTC");

/** The time zone in which absolute times are written; every one of them names it. */
export const useZone = () => useContext(ZoneContext);

const never = () => () => {};

/** `serverZone`: what the server wrote in, from the cookie of an earlier visit. */
export function ZoneProvider({
  serverZone,
  children,
}: {
  serverZone: string;
  children: ReactNode;
}) {
  const zone = useSyncExternalStore(never, browserZone, () => serverZone);
  useEffect(() => {
    if (zone !== serverZone) rememberZone(zone);
  }, [zone, serverZone]);
  return <ZoneContext value={zone}>{children}</ZoneContext>;
}
