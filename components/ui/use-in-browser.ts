import { useSyncExternalStore } from "react";

/** False on the server and while hydrating, then true: what only the browser draws begins there. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(never, inBrowser, onServer);
}

const never = () => () => {};
const inBrowser = () => true;
const onServer = () => false;
