import { queryOptions } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { companyPath, withQuery } from "@/lib/client/company-path";
import type { ActivityEntry, ActivityView } from "@/lib/contracts/activity";
import { isFinal } from "@/lib/domain/deletion";
import { isRecord } from "@/lib/client/snapshot";

/** While something is under way each step of it shows soon; else what others did shows in a while. */
const UNSETTLED_EVERY_MS = 3_000;
const SETTLED_EVERY_MS = 30_000;

/** What the log is narrowed to; what is not given does not narrow. Instants are ISO 8601. */
export type ActivitySelection = {
  q?: string | undefined;
  outcome?: string | undefined;
  /** E-mail address. */
  person?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
};

/** Whether something more will be said of an action. */
export function isUnsettled({ kind, outcome }: ActivityEntry): boolean {
  return kind === "file-deletion" && !isFinal(outcome);
}

/** @param company its slug; null: what concerns no single company */
function activityPath(
  company: string | null,
  what: "activity" | "activity/csv",
  query: Readonly<Record<string, string | undefined>>,
): string {
  return company === null ? withQuery(`/${what}`, query) : companyPath(company, what, query);
}

/** One page of what people did. */
export const activityQuery = (
  company: string | null,
  selection: ActivitySelection,
  { page, perPage }: { page: number; perPage: number },
) => {
  const path = activityPath(company, "activity", {
    ...selection,
    page: String(page),
    per_page: String(perPage),
  });
  return queryOptions({
    queryKey: company === null ? ["activity", path] : ["companies", company, "activity", path],
    queryFn: async ({ signal }) => (await get(path, isActivityView, signal)).value,
    refetchInterval: ({ state }) =>
      state.data?.data.some(isUnsettled) === true ? UNSETTLED_EVERY_MS : SETTLED_EVERY_MS,
  });
};

/** The address of the download of all that is selected. */
export function activityCsvPath(company: string | null, selection: ActivitySelection): string {
  return `/api${activityPath(company, "activity/csv", selection)}`;
}

function isActivityView(body: unknown): body is ActivityView {
  return (
    isRecord(body) &&
    Array.isArray(body["data"]) &&
    Array.isArray(body["people"]) &&
    isRecord(body["meta"])
  );
}
