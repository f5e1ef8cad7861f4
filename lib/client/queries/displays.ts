import type { QueryClient } from "@tanstack/react-query";
import { patch, post } from "@/lib/client/change";
import type { ServerClock } from "@/lib/client/clock";
import type { DisplaySettings, DisplaysView, PairingRequest } from "@/lib/contracts/wall";
import { isRecord } from "@/lib/client/snapshot";
import { datedQuery, resource } from "./resource";

/** Often enough to see a screen connect after pairing; only while the page is visible. */
const EVERY_MS = 10_000;
const displays = resource("displays");

/** All displays. */
export const displaysQuery = (clock: ServerClock) =>
  datedQuery("/displays", clock, isDisplaysView, () => EVERY_MS);

/**
 * Pairs the screen that shows the code.
 * @throws ApiError; 404 if no screen is waiting with this code, 429 after too many wrong ones, and with status 0 it may
 *   still have been paired
 */
export async function pairDisplay(client: QueryClient, request: PairingRequest): Promise<void> {
  await displays.changed(client, post("/displays", request, isRecord));
}

/** @throws ApiError; 404 if the display doesn't exist any more */
export async function changeDisplay(
  client: QueryClient,
  id: string,
  settings: DisplaySettings,
): Promise<void> {
  await displays.changed(client, patch(displays.pathOf(id), settings, isRecord));
}

/** Makes the screen reload its page. @throws ApiError */
export async function reloadDisplay(client: QueryClient, id: string): Promise<void> {
  await displays.changed(client, post(displays.pathOf(id, "reload"), {}, isRecord));
}

/** Unpairs the screen permanently. @throws ApiError */
export async function revokeDisplay(client: QueryClient, id: string): Promise<void> {
  await displays.changed(client, post(displays.pathOf(id, "revoke"), {}, isRecord));
}

function isDisplaysView(body: unknown): body is DisplaysView {
  return isRecord(body) && Array.isArray(body["displays"]) && typeof body["build"] === "string";
}
