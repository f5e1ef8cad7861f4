import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { createAddressAhead, type HistoryMode } from "./address-ahead";
import {
  readParam,
  textsOf,
  unreadTexts,
  type Changes,
  type Param,
  type Params,
  type StateOf,
} from "./address-params";

/** For the only address bar; on the server there are never pending changes. */
const ahead = createAddressAhead({
  where: () => window.location,
  write: (how, address) =>
    how === "push"
      ? window.history.pushState(null, "", address)
      : window.history.replaceState(null, "", address),
  nowMs: () => performance.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
});
if (typeof window !== "undefined") {
  window.addEventListener("popstate", ahead.forget);
  // Both may navigate to another page, and the router drops a navigation in progress when the address is written.
  window.addEventListener("click", ahead.flush, true);
  window.addEventListener("keydown", ({ key }) => key === "Enter" && ahead.flush(), true);
}

/** The parameters of the views on the page. */
const shown = (() => {
  const count = new Map<Params, number>();
  const listeners = new Set<() => void>();
  let all: readonly Params[] = [];
  const change = (params: Params, by: number) => {
    const amount = (count.get(params) ?? 0) + by;
    if (amount === 0) count.delete(params);
    else count.set(params, amount);
    all = [...count.keys()];
    for (const listener of listeners) listener();
  };
  return {
    add: (params: Params) => {
      change(params, 1);
      return () => change(params, -1);
    },
    all: () => all,
    listen: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
})();
const NO_PARAMS: readonly Params[] = [];

/** Parameters of these views with invalid values, such as "range=5y". */
export function useUnreadAddress(): readonly string[] {
  const search = useSearchParams();
  const all = useSyncExternalStore(shown.listen, shown.all, () => NO_PARAMS);
  return [...new Set(all.flatMap((params) => unreadTexts(params, search)))];
}

/**
 * A view's state, stored in the address, so that a link shows the same to everyone. Changes apply immediately.
 * @param params must be the same object in every render
 * @param usualHow history mode of changes, unless they override it
 */
export function useAddress<P extends Params>(params: P, usualHow: HistoryMode = "replace") {
  const search = useSearchParams();
  const pathname = usePathname();
  const names = useMemo(() => Object.keys(params), [params]);
  const onServer = () => JSON.stringify(names.map((name) => search.get(name)));
  const now = () =>
    JSON.stringify(
      names.map((name) => {
        const text = ahead.textOf(pathname, name);
        return text === undefined ? search.get(name) : text;
      }),
    );
  const texts = useSyncExternalStore(ahead.listen, now, onServer);
  useEffect(() => ahead.follow(pathname, search.toString()), [pathname, search]);
  useEffect(() => shown.add(params), [params]);
  const state = useMemo(() => {
    const all = JSON.parse(texts) as (string | null)[];
    const entries = Object.entries(params).map(
      ([name, param], at) => [name, readParam(param, all[at] ?? null)] as const,
    );
    return Object.fromEntries(entries) as StateOf<P>;
  }, [params, texts]);
  /** @param given.pauseMs how long to wait for another change before the address is written */
  const change = useCallback(
    (changes: Changes<P>, given: { how?: HistoryMode; pauseMs?: number } = {}) =>
      ahead.change(textsOf(params, changes), given.how ?? usualHow, given.pauseMs ?? 0),
    [params, usualHow],
  );
  return [state, change] as const;
}

/** One value in the address; see `useAddress`. */
export function useAddressParam<Value, Absent>(
  name: string,
  param: Param<Value, Absent>,
  usualHow: HistoryMode = "replace",
) {
  const params = useMemo(() => ({ [name]: param }), [name, param]);
  const [state, change] = useAddress(params, usualHow);
  const set = useCallback(
    (value: Value | Absent | null) => change({ [name]: value }),
    [change, name],
  );
  return [state[name] as Value | Absent, set] as const;
}
