import { queryOptions } from "@tanstack/react-query";
import type { DeletionsView, DeletionView } from "@/lib/contracts/deletions";
import { get } from "@/lib/client/api";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";

/** While any is open. */
export const OPEN_EVERY_MS = 5000;

/** Whether it can still change. */
export function isOpen({ state }: Pick<DeletionView, "state">): boolean {
  return state === "waiting" || state === "running";
}

/** Deletions in progress, and the person's own of the last day. */
export const deletionsQuery = (company: string) =>
  queryOptions({
    queryKey: ["companies", company, "deletions"],
    queryFn: async ({ signal }) =>
      (await get(deletionsPath(company), isDeletionsView, signal)).value,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.data?.deletions.some((deletion) => deletion.is_own && isOpen(deletion)) === true ||
      (state.data !== undefined && state.data.paused !== null)
        ? OPEN_EVERY_MS
        : false,
  });

function isDeletionsView(body: unknown): body is DeletionsView {
  return isRecord(body) && Array.isArray(body["deletions"]);
}

/** The path of a company's deletions, or of one of them, below `/api`. */
export function deletionsPath(company: string, id?: string): string {
  const address = id === undefined ? "deletions" : `deletions/${encodeURIComponent(id)}`;
  return companyPath(company, address, {});
}
