import { monthReport, type EndpointMonth } from "@/lib/domain/report/month-report";
import { completed } from "@/lib/domain/steps";
import { Broken, type Scene } from "../simulation";
import { localTime } from "./local-time";

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

type WholeDay = {
  company: string;
  day: string;
  zone: string;
  from_ms: number;
  until_ms: number;
};

/** Half of the last digit that is shown, and some for what is moved so that the sum is exact. */
const TOLERATED_PERCENT = 0.1;

/**
 * What a report says of closed days: each follows the one before, also where the time zone was changed between them; and
 * shares that sum to exactly 100.0, of which each is that of the time on record.
 */
export function createSharesCheck() {
  return async ({ control, world }: Scene, isEnd: boolean): Promise<void> => {
    if (!isEnd) return;
    checkOrder(
      await control.rows<WholeDay>(
        `select company, day::text, time_zone as zone, (1000 * extract(epoch from from_at))::float as from_ms,
           (1000 * extract(epoch from until_at))::float as until_ms
         from report_days order by company, until_at`,
      ),
    );
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

/** @param days in their order, one company's after another's */
function checkOrder(days: readonly WholeDay[]): void {
  let before: WholeDay | null = null;
  for (const one of days) {
    const { company, day, zone, from_ms: fromMs, until_ms: untilMs } = one;
    const name = `${company} ${day}, in ${zone},`;
    const last = localTime(untilMs - 1, zone);
    if (last.date !== day || localTime(untilMs, zone).date === day || fromMs >= untilMs)
      throw new Broken("report", `${name} is from ${fromMs} until ${untilMs}`);
    if (before?.company === company && before.until_ms !== fromMs)
      throw new Broken(
        "report",
        `${name} begins ${fromMs - before.until_ms} ms after the day before`,
      );
    before = one;
  }
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
