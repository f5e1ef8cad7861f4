import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { patch, post } from "@/lib/client/change";
import type { ServerClock } from "@/lib/client/clock";
import type { DisplaySettings, DisplaysView, PairingRequest } from "@/lib/contracts/wall";
import { isRecord } from "@/lib/client/snapshot";

/** Often enough to see a screen connect after pairing; only while the page is visible. */
const EVERY_MS = 10_000;

/** All displays, and `receivedMs`: when the list was received, epoch milliseconds on the server's clock. */
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
 * Pairs the screen that shows the code.
 * @throws ApiError; 404 if no screen is waiting with this code, 429 after too many wrong ones, and with status 0 it may
 *   still have been paired
 */
export async function pairDisplay(client: QueryClient, request: PairingRequest): Promise<void> {
  await andRead(client, post("/displays", request, isRecord));
}

/** @throws ApiError; 404 if the display doesn't exist any more */
export async function changeDisplay(
  client: QueryClient,
  id: string,
  settings: DisplaySettings,
): Promise<void> {
  await andRead(client, patch(pathOf(id), settings, isRecord));
}

/** Makes the screen reload its page. @throws ApiError */
export async function reloadDisplay(client: QueryClient, id: string): Promise<void> {
  await andRead(client, post(`${pathOf(id)}/reload`, {}, isRecord));
}

/** Unpairs the screen permanently. @throws ApiError */
export async function revokeDisplay(client: QueryClient, id: string): Promise<void> {
  await andRead(client, post(`${pathOf(id)}/revoke`, {}, isRecord));
}

/** Awaits a change, then reloads the list, whether or not the change succeeded. */
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
