import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { post, remove } from "@/lib/client/change";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import { OPEN_LISTS } from "@/lib/contracts/lists/open-lists";
import type { ExpectationRequest, ExpectationsView } from "@/lib/contracts/quiet";
import { isNothing, resource } from "./resource";
import { getTagged, taggedInterval, viewOf } from "./views/tagged";

const EVERY_MS = 20_000;
const quiet = resource("quiet");

/** The current and future planned quiet times of a company; its snapshot tells when they change. */
export const quietQuery = (company: string) => {
  const path = companyPath(company, "expectations", OPEN_LISTS.quiet.query);
  return queryOptions({
    queryKey: ["quiet", path],
    queryFn: ({ signal }) => getTagged(path, isExpectationsView, signal),
    select: viewOf<ExpectationsView>,
    refetchInterval: taggedInterval(EVERY_MS),
  });
};

/** Plans a quiet time; the list is reloaded whether or not it succeeded. @throws ApiError; 409 if there are too many */
export async function planQuiet(
  client: QueryClient,
  company: string,
  request: ExpectationRequest,
): Promise<void> {
  await quiet.changed(client, post(companyPath(company, "expectations", {}), request, isRecord));
}

/** Ends a quiet time now; the list is reloaded whether or not it succeeded. @throws ApiError */
export async function endQuiet(client: QueryClient, company: string, id: string): Promise<void> {
  const path = companyPath(company, `expectations/${encodeURIComponent(id)}`, {});
  await quiet.changed(client, remove(path, isNothing));
}

function isExpectationsView(body: unknown): body is ExpectationsView {
  return isRecord(body) && Array.isArray(body["data"]) && isRecord(body["meta"]);
}
