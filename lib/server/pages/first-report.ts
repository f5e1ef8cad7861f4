import type { ReportView } from "@/lib/contracts/report";
import { monthAfter } from "@/lib/domain/report/month-report";
import { dayOf } from "@/lib/domain/time/day";
import type { Person } from "@/lib/server/auth/person";
import { getReport, reportTimeZone } from "@/lib/server/operations/report/get-report";
import { usualMonth } from "@/lib/server/operations/report/usual-month";
import { getRuntime } from "@/lib/server/running";
import { within } from "@/lib/server/waiting";

/** Maximum wait for the month, and for its report; after that the browser loads the report. */
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
 * @param requested "2026-10"; null: the one it opens with
 */
export async function firstReport(
  person: Person,
  company: string,
  requested: string | null,
): Promise<FirstReport> {
  const runtime = getRuntime();
  const today = dayOf(runtime.clock.nowMs(), reportTimeZone(runtime, company));
  const thisMonth = today.slice(0, 7);
  const soon = <T>(value: Promise<T>, otherwise: T) =>
    within(
      runtime.clock,
      PATIENCE_MS,
      value.catch(() => otherwise),
      () => otherwise,
    );
  const read = (of: string) => {
    const query = new URLSearchParams({ month: of });
    return soon<ReportView | null>(getReport(runtime, { person, company, query }), null);
  };
  const month = requested ?? (await soon(usualMonth(runtime, company), thisMonth));
  const [report, before] = await Promise.all([read(month), read(monthAfter(month, -1))]);
  return {
    month,
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
