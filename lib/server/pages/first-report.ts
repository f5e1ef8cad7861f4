import type { ReportView } from "@/lib/contracts/report";
import { monthAfter } from "@/lib/domain/report/month-report";
import { dayOf } from "@/lib/domain/time/day";
import { getReport, reportTimeZone } from "@/lib/server/operations/report/get-report";
import { getRuntime } from "@/lib/server/running";
import { within } from "@/lib/server/waiting";

/** A page does not wait longer; the browser asks for itself then. */
const PATIENCE_MS = 500;

type FirstReport = {
  month: string;
  /** The month that goes on where the company's reports are made. */
  thisMonth: string;
  /** Without endpoints: a page is light. Null: not there in time, or not at all. */
  report: ReportView | null;
  /** What of the month before is compared with; null: nothing of it was observed, or not there in time. */
  before: { total: number | null; partners: [string, number][] } | null;
  /** Today, "2026-11-23". */
  today: string;
};

/**
 * The on-time report of a company, as the JSON would give it now. The caller has checked the right to it.
 * @param asked "2026-10"; null: the last month, while the record has anything of it, else this one
 */
export async function firstReport(company: string, asked: string | null): Promise<FirstReport> {
  const runtime = getRuntime();
  const today = dayOf(runtime.clock.nowMs(), reportTimeZone(runtime, company));
  const thisMonth = today.slice(0, 7);
  const read = (month: string) => {
    const answer = getReport(runtime, { company, query: new URLSearchParams({ month }) });
    return within(
      runtime.clock,
      PATIENCE_MS,
      answer.catch(() => null),
      () => null,
    );
  };
  const lastMonth = monthAfter(thisMonth, -1);
  const chosen = asked ?? lastMonth;
  const [report, before] = await Promise.all([read(chosen), read(monthAfter(chosen, -1))]);
  // Of a young record the last month has nothing to tell.
  if (asked === null && (report === null || report.total === null)) {
    return firstReport(company, thisMonth);
  }
  return {
    month: chosen,
    thisMonth,
    today,
    report: report === null ? null : withoutEndpoints(report),
    before: before === null || before.observed === null ? null : comparable(before),
  };
}

function withoutEndpoints(report: ReportView): ReportView {
  return {
    ...report,
    partners: report.partners.map((partner) => ({ ...partner, endpoints: [] })),
  };
}

function comparable({ headline, partners }: ReportView) {
  return {
    total: headline.on_time_of_checked,
    partners: partners.flatMap(({ partner_name, on_time_of_checked: share }) =>
      share === null ? [] : [[partner_name, share] satisfies [string, number]],
    ),
  };
}
