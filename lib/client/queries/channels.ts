import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import { get, type Answer } from "@/lib/client/api";
import { patch, post, remove } from "@/lib/client/change";
import { withQuery } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { Channel, Delivery } from "@/lib/contracts/delivery";
import type { ChannelKind } from "@/lib/domain/delivery/channel";

const EVERY_MS = 15_000;
/** Longer than the server waits for whoever the message is sent to. */
const SENDING_MS = 30_000;

/** A channel as it is asked for; `settings` may hold secrets. */
export type ChannelRequest = {
  kind: ChannelKind;
  name: string;
  settings: Readonly<Record<string, string>>;
};
export type ChannelChange = Partial<Pick<ChannelRequest, "name" | "settings">>;
/** `secret`: with what messages are signed, told only here; absent where it isn't ours. */
export type MadeChannel = { data: Channel; secret?: string };
/** What came of a test; `said`: in our words. */
export type TestResult = { outcome: "accepted" | "failed" | "unknown"; said: string };
export type DeliveriesView = {
  data: Delivery[];
  meta: { page: number; total_pages: number; total_count: number };
};

/** Where messages can be sent. */
export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: async ({ signal }) => (await get("/channels", isChannels, signal)).value.data,
  refetchInterval: EVERY_MS,
});

/**
 * One page of what was sent and what waits, the latest first. While another is on its way, the one before stays.
 * @param state only those; null: all
 */
export const deliveriesQuery = (state: Delivery["state"] | null, page: number) => {
  const path = withQuery("/deliveries", { page: String(page), state: state ?? undefined });
  return queryOptions({
    queryKey: ["deliveries", path],
    queryFn: async ({ signal }) => (await get(path, isDeliveries, signal)).value,
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
};

/** @throws ApiError */
export function makeChannel(client: QueryClient, request: ChannelRequest): Promise<MadeChannel> {
  return andRead(client, post("/channels", request, isMade));
}

/** @param change what isn't in it stays. @throws ApiError */
export function changeChannel(
  client: QueryClient,
  id: string,
  change: ChannelChange,
): Promise<unknown> {
  return andRead(client, patch(pathOf(id), change, isRecord));
}

/** @throws ApiError; 404 when it had gone before */
export function removeChannel(client: QueryClient, id: string): Promise<unknown> {
  return andRead(client, remove(pathOf(id), isNothing));
}

/** Sends a message that says that it is a test. @throws ApiError; with status 0 it may have been sent */
export function testChannel(client: QueryClient, id: string): Promise<TestResult> {
  return andRead(client, post(`${pathOf(id)}/test`, {}, isTestResult, undefined, SENDING_MS));
}

/** Whatever came of it, the lists are read again before anything is said. */
async function andRead<T>(client: QueryClient, change: Promise<Answer<T>>): Promise<T> {
  try {
    return (await change).value;
  } finally {
    await Promise.all(
      ["channels", "rules", "deliveries"].map((key) =>
        client.invalidateQueries({ queryKey: [key] }),
      ),
    );
  }
}

function isChannels(body: unknown): body is { data: Channel[] } {
  return isRecord(body) && Array.isArray(body["data"]);
}

function isDeliveries(body: unknown): body is DeliveriesView {
  return isRecord(body) && Array.isArray(body["data"]) && isRecord(body["meta"]);
}

function isMade(body: unknown): body is MadeChannel {
  return isRecord(body) && isRecord(body["data"]);
}

function isTestResult(body: unknown): body is TestResult {
  return isRecord(body) && typeof body["outcome"] === "string";
}

function isNothing(body: unknown): body is null {
  return body === null;
}

function pathOf(id: string): string {
  return `/channels/${encodeURIComponent(id)}`;
}
