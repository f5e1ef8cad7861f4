import { useSyncExternalStore } from "react";

const never = () => () => {};
const NONE: readonly string[] = [];
let known: readonly string[] | null = null;

/** The zones that this browser knows; none while the page is made, since the server may know others. */
export function useTimeZones(): readonly string[] {
  return useSyncExternalStore(never, browserZones, () => NONE);
}

function browserZones(): readonly string[] {
  known ??= Intl.supportedValuesOf("timeZone");
  return known;
}
