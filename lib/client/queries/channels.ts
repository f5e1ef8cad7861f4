import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { patch, post, put, remove } from "@/lib/client/change";
import { withQuery } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { Channel, Delivery } from "@/lib/contracts/delivery";
import type { ChannelKind } from "@/lib/domain/delivery/channel";
import { isNothing, resource } from "./resource";

const EVERY_MS = 15_000;
/** Longer than the server's timeout for the receiver of the message. */
const SENDING_MS = 30_000;
const channels = resource("channels", ["rules", "deliveries"]);
const deliveries = resource("deliveries");

/** A channel to create; `settings` may contain secrets. */
export type ChannelRequest = {
  kind: ChannelKind;
  name: string;
  settings: Readonly<Record<string, string>>;
  /** Of times in its messages, an IANA name; null: that of reports. */
  time_zone: string | null;
};
/** A setting that is null is removed. */
export type ChannelChange = Partial<Pick<ChannelRequest, "name" | "time_zone">> & {
  settings?: Readonly<Record<string, string | null>>;
};
/** `secret`: the signing secret for messages, only returned here; absent if it isn't ours. */
export type MadeChannel = { data: Channel; secret?: string };
/** Result of a test; `said`: in our words. */
export type TestResult = { outcome: "accepted" | "failed" | "unknown"; said: string };
export type DeliveriesView = {
  data: Delivery[];
  meta: { page: number; total_pages: number; total_count: number };
};

/** Channels for messages. */
export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  queryFn: async ({ signal }) => (await get("/channels", isChannels, signal)).value.data,
  refetchInterval: EVERY_MS,
});

/**
 * One page of sent and waiting messages, latest first. The previous page remains while another one loads.
 * @param state limits the list; null: all
 */
export const deliveriesQuery = (state: Delivery["state"] | null, page: number) => {
  const path = withQuery("/deliveries", { page: String(page), state: state ?? undefined });
  return deliveries.list<DeliveriesView>(path, EVERY_MS, ["meta"]);
};

/** @throws ApiError */
export function makeChannel(client: QueryClient, request: ChannelRequest): Promise<MadeChannel> {
  return channels.changed(client, post("/channels", request, isMade));
}

/** Adds a channel under an id of ours; sent again, it adds no second one. @throws ApiError */
export function putChannel(
  client: QueryClient,
  id: string,
  request: ChannelRequest,
): Promise<MadeChannel> {
  return channels.changed(client, put(channels.pathOf(id), request, isMade));
}

/** @param change omitted members remain unchanged. @throws ApiError */
export function changeChannel(
  client: QueryClient,
  id: string,
  change: ChannelChange,
): Promise<unknown> {
  return channels.changed(client, patch(channels.pathOf(id), change, isRecord));
}

/** @throws ApiError; 404 if it was already removed */
export function removeChannel(client: QueryClient, id: string): Promise<unknown> {
  return channels.changed(client, remove(channels.pathOf(id), isNothing));
}

/** Sends a test message. @throws ApiError; with status 0 it may have been sent */
export function testChannel(client: QueryClient, id: string): Promise<TestResult> {
  return channels.changed(
    client,
    post(channels.pathOf(id, "test"), {}, isTestResult, undefined, SENDING_MS),
  );
}

function isChannels(body: unknown): body is { data: Channel[] } {
  return isRecord(body) && Array.isArray(body["data"]);
}

function isMade(body: unknown): body is MadeChannel {
  return isRecord(body) && isRecord(body["data"]);
}

function isTestResult(body: unknown): body is TestResult {
  return isRecord(body) && typeof body["outcome"] === "string";
}
