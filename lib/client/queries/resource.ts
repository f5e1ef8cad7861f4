import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { get, type ApiResponse } from "@/lib/client/api";
import type { ServerClock } from "@/lib/client/clock";
import { isRecord } from "@/lib/client/snapshot";

/** A list, which may come with pages or counts. */
type ListBody = { data: readonly unknown[] };

/**
 * Queries and changes of one resource.
 * @param key first part of its query keys; also its address below `/api`, for `pathOf`
 * @param alsoStale query keys of other lists that depend on it
 */
export function resource(key: string, alsoStale: readonly string[] = []) {
  return {
    /** The address of one item, or of a part of it: `/people/7/sessions`. */
    pathOf: (id: string, part?: string) =>
      `/${key}/${encodeURIComponent(id)}${part === undefined ? "" : `/${part}`}`,
    /**
     * One page of the list. The previous page remains while another one loads.
     * @param has other members that the response must have
     */
    list: <View extends ListBody>(address: string, everyMs: number, has: (keyof View)[] = []) =>
      queryOptions({
        queryKey: [key, address],
        queryFn: async ({ signal }) =>
          (await get(address, (body): body is View => isList(body, has), signal)).value,
        placeholderData: keepPreviousData,
        refetchInterval: everyMs,
      }),
    /**
     * Awaits a change, then reloads the lists, whether or not the change succeeded.
     * @throws ApiError
     */
    changed: async <T>(client: QueryClient, change: Promise<ApiResponse<T>>): Promise<T> => {
      try {
        return (await change).value;
      } finally {
        await Promise.all(
          [key, ...alsoStale].map((one) => client.invalidateQueries({ queryKey: [one] })),
        );
      }
    },
  };
}

/** A view, and when it was received: epoch milliseconds on the server's clock. */
export type Dated<View> = { view: View; receivedMs: number };

/**
 * A view that the server also sends with the page, refetched while the page is open.
 * @param path below `/api`, beginning with `/`; also the key
 * @param everyMs interval between refetches, given the last view
 */
export const datedQuery = <View>(
  path: `/${string}`,
  clock: ServerClock,
  isValid: (body: unknown) => body is View,
  everyMs: (last: View | undefined) => number,
) =>
  queryOptions({
    queryKey: [path.slice(1)],
    queryFn: async ({ signal }): Promise<Dated<View>> => {
      const { value, serverTime } = await get(path, isValid, signal);
      clock.anchor(serverTime);
      return { view: value, receivedMs: clock.nowMs() };
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => everyMs(state.data?.view),
  });

function isList(body: unknown, has: readonly PropertyKey[]): boolean {
  return (
    isRecord(body) &&
    Array.isArray(body["data"]) &&
    has.every((name) => isRecord(body[String(name)]))
  );
}

/** The body of a 204 response. */
export function isNothing(body: unknown): body is null {
  return body === null;
}
