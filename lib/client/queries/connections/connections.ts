import type { QueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { ApiError } from "@/lib/client/api";
import { patch, post, remove } from "@/lib/client/change";
import type { ServerClock } from "@/lib/client/clock";
import { datedQuery, isNothing, resource } from "@/lib/client/queries/resource";
import { isRecord } from "@/lib/client/snapshot";
import type {
  CheckStep,
  Connected,
  ConnectionChange,
  ConnectionCheck,
  ConnectionsView,
  ConnectRequest,
  Imported,
} from "@/lib/contracts/connections";

/** Only while the page is visible. */
const EVERY_MS = 10_000;
const SOONEST_MS = 1_000;
/** Two requests to another server take longer than any request to ours. */
const CHECK_TIMEOUT_MS = 30_000;
/** A check of all steps waits for every request to a slow API. */
const STEPS_TIMEOUT_MS = 120_000;
const connections = resource("connections", ["companies", "today"]);

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

/**
 * Checks a company's API and saves its connection.
 * @throws ApiError; 422 has `failedSteps`
 */
export function connect(
  client: QueryClient,
  request: z.input<typeof ConnectRequest>,
): Promise<Connected> {
  return connections.changed(
    client,
    post("/connections", request, isConnected, undefined, STEPS_TIMEOUT_MS),
  );
}

/**
 * Changes a connection made in a browser; new credentials are checked first.
 * @throws ApiError; 422 has `failedSteps`
 */
export function changeConnection(
  client: QueryClient,
  slug: string,
  change: z.input<typeof ConnectionChange>,
): Promise<unknown> {
  return connections.changed(
    client,
    patch(connections.pathOf(slug), change, isRecord, STEPS_TIMEOUT_MS),
  );
}

/** @throws ApiError; 404 if it was already removed */
export function removeConnection(client: QueryClient, slug: string): Promise<unknown> {
  return connections.changed(
    client,
    remove(connections.pathOf(slug), (body): body is unknown => isNothing(body) || isRecord(body)),
  );
}

/**
 * Connects the companies of a file.
 * @param request.dry_run only says what would happen
 * @throws ApiError
 */
export function importConnections(
  client: QueryClient,
  request: { dry_run: boolean; rows: readonly unknown[]; lines?: readonly number[] },
): Promise<Imported> {
  const imported = post("/connections/import", request, isImported, undefined, STEPS_TIMEOUT_MS);
  return request.dry_run
    ? imported.then(({ value }) => value)
    : connections.changed(client, imported);
}

/** The steps of the failed check that a change was refused for; null: it was refused for another reason. */
export function failedSteps(error: unknown): readonly CheckStep[] | null {
  if (!(error instanceof ApiError) || error.code !== "check_failed") return null;
  const { body } = error;
  return isRecord(body) && Array.isArray(body["steps"]) ? (body["steps"] as CheckStep[]) : null;
}

function isConnectionsView(body: unknown): body is ConnectionsView {
  if (!isRecord(body) || !Array.isArray(body["data"]) || !isRecord(body["meta"])) return false;
  // An instance of the version before doesn't send it.
  return isRecord(body["meta"]["capacity"]);
}

function isCheck(body: unknown): body is ConnectionCheck {
  return isRecord(body) && typeof body["reached"] === "string";
}

function isConnected(body: unknown): body is Connected {
  return isRecord(body) && typeof body["slug"] === "string";
}

function isImported(body: unknown): body is Imported {
  return isRecord(body) && Array.isArray(body["data"]);
}
