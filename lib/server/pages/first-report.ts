import type { ReportView } from "@/lib/contracts/report";
import { isLastMonthReady, monthAfter } from "@/lib/domain/report/month-report";
import { dayOf } from "@/lib/domain/time/day";
import type { Person } from "@/lib/server/auth/person";
import { getReport, reportTimeZone } from "@/lib/server/operations/report/get-report";
import { getRuntime } from "@/lib/server/running";
import { within } from "@/lib/server/waiting";

/** Maximum wait of a page; after that the browser loads it. */
const PATIENCE_MS = 500;

type FirstReport = {
  month: string;
  /** The current month in the time zone of the company's reports. */
  thisMonth: string;
  /** Without endpoints, to keep the page small. Null: not available in time. */
  report: ReportView | null;
  /** The previous month, for comparison; null: unobserved, or not available in time. */
  before: { total: number | null; partners: [string, number][] } | null;
  /** Today, "2026-11-23". */
  today: string;
};

/**
 * A company's on-time report, as the API would return it now. The caller has checked the
 * permission.
 * @param requested "2026-10"; null: the previous month if it is closed or about to be, else this one
 */
export async function firstReport(
  person: Person,
  company: string,
  requested: string | null,
): Promise<FirstReport> {
  const runtime = getRuntime();
  const today = dayOf(runtime.clock.nowMs(), reportTimeZone(runtime, company));
  const thisMonth = today.slice(0, 7);
  const read = (month: string) => {
    const answer = getReport(runtime, { person, company, query: new URLSearchParams({ month }) });
    return within(
      runtime.clock,
      PATIENCE_MS,
      answer.catch(() => null),
      () => null,
    );
  };
  const lastMonth = monthAfter(thisMonth, -1);
  const chosen = requested ?? lastMonth;
  const [report, before] = await Promise.all([read(chosen), read(monthAfter(chosen, -1))]);
  if (requested === null && !isWorthOpening(report, today))
    return firstReport(person, company, thisMonth);
  return {
    month: chosen,
    thisMonth,
    today,
    report: report === null ? null : withoutEndpoints(report),
    before: before === null || before.observed === null ? null : comparable(before),
  };
}

/** A new record has nothing, or not everything yet, about the previous month. */
function isWorthOpening(report: ReportView | null, today: string): boolean {
  if (report === null || report.total === null) return false;
  const { closed, recorded_from: recordedFrom } = report;
  return isLastMonthReady({ closed, recordedFrom, today });
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
