import { monthReport, type EndpointMonth } from "@/lib/domain/report/month-report";
import { completed } from "@/lib/domain/steps";
import { Broken, type Scene } from "../simulation";

type Day = {
  company: string;
  endpoint_id: string;
  endpoint_key: string;
  partner_name: string;
  on_time_ms: number;
  overdue_ms: number;
  planned_quiet_ms: number;
  not_observed_ms: number;
  webhook_ms: number;
  paused_ms: number;
};

/** Half of the last digit that is shown, and some for what is moved so that the sum is exact. */
const TOLERATED_PERCENT = 0.1;

/** What a report says of closed days: shares that sum to exactly 100.0, and each is that of the time on record. */
export function createSharesCheck() {
  return async ({ control, world }: Scene, isEnd: boolean): Promise<void> => {
    if (!isEnd) return;
    const days = await control.rows<Day>("select * from report_endpoint_days order by day");
    for (const { slug } of world.companies) {
      const byEndpoint = new Map<string, Day[]>();
      for (const day of days)
        if (day.company === slug)
          byEndpoint.set(day.endpoint_id, [...(byEndpoint.get(day.endpoint_id) ?? []), day]);
      const { partners } = completed(monthReport([...byEndpoint.values()].map(monthOf)));
      for (const { partnerName, shares, endpoints } of partners) {
        const own = endpoints.flatMap(({ id }) => byEndpoint.get(id) ?? []);
        compare(`${slug} ${partnerName}`, shares, own);
        for (const one of endpoints)
          compare(`${slug} ${one.id}`, one.shares, byEndpoint.get(one.id) ?? []);
      }
    }
  };
}

function compare(name: string, shares: readonly number[], days: readonly Day[]): void {
  const tenths = shares.reduce((sum, share) => sum + Math.round(share * 10), 0);
  if (tenths !== 1_000)
    throw new Broken("report", `the shares of ${name} sum to ${tenths / 10}: ${shares.join(", ")}`);
  const sums = (["on_time_ms", "overdue_ms", "planned_quiet_ms", "not_observed_ms"] as const).map(
    (kind) => days.reduce((sum, day) => sum + day[kind], 0),
  );
  const allMs = sums.reduce((sum, ms) => sum + ms, 0);
  for (const [at, ms] of sums.entries())
    if (Math.abs((shares[at] ?? 0) - (100 * ms) / allMs) > TOLERATED_PERCENT)
      throw new Broken("report", `a share of ${name} is ${shares[at]}, of ${ms} ms in ${allMs} ms`);
}

function monthOf(days: readonly Day[]): EndpointMonth {
  const [first] = days;
  return {
    id: first?.endpoint_id ?? "",
    endpointKey: first?.endpoint_key ?? "",
    partnerName: first?.partner_name ?? "",
    days: days.map((day) => ({
      onTimeMs: day.on_time_ms,
      overdueMs: day.overdue_ms,
      plannedQuietMs: day.planned_quiet_ms,
      notObservedMs: day.not_observed_ms,
      webhookMs: day.webhook_ms,
      pausedMs: day.paused_ms,
      worst: null,
      overdue: { leadMs: 0, longestMs: 0, tailMs: 0 },
      completed: 0,
      failed: 0,
      timedOut: 0,
      rateLimited: 0,
    })),
  };
}
