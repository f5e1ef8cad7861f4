import type { QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";

/**
 * A list whose ETag comes with other responses too. `etag`: of the response that it is from; null: unknown.
 * `isConfirmed`: another response said that it is still the same.
 */
export type Tagged<View> = { view: View; etag: string | null; isConfirmed: boolean };

/** More than between two requests for a snapshot that is read every 20 s, which confirms the list. */
const SLACK_MS = 2_500;

/** @param path below `/api` @throws ApiError */
export async function getTagged<View>(
  path: string,
  isValid: (body: unknown) => body is View,
  signal: AbortSignal,
): Promise<Tagged<View>> {
  const { value, header } = await get(path, isValid, signal);
  return { view: value, etag: header("etag"), isConfirmed: false };
}

/** For `refetchInterval`: a list that was confirmed a moment ago isn't requested before it could be confirmed again. */
export const taggedInterval =
  (everyMs: number) =>
  ({ state }: { state: { data: Tagged<unknown> | undefined } }): number =>
    everyMs + (state.data?.isConfirmed === true ? SLACK_MS : 0);

/** A list that came without an ETag. */
export const untagged = <View>(view: View): Tagged<View> => ({
  view,
  etag: null,
  isConfirmed: false,
});

/** For `select`. */
export const viewOf = <View>({ view }: Tagged<View>): View => view;

/**
 * Confirms a list, or requests it if it has changed. Does nothing before its first response.
 * @param etag of the list as of now; null or empty: unknown
 */
export function follow(
  client: QueryClient,
  queryKey: readonly unknown[],
  etag: string | null,
): void {
  const known = client.getQueryData<Tagged<unknown>>(queryKey);
  if (known === undefined || etag === null || etag === "") return;
  if (known.etag === etag) client.setQueryData(queryKey, { ...known, isConfirmed: true });
  else void client.invalidateQueries({ queryKey, exact: true });
}
