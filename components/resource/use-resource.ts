import type { FormProblem } from "@/components/ui/form/field-problem";
import { useQuery, useQueryClient, type UseQueryOptions } from "@tanstack/react-query";
import { useState } from "react";
import { useDebouncedValue } from "@/components/list/use-debounced-value";
import { refusedFor, type Refused } from "@/components/session/refused";
import type { Changes, Param, Params, StateOf } from "@/lib/client/address/address-params";
import type { Dated } from "@/lib/client/queries/resource";
import { useAddress } from "@/lib/client/address/use-address";

/**
 * State of a resource's page: its list, the open dialog, and changes.
 * @param problemOf message for a failed change
 * @param first the initially open dialog; null: none
 * @returns `attempt` runs a change, then opens the dialog it resolves to, if any; a failure keeps the current one open
 */
export function useResource<View, Key extends readonly unknown[], Dialog>(
  query: UseQueryOptions<View, Error, View, Key>,
  problemOf: (error: unknown) => string,
  first: Dialog | null,
) {
  const client = useQueryClient();
  const { data, isError } = useQuery(query);
  const [dialog, setDialog] = useState(first);
  const attempt = async (
    change: () => Promise<Dialog | null | void>,
    problem: (error: unknown) => FormProblem = problemOf,
  ): Promise<Refused | null> => {
    try {
      setDialog((await change()) ?? null);
      return null;
    } catch (error) {
      return refusedFor(error, problem);
    }
  };
  return { client, data, isError, dialog, open: setDialog, close: () => setDialog(null), attempt };
}

/**
 * The newer of the view sent with the page and the view fetched since.
 * @returns with `isError`: the last fetch failed
 */
export function useLatest<View, Key extends readonly unknown[]>(
  query: UseQueryOptions<Dated<View>, Error, Dated<View>, Key>,
  first: Dated<View>,
): Dated<View> & { isError: boolean } {
  const { data, isError } = useQuery(query);
  const isLater = data !== undefined && data.receivedMs >= first.receivedMs;
  return { ...(isLater ? data : first), isError };
}

const TYPED_MS = 250;

/** Address parameters of every searchable, paged list. */
type ListParams = Params & { q: Param<string, string>; page: Param<number, number> };

/**
 * Search, filters and page of a list, kept in the address. A new search or filter starts at the first page.
 * @returns `state` as typed; `requested`: debounced
 */
export function useListAddress<P extends ListParams>(params: P) {
  const [state, setState] = useAddress(params, "push");
  const narrow = (changes: Changes<P>, how?: "replace") =>
    setState({ ...changes, page: 1 }, how === undefined ? {} : { how });
  const { q, page } = state as { q: string; page: number };
  const requested: StateOf<P> = {
    ...state,
    q: useDebouncedValue(q.trim(), TYPED_MS),
    page: Math.max(1, page),
  };
  return {
    state,
    requested,
    narrow,
    onType: (text: string) => narrow({ q: text } as Changes<P>, "replace"),
    onPage: (to: number) => setState({ page: to } as Changes<P>),
  };
}
