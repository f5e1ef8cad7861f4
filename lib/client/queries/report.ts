import { queryOptions } from "@tanstack/react-query";
import type { ReportDaysView, ReportView } from "@/lib/contracts/report";
import { get } from "@/lib/client/api";
import { companyPath } from "@/lib/client/company-path";
import type { ReportRange } from "@/lib/domain/report/report-day";

/** The current month grows by minutes; a closed one never changes. */
const OPEN_EVERY_MS = 5 * 60_000;
/** While there is no answer, no record yet, or earlier history is still being loaded. */
const GROWING_EVERY_MS = 10_000;

/** @param isClosed as far as is known */
export const reportQuery = (company: string, month: string, isClosed: boolean) => {
  const path = companyPath(company, "report", { month });
  return queryOptions({
    queryKey: ["companies", company, "report", month],
    queryFn: async ({ signal }) => (await get(path, isReport, signal)).value,
    staleTime: isClosed ? Number.POSITIVE_INFINITY : OPEN_EVERY_MS,
    refetchInterval: ({ state: { data, status } }) => {
      if (isClosed || data?.closed === true) return false;
      const isGrowing = data?.recorded_from == null || !data.history_complete;
      return status === "error" || isGrowing ? GROWING_EVERY_MS : OPEN_EVERY_MS;
    },
  });
};

/** A day is added once a day. */
const DAYS_EVERY_MS = 60 * 60_000;

/** The rolled-up days of a partner or an endpoint. */
export const reportDaysQuery = (
  company: string,
  of: { partner: string } | { endpoint: string },
  range: ReportRange,
) => {
  const path = companyPath(company, "report/days", { range, ...of });
  return queryOptions({
    queryKey: ["companies", company, "report", path],
    queryFn: async ({ signal }) => (await get(path, isReportDays, signal)).value,
    staleTime: DAYS_EVERY_MS,
    refetchInterval: DAYS_EVERY_MS,
  });
};

/** The address of the CSV download of the same data. */
export function reportCsvPath(company: string, month: string): string {
  return `/api${companyPath(company, "report/csv", { month })}`;
}

function isReport(body: unknown): body is ReportView {
  return (
    typeof body === "object" &&
    body !== null &&
    Array.isArray((body as Partial<ReportView>).partners)
  );
}

function isReportDays(body: unknown): body is ReportDaysView {
  return (
    typeof body === "object" &&
    body !== null &&
    Array.isArray((body as Partial<ReportDaysView>).days)
  );
}
