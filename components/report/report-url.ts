import { readAddress, textParam, writeAddress } from "@/lib/client/address/address-params";
import { daysOfMonth } from "@/lib/domain/report/month-report";

const reportParams = {
  /** "2026-10"; absent: the page's default. */
  month: textParam,
};

/** The month in an address, null when absent; `isValid`: false for an invalid month. */
export function loadReportMonth(search: Parameters<typeof readAddress>[1]): {
  month: string | null;
  isValid: boolean;
} {
  const { month } = readAddress(reportParams, search);
  return { month, isValid: month === null || daysOfMonth(month) !== null };
}

/** The address of a month's report. */
export function reportPath(company: string, month: string): string {
  return `/${company}/report${writeAddress(reportParams, { month })}`;
}
