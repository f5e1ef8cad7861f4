import { queryOptions } from "@tanstack/react-query";
import type { BoardHistory } from "@/lib/contracts/history";
import { get } from "@/lib/client/api";
import { companyPath } from "@/lib/client/company-path";

/** The history grows slowly; current data comes with the snapshot. */
const BOARD_EVERY_MS = 5 * 60_000;

/** Strips and sparklines of every endpoint, 24 hours. */
export const boardHistoryQuery = (company: string) =>
  history<BoardHistory>(company, "history", { range: "24h" }, "endpoints", BOARD_EVERY_MS);

/**
 * Recorded history of a company.
 * @param member an array that the response must contain: a basic check of its shape
 * @param everyMs refetch interval; null: never
 */
export function history<T>(
  company: string,
  address: string,
  query: Readonly<Record<string, string | undefined>>,
  member: string,
  everyMs: number | null,
) {
  const path = companyPath(company, address, query);
  const isAnswer = (body: unknown): body is T =>
    typeof body === "object" &&
    body !== null &&
    Array.isArray((body as Record<string, unknown>)[member]);
  return queryOptions({
    queryKey: ["companies", company, "history", path],
    queryFn: async ({ signal }): Promise<T> => (await get(path, isAnswer, signal)).value,
    staleTime: everyMs ?? Number.POSITIVE_INFINITY,
    refetchInterval: everyMs ?? false,
    refetchOnWindowFocus: everyMs !== null,
    refetchOnReconnect: everyMs !== null,
  });
}
