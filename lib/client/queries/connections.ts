import { post } from "@/lib/client/change";
import type { ServerClock } from "@/lib/client/clock";
import type { ConnectionCheck, ConnectionsView } from "@/lib/contracts/connections";
import { isRecord } from "@/lib/client/snapshot";
import { datedQuery } from "./resource";

/** Only while the page is visible. */
const EVERY_MS = 10_000;
const SOONEST_MS = 1_000;
/** Two requests to another server take longer than any request to ours. */
const CHECK_TIMEOUT_MS = 30_000;

/** All connections. */
export const connectionsQuery = (clock: ServerClock) =>
  datedQuery("/connections", clock, isConnectionsView, (last) => {
    // If the list were refetched less often than its connections are checked, they would look delayed.
    const rhythms = last?.data.map(({ rhythm_seconds: seconds }) => seconds * 1000) ?? [];
    return Math.max(SOONEST_MS, Math.min(EVERY_MS, ...rhythms));
  });

/** Checks a company's API once, now. @throws ApiError; 429 if it was just checked */
export async function checkConnection(slug: string): Promise<ConnectionCheck> {
  const path = `/connections/${encodeURIComponent(slug)}/check`;
  const { value } = await post(path, {}, isCheck, undefined, CHECK_TIMEOUT_MS);
  return value;
}

function isConnectionsView(body: unknown): body is ConnectionsView {
  return isRecord(body) && Array.isArray(body["data"]) && isRecord(body["meta"]);
}

function isCheck(body: unknown): body is ConnectionCheck {
  return isRecord(body) && typeof body["reached"] === "string";
}
