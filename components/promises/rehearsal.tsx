"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDebouncedValue } from "@/components/list/use-debounced-value";
import { RehearsalPanel } from "@/components/resource/rehearsal-panel";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { Segmented } from "@/components/ui/segmented";
import { useLiveCompany } from "@/components/shell/live-company";
import { ApiError } from "@/lib/client/api";
import { rehearsalQuery, type RehearsalRequest } from "@/lib/client/queries/promises";
import { useServerClock } from "@/lib/client/use-now";
import type { PromiseRequest, RehearsalView, RehearsedDay } from "@/lib/contracts/promises";
import { daysOfMonth, monthAfter } from "@/lib/domain/report/month-report";
import { addDays, dayOf } from "@/lib/domain/time/day";
import { weekdayAndDate } from "@/lib/domain/words/dates";
import { missedText } from "@/lib/domain/words/deadlines/promise-text";
import { zoneTimeText } from "@/lib/domain/time/zone-name";
import { monthName } from "@/lib/domain/time/calendar-names";
import { countedDays, warnedMisses, worstMiss } from "./kept";
import { dayMark, dayTimes, dueAt, hourScale, wordsPlace, type DayMark } from "./rehearsal-chart";
import * as text from "./words";

const TYPED_MS = 500;
const PERIODS = ["last", "before", "90"] as const;
type Period = (typeof PERIODS)[number];
const LONG_DAYS = 90;

const { rehearsalWords: words } = text;

/**
 * How the promise being edited would have been kept, by the history.
 * @param request null: the form isn't complete
 */
export function Rehearsal({ request }: { request: PromiseRequest | null }) {
  const { slug } = useLiveCompany();
  const clock = useServerClock();
  const [period, setPeriod] = useState<Period>("last");
  const today = dayOf(clock.nowMs(), request?.time_zone ?? "UTC");
  const months = {
    last: monthAfter(today.slice(0, 7), -1),
    before: monthAfter(today.slice(0, 7), -2),
  };
  const month = period === "90" ? null : months[period];
  const asked = request === null ? null : { ...request, ...rangeOf(month, today) };
  const settled = useDebouncedValue(JSON.stringify(asked), TYPED_MS);
  const tried = JSON.parse(settled) as RehearsalRequest | null;
  const { data, error, isError, isFetching, refetch } = useQuery({
    ...rehearsalQuery(slug, tried ?? NOTHING),
    enabled: tried !== null,
  });
  const isCurrent = !isFetching && settled === JSON.stringify(asked);
  return (
    <RehearsalPanel
      words={{ ...words, failed: failedText(error) }}
      isWhole={request !== null}
      isError={isError}
      isCurrent={isCurrent}
      onAgain={() => void refetch()}
      tools={
        <Segmented
          label={words.period}
          value={period}
          options={[
            { value: "last", label: monthName(months.last) },
            { value: "before", label: monthName(months.before) },
            { value: "90", label: words.days90 },
          ]}
          onChange={setPeriod}
          className="mb-2.5"
        />
      }
    >
      {data === undefined || tried === null ? null : (
        <Result view={data} request={tried} month={month} />
      )}
    </RehearsalPanel>
  );
}

const WORDS_SIDE = { after: "", on: "-translate-x-1/2", before: "-translate-x-full" };

/** Never requested: the query is disabled then. */
const NOTHING: RehearsalRequest = { by: "00:00", time_zone: "UTC", since: "", until: "" };

/** What the server says of too much history, or that it couldn’t be checked. */
function failedText(error: Error | null): string {
  if (!(error instanceof ApiError) || error.status !== 400) return words.failed;
  return error.description ?? words.tooMuch;
}

/** First and last day. @param month null: the days before today */
function rangeOf(month: string | null, today: string): { since: string; until: string } {
  const days = month === null ? null : daysOfMonth(month);
  const daysAgo = (amount: number) => addDays(today, -amount);
  return {
    since: days?.[0] ?? daysAgo(LONG_DAYS),
    until: days?.at(-1) ?? daysAgo(1),
  };
}

function Result({
  view: { endpoints },
  request,
  month,
}: {
  view: RehearsalView;
  request: RehearsalRequest;
  month: string | null;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { counts, days } = countedDays(endpoints);
  // The feed that would have been the worst is drawn first.
  const drawn =
    endpoints.find(({ endpoint_id: id }) => id === chosen) ??
    endpoints.toSorted((a, b) => missesOf(b) - missesOf(a))[0];
  return (
    <>
      <div role="status">
        <h2 className="text-md">
          {endpoints.length === 0
            ? words.noFeeds
            : text.rehearsalTitle(counts, days, { by: request.by, month })}
        </h2>
      </div>
      <p className="text-ink-2 empty:hidden">{text.warnedText(warnedMisses(endpoints))}</p>
      <p className="text-ink-2 empty:hidden">{text.rehearsalAside(counts)}</p>
      {endpoints.length < 2 ? null : (
        <select
          aria-label={words.feed}
          className="mt-2.5 h-7 max-w-full min-w-0 rounded border border-control bg-surface px-2 max-sm:h-11"
          value={drawn?.endpoint_id}
          onChange={({ target }) => setChosen(target.value)}
        >
          {endpoints.map(({ endpoint_id: id, partner_name: partner, endpoint_key: key }) => (
            <option key={id} value={id}>
              {partner} / {key}
            </option>
          ))}
        </select>
      )}
      {drawn === undefined || drawn.days.length === 0 ? null : (
        <Chart days={drawn.days} by={request.by} timeZone={request.time_zone} />
      )}
    </>
  );
}

const missesOf = ({ days }: RehearsalView["endpoints"][number]) =>
  days.filter(({ outcome }) => outcome === "missed").length;

/** One row per day; the promised time is the plumb line. */
function Chart({
  days,
  by,
  timeZone,
}: {
  days: readonly RehearsedDay[];
  by: string;
  timeZone: string;
}) {
  const scale = hourScale(days, by);
  const worst = worstMiss(days);
  const isWarned = days.some(({ warned_at: warned }) => warned !== null);
  const isLong = days[0]?.date.slice(0, 7) !== days.at(-1)?.date.slice(0, 7);
  return (
    <>
      <p className="mt-3 mb-1.5 text-xs text-ink-2">{words.chart(zoneTimeText(timeZone))}</p>
      <div className="border-y border-line-strong">
        <div className="relative mr-[96px] ml-16 h-6 text-2xs text-ink-3" aria-hidden="true">
          {scale.ticks.map(({ percent, label }) => (
            <span
              key={label}
              className="absolute top-[5px] -translate-x-1/2"
              style={{ left: `${percent}%` }}
            >
              {label}
            </span>
          ))}
          <b
            className="absolute top-[5px] -translate-x-1/2 text-ink"
            style={{ left: `${dueAt(scale)}%` }}
          >
            {by}
          </b>
        </div>
        <ScrollRegion
          label={words.label}
          className="max-h-[560px] overflow-x-hidden overflow-y-auto"
        >
          <ol className="relative pb-1.5">
            {days.map((day, at) => (
              <Row
                key={day.date}
                isMonthNamed={isLong && day.date.slice(0, 7) !== days[at - 1]?.date.slice(0, 7)}
                day={day}
                mark={dayMark(day, scale)}
                timeZone={timeZone}
                isNamed={day === worst}
              />
            ))}
            <li
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 right-[96px] left-16 list-none"
            >
              <i
                className="absolute inset-y-0 border-l border-plumb"
                style={{ left: `${dueAt(scale)}%` }}
              />
            </li>
          </ol>
        </ScrollRegion>
      </div>
      {isWarned ? <p className="mt-1.5 text-xs text-ink-3">{words.assumed}</p> : null}
    </>
  );
}

function Row({
  day,
  mark,
  timeZone,
  isMonthNamed,
  isNamed,
}: {
  day: RehearsedDay;
  mark: DayMark;
  timeZone: string;
  /** It is the first of its month. */
  isMonthNamed: boolean;
  /** How late it was stands beside it. */
  isNamed: boolean;
}) {
  const ms = Date.parse(`${day.date}T00:00:00Z`);
  const date = weekdayAndDate(ms, "UTC");
  const times = dayTimes(day, timeZone);
  const { at, warned } = times;
  const said = text.rehearsalDayText(day, date, times);
  const place = mark.kind === "bar" && isNamed ? wordsPlace(mark) : null;
  const isMonday = new Date(ms).getUTCDay() === 1;
  return (
    <li
      className={`flex h-[18px] items-center ${isMonday ? "mt-1.5 first:mt-0" : ""}`}
      title={said}
    >
      <span className="sr-only">{said}</span>
      <span className="w-16 flex-none text-2xs text-ink-3" aria-hidden="true">
        {isMonthNamed ? date : date.replace(/ \w+$/, "")}
      </span>
      <span className="relative h-full flex-1" aria-hidden="true">
        <i className="absolute inset-x-0 top-[9px] border-t border-line" />
        {mark.kind === "dot" ? (
          <i
            className="absolute top-[5px] z-1 -ml-1 size-2 rounded-full bg-fresh-mark"
            style={{ left: `${mark.at}%` }}
          />
        ) : mark.kind === "bar" ? (
          <>
            <i
              className="absolute top-1.5 z-1 h-1.5 bg-ink"
              style={{ left: `${mark.from}%`, width: `${Math.max(0.6, mark.until - mark.from)}%` }}
            />
            {place !== null ? (
              <b
                className={`absolute top-0.5 z-1 bg-bg px-1 text-2xs whitespace-nowrap ${WORDS_SIDE[place.side]}`}
                style={{ left: `${place.at}%` }}
              >
                {at ?? words.notIn}
                {day.late_seconds === null
                  ? ""
                  : `, ${missedText(day.late_seconds, day.late_at_most)}`}
              </b>
            ) : null}
          </>
        ) : (
          <i
            className={`absolute inset-x-0 inset-y-1 text-2xs not-italic ${mark.kind === "hatched" ? "hatched-fine" : ""}`}
          >
            {mark.kind === "excused" ? (
              <span className="bg-bg pr-1 text-ink-3">{words.excused}</span>
            ) : null}
          </i>
        )}
      </span>
      <span
        className="w-[96px] flex-none pl-2 text-2xs whitespace-nowrap text-ink-2"
        aria-hidden="true"
      >
        {warned === null ? null : words.warnedAt(warned)}
      </span>
    </li>
  );
}
