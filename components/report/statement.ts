import type { ReportView } from "@/lib/contracts/report";
import { monthAndYear } from "@/lib/domain/time/calendar-names";
import { asOfText, dayAndYear, reportSentences, reportTitle, stateOfMonth } from "./sentences";
import { empty, monthState, PAGE, sheet } from "./words";

/** "On-time report, October 2026, closed · Northgate Builders" */
export function reportSubject(report: ReportView, company: string): string {
  return `${PAGE}, ${monthState(monthAndYear(report.month), stateOfMonth(report))} · ${company}`;
}

/** A report for a chat: its headline, its sentences and their date. */
export function reportStatement(report: ReportView, company: string): string {
  const { history_complete: isComplete, recorded_from: from, closed_on: closedOn } = report;
  const sentences = reportSentences(report)
    .map((said) => (typeof said === "string" ? said : said.strong))
    .join("");
  return [
    `${reportTitle(report, company)}.`,
    sentences.trim(),
    isComplete || from === null ? "" : empty.loading(dayAndYear(from)),
    closedOn === null ? asOfText(report) : sheet.closed(dayAndYear(closedOn)),
  ]
    .filter(Boolean)
    .join(" ");
}
