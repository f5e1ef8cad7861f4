import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { get, post, remove } from "@/lib/client/api";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { ExpectationRequest, ExpectationsView } from "@/lib/contracts/quiet";

const EVERY_MS = 20_000;
/** As many as a company has at most. */
const ALL = "200";

/** The planned quiet times of a company that aren't over. */
export const quietQuery = (company: string) => {
  const path = companyPath(company, "expectations", { per_page: ALL });
  return queryOptions({
    queryKey: ["quiet", path],
    queryFn: async ({ signal }) => (await get(path, isExpectationsView, signal)).value,
    refetchInterval: EVERY_MS,
  });
};

/** Plans one; whatever came of it, they are read again. @throws ApiError; 409 when there are too many */
export async function planQuiet(
  client: QueryClient,
  company: string,
  asked: ExpectationRequest,
): Promise<void> {
  await andRead(client, post(companyPath(company, "expectations", {}), asked, isRecord));
}

/** Ends one now; whatever came of it, they are read again. @throws ApiError */
export async function endQuiet(client: QueryClient, company: string, id: string): Promise<void> {
  const path = companyPath(company, `expectations/${encodeURIComponent(id)}`, {});
  await andRead(
    client,
    remove(path, (body) => body === null),
  );
}

async function andRead(client: QueryClient, change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } finally {
    await client.invalidateQueries({ queryKey: ["quiet"] });
  }
}

function isExpectationsView(body: unknown): body is ExpectationsView {
  return isRecord(body) && Array.isArray(body["data"]) && isRecord(body["meta"]);
}
