import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { get, type Answer } from "@/lib/client/api";
import type { ServerClock } from "@/lib/client/clock";
import { isRecord } from "@/lib/client/snapshot";

/** A list with more about it, such as its pages or counts. */
type ListBody = { data: readonly unknown[] };

/**
 * One kind of thing that is listed and changed.
 * @param key of its queries; also its address below `/api`, for `pathOf`
 * @param alsoStale keys of other lists that show something of it
 */
export function resource(key: string, alsoStale: readonly string[] = []) {
  return {
    /** The address of one of them, or of something of it: `/people/7/sessions`. */
    pathOf: (id: string, part?: string) =>
      `/${key}/${encodeURIComponent(id)}${part === undefined ? "" : `/${part}`}`,
    /**
     * The list at an address. While another page of it is on its way, the one before stays.
     * @param has names of what else the answer has to hold
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
     * Awaits a change. Whatever came of it, the lists are read again before the page says so.
     * @throws ApiError
     */
    changed: async <T>(client: QueryClient, change: Promise<Answer<T>>): Promise<T> => {
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

/** A view, and when it came: epoch milliseconds on the server's clock. */
export type Dated<View> = { view: View; receivedMs: number };

/**
 * A view that the server also sends with the page, refetched while the page is open.
 * @param path below `/api`, beginning with `/`; also the key
 * @param everyMs until it is read again, by what was read last
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
      const { value, dateMs } = await get(path, isValid, signal);
      if (dateMs !== null) clock.anchor(dateMs);
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

/** What answers a removal. */
export function isNothing(body: unknown): body is null {
  return body === null;
}
