import { queryOptions } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { ExpectationsView } from "@/lib/contracts/quiet";

const EVERY_MS = 20_000;
/** Maximum per company. */
const ALL = "200";

/** The current and future planned quiet times of a company. */
export const quietQuery = (company: string) => {
  const path = companyPath(company, "expectations", { per_page: ALL });
  return queryOptions({
    queryKey: ["quiet", path],
    queryFn: async ({ signal }) => (await get(path, isExpectationsView, signal)).value,
    refetchInterval: EVERY_MS,
  });
};

function isExpectationsView(body: unknown): body is ExpectationsView {
  return isRecord(body) && Array.isArray(body["data"]) && isRecord(body["meta"]);
}
