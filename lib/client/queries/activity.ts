import { queryOptions } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { companyPath, withQuery } from "@/lib/client/company-path";
import type { ActivityEntry, ActivityView } from "@/lib/contracts/activity";
import { isFinal } from "@/lib/domain/deletion";
import { isRecord } from "@/lib/client/snapshot";

/** Poll often while an action is in progress, and less often for new actions of others. */
const UNSETTLED_EVERY_MS = 3_000;
const SETTLED_EVERY_MS = 30_000;

/** Filters of the log; omitted ones don't filter. Instants are ISO 8601. */
export type ActivitySelection = {
  q?: string | undefined;
  outcome?: string | undefined;
  /** E-mail address. */
  person?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
};

/** Whether the outcome of an action can still change. */
export function isUnsettled({ kind, outcome }: ActivityEntry): boolean {
  return kind === "file-deletion" && !isFinal(outcome);
}

/** @param company its slug; null: actions that aren't about a single company */
function activityPath(
  company: string | null,
  what: "activity" | "activity/csv",
  query: Readonly<Record<string, string | undefined>>,
): string {
  return company === null ? withQuery(`/${what}`, query) : companyPath(company, what, query);
}

/** One page of the activity log. */
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

/** The address of the CSV download of all filtered entries. */
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
