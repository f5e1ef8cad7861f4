import { queryOptions } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { companyPath, withQuery } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { AllChangesView, ChangesView, LastLook } from "@/lib/contracts/changes";

const EVERY_MS = 60_000;
/** Longer, because for hundreds of companies it takes the server half a second. */
const ALL_EVERY_MS = 3 * EVERY_MS;

/** The address of the last visit. @param company its slug; null: the list of all companies */
export function lastLookPath(company: string | null): string {
  return company === null ? "/me/last-look" : companyPath(company, "last-look", {});
}

/** Time of the previous visit; it doesn't change during a visit. */
export const lastLookQuery = (company: string | null) => {
  const path = lastLookPath(company);
  return queryOptions({
    queryKey: ["last-look", path],
    queryFn: async ({ signal }) => (await get(path, isLastLook, signal)).value,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.data === undefined ? EVERY_MS : false),
  });
};

/** Changes of a company. @param since ISO 8601 */
export const changesQuery = (company: string, since: string) => {
  const path = companyPath(company, "changes", { since });
  return queryOptions({
    queryKey: ["changes", path],
    queryFn: async ({ signal }) => (await get(path, isChangesView, signal)).value,
    refetchInterval: EVERY_MS,
  });
};

/** Numbers of changes, for all visible companies. */
export const allChangesQuery = (since: string) => {
  const path = withQuery("/changes", { since });
  return queryOptions({
    queryKey: ["changes", path],
    queryFn: async ({ signal }) => (await get(path, isAllChangesView, signal)).value,
    refetchInterval: ALL_EVERY_MS,
  });
};

/**
 * Stores that the page was viewed until now; also works while it is closing. If it fails, the next visit repeats these
 * changes.
 */
export function recordLook(company: string | null): void {
  void fetch(`/api${lastLookPath(company)}`, {
    method: "PUT",
    keepalive: true,
    credentials: "same-origin",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  }).catch(() => undefined);
}

function isLastLook(body: unknown): body is LastLook {
  return isRecord(body) && typeof body["since"] === "string";
}

function isChangesView(body: unknown): body is ChangesView {
  // During an update, an earlier version may still respond without the verdicts: reject that.
  return (
    isRecord(body) &&
    Array.isArray(body["began"]) &&
    Array.isArray(body["otherwise"]) &&
    typeof body["api_clock_offset_ms"] === "number"
  );
}

function isAllChangesView(body: unknown): body is AllChangesView {
  if (!isRecord(body) || !("unchanged_count" in body)) return false;
  const { companies } = body;
  const isWhole = (one: unknown) => isRecord(one) && "became_unknown" in one;
  return Array.isArray(companies) && companies.every(isWhole);
}
