import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { patch, post } from "@/lib/client/change";
import type { ServerClock } from "@/lib/client/clock";
import type { DisplaySettings, DisplaysView, PairingRequest } from "@/lib/contracts/wall";
import { isRecord } from "@/lib/client/snapshot";

/** Often enough to see a screen connect after pairing; only while somebody looks. */
const EVERY_MS = 10_000;

/** All displays, and `receivedMs`: when the list came, epoch milliseconds on the server's clock. */
export const displaysQuery = (clock: ServerClock) =>
  queryOptions({
    queryKey: ["displays"],
    queryFn: async ({ signal }) => {
      const { value, dateMs } = await get("/displays", isDisplaysView, signal);
      if (dateMs !== null) clock.anchor(dateMs);
      return { view: value, receivedMs: clock.nowMs() };
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: EVERY_MS,
  });

/**
 * Gives the screen that shows the code what it may show.
 * @throws ApiError; 404 when no screen waits with this code, 429 after too many wrong ones, and with
 * status 0 it may have been paired all the same
 */
export async function pairDisplay(client: QueryClient, request: PairingRequest): Promise<void> {
  await andRead(client, post("/displays", request, isRecord));
}

/** @throws ApiError; 404 when there is no such display any more */
export async function changeDisplay(
  client: QueryClient,
  id: string,
  settings: DisplaySettings,
): Promise<void> {
  await andRead(client, patch(pathOf(id), settings, isRecord));
}

/** Asks the screen to load its page again. @throws ApiError */
export async function reloadDisplay(client: QueryClient, id: string): Promise<void> {
  await andRead(client, post(`${pathOf(id)}/reload`, {}, isRecord));
}

/** Takes back what the screen may read, for good. @throws ApiError */
export async function revokeDisplay(client: QueryClient, id: string): Promise<void> {
  await andRead(client, post(`${pathOf(id)}/revoke`, {}, isRecord));
}

/** Whatever came of it, the list is read again before anything is said. */
async function andRead(client: QueryClient, change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } finally {
    await client.invalidateQueries({ queryKey: ["displays"] });
  }
}

function isDisplaysView(body: unknown): body is DisplaysView {
  return isRecord(body) && Array.isArray(body["displays"]) && typeof body["build"] === "string";
}

function pathOf(id: string): string {
  return `/displays/${encodeURIComponent(id)}`;
}
