import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { put } from "@/lib/client/change";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { LearnedWeekSwitch } from "@/lib/contracts/endpoint/learned-week";

const KEY = "learned-week";
const pathOf = (company: string, endpointId: string) =>
  companyPath(company, `endpoints/${encodeURIComponent(endpointId)}/learned-week`, {});

/** Whether the week of an endpoint is learned. */
export const learnedWeekQuery = (company: string, endpointId: string) =>
  queryOptions({
    queryKey: [KEY, company, endpointId],
    queryFn: async ({ signal }) =>
      (await get(pathOf(company, endpointId), isLearnedWeekSwitch, signal)).value,
  });

/** Switches it on or off. @throws ApiError */
export async function switchLearnedWeek(
  client: QueryClient,
  company: string,
  endpointId: string,
  on: boolean,
): Promise<void> {
  const { value } = await put(pathOf(company, endpointId), { on }, isLearnedWeekSwitch);
  client.setQueryData(learnedWeekQuery(company, endpointId).queryKey, value);
}

function isLearnedWeekSwitch(body: unknown): body is LearnedWeekSwitch {
  return isRecord(body) && typeof body["on"] === "boolean";
}
