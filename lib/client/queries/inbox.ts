import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { post } from "@/lib/client/change";
import { withQuery } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { InboxItem } from "@/lib/contracts/delivery";

const EVERY_MS = 30_000;
const PER_PAGE = 20;

/** `unread`: on all pages. */
export type InboxView = {
  data: InboxItem[];
  unread: number;
  meta: { page: number; total_pages: number; total_count: number };
};

/**
 * One page of the person's own messages, latest first. The previous page remains while another one loads.
 * @param isAlways also refetches while the page is hidden
 */
export const inboxQuery = (page = 1, isAlways = false) =>
  queryOptions({
    queryKey: ["inbox", page],
    queryFn: async ({ signal }) => {
      const path = withQuery("/me/inbox", { page: String(page), per_page: String(PER_PAGE) });
      return (await get(path, isInbox, signal)).value;
    },
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: isAlways,
  });

/** Marks all items up to and including one as read, then reloads the inbox. @throws ApiError */
export async function readInbox(client: QueryClient, until: string): Promise<void> {
  try {
    await post("/me/inbox/read", { until }, isNothing);
  } finally {
    await client.invalidateQueries({ queryKey: ["inbox"] });
  }
}

function isInbox(body: unknown): body is InboxView {
  return isRecord(body) && Array.isArray(body["data"]) && typeof body["unread"] === "number";
}

function isNothing(body: unknown): body is null {
  return body === null;
}
