import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { post } from "@/lib/client/change";
import { isRecord } from "@/lib/client/snapshot";
import type { Handover, HandoverDone, HandoverView } from "@/lib/contracts/incidents";
import { COMPANIES } from "./companies";

const PATH = "/me/handover";

/** What I can hand over, and to whom; refetched each time the dialog opens. */
export const handoverQuery = () =>
  queryOptions({
    queryKey: ["incidents", PATH],
    queryFn: async ({ signal }) => (await get(PATH, isHandoverView, signal)).value,
    gcTime: 0,
  });

/** Hands over; incidents are reloaded whether or not it succeeded. @throws ApiError */
export async function handOver(client: QueryClient, handover: Handover): Promise<HandoverDone> {
  try {
    return (await post(PATH, handover, isHandoverDone)).value;
  } finally {
    void client.invalidateQueries(COMPANIES);
    void client.invalidateQueries({ queryKey: ["incidents"] });
  }
}

function isHandoverView(body: unknown): body is HandoverView {
  return isRecord(body) && Array.isArray(body["companies"]) && Array.isArray(body["people"]);
}

function isHandoverDone(body: unknown): body is HandoverDone {
  return isRecord(body) && isRecord(body["to"]) && Array.isArray(body["companies"]);
}
