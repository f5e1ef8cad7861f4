import type { ReportDaysView } from "@/lib/contracts/report";
import { REPORT_RANGES } from "@/lib/domain/report/report-day";
import { percentShares } from "@/lib/domain/shares";
import { addDays, dayOf } from "@/lib/domain/time/day";
import { choice, text } from "@/lib/server/http/query";
import { companyAnswers, type AnswerRuntime } from "@/lib/server/operations/history/answer-version";
import type { HistoryRuntime } from "@/lib/server/store/history/open-record";
import { readRecordBegin, type ReportRow } from "@/lib/server/store/report/report-day";
import { daySumOf, readDaySums, readRolledUpEnds } from "@/lib/server/store/report/rolled-up-days";
import {
  readRecordedEndpoints,
  readRecordedState,
} from "@/lib/server/store/history/recorded-endpoints";
import { boundRows, rowBudget } from "@/lib/server/store/most-rows";
import { reportTimeZone } from "./get-report";
import { openDaysUntil, readDayByDay, readOpenDay } from "./open-days";

const DAYS = { "90d": 90, "1y": 365 } as const;

type Runtime = AnswerRuntime & Parameters<typeof reportTimeZone>[0];

/** Companies whose unfinished days are cached. */
const COMPANIES_KEPT = 200;
const cached = companyAnswers<{ day: string; rows: readonly ReportRow[] }[]>(
  "report days",
  COMPANIES_KEPT,
  1,
);

/**
 * The days of a company, of a partner or of an endpoint: `GET .../report/days?range&partner&endpoint`. They are kept
 * for good, so a year of them is there whatever the retention. Days that weren't rolled up yet, and today as far as it
 * has passed, are worked out from the record.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read
 */
export async function getReportDays(
  runtime: Runtime,
  { company, query }: { company: string; query: URLSearchParams },
  budget = rowBudget(),
): Promise<ReportDaysView> {
  const counted = boundRows<HistoryRuntime>(runtime, budget);
  const range = choice(query, "range", REPORT_RANGES) ?? "90d";
  const timeZone = reportTimeZone(runtime, company);
  const until = dayOf(runtime.clock.nowMs(), timeZone);
  const from = addDays(until, 1 - DAYS[range]);
  const wanted = { partnerName: text(query, "partner"), endpointId: text(query, "endpoint") };
  const [rolledUp, open] = await Promise.all([
    readDaySums(counted.database, company, wanted, [from, until]),
    cached(runtime, company, `${until} ${timeZone}`, (isAhead) => {
      const bound = isAhead ? boundRows<HistoryRuntime>(runtime, rowBudget()) : counted;
      return readOpenDays(bound, company, { lastDay: until, timeZone });
    }),
  ]);
  // A day may have been rolled up since the cached days were read.
  const last = rolledUp.at(-1)?.day ?? "";
  const sums = [
    ...rolledUp,
    ...open.flatMap(({ day, rows }) =>
      day > last && day >= from ? (daySumOf(day, rows, wanted) ?? []) : [],
    ),
  ];
  return {
    range,
    from,
    until,
    days: sums.flatMap((sum): ReportDaysView["days"] => {
      const [onTime, overdue, plannedQuiet, notObserved] =
        percentShares([sum.onTimeMs, sum.overdueMs, sum.plannedQuietMs, sum.notObservedMs]) ?? [];
      return onTime === undefined
        ? []
        : [[sum.day, onTime, overdue ?? 0, plannedQuiet ?? 0, notObserved ?? 0, sum.worst]];
    }),
  };
}

/** All days that aren't rolled up yet. */
async function readOpenDays(
  runtime: HistoryRuntime,
  company: string,
  range: { lastDay: string; timeZone: string },
): Promise<{ day: string; rows: readonly ReportRow[] }[]> {
  const { database } = runtime;
  const [ends, state] = await Promise.all([
    readRolledUpEnds(database, company),
    readRecordedState(database, company),
  ]);
  const past = {
    last: ends?.last ?? null,
    beginMs: ends === null ? await readRecordBegin(database, company) : null,
    offsetMs: state?.apiClockOffsetMs ?? 0,
  };
  const endpoints = await readRecordedEndpoints(database, company, {});
  return readDayByDay(openDaysUntil(runtime, past, range), async (day) => ({
    day: day.day,
    rows: await readOpenDay(runtime, company, past, { ...day, endpoints }),
  }));
}
