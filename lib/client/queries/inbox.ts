import type { QueryClient } from "@tanstack/react-query";
import { post } from "@/lib/client/change";
import { withQuery } from "@/lib/client/company-path";
import type { InboxItem } from "@/lib/contracts/delivery";
import { isNothing, resource } from "./resource";

const EVERY_MS = 30_000;
const PER_PAGE = 20;
const inbox = resource("inbox");

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
export const inboxQuery = (page = 1, isAlways = false) => ({
  ...inbox.list<InboxView>(
    withQuery("/me/inbox", { page: String(page), per_page: String(PER_PAGE) }),
    EVERY_MS,
    ["meta"],
  ),
  refetchIntervalInBackground: isAlways,
});

/** Marks all items up to and including one as read, then reloads the inbox. @throws ApiError */
export async function readInbox(client: QueryClient, until: string): Promise<void> {
  await inbox.changed(client, post("/me/inbox/read", { until }, isNothing));
}
