import { readAddress, textParam, writeAddress } from "@/lib/client/address-params";
import { daysOfMonth } from "@/lib/domain/report/month-report";

const reportParams = {
  /** "2026-10"; absent: the month that the page chooses. */
  month: textParam,
};

/** The month that an address names, null where it names none; `isValid`: false for what is no month. */
export function loadReportMonth(search: Parameters<typeof readAddress>[1]): {
  month: string | null;
  isValid: boolean;
} {
  const { month } = readAddress(reportParams, search);
  return { month, isValid: month === null || daysOfMonth(month) !== null };
}

/** The address of the report of a month. */
export function reportPath(company: string, month: string): string {
  return `/${company}/report${writeAddress(reportParams, { month })}`;
}
