import { cellPath, DAY_LOOKS, dayPaths } from "@/components/charts/day-blocks";
import type { ReportDayCell } from "@/lib/contracts/report";
import { calendarText } from "./sentences";

/** By what a block or a share is of. */
export const FILL = {
  ground: "fill-sunken print:fill-[#f3f3f0]",
  fresh: "fill-fresh-mark",
  late: "fill-late-mark",
  stale: "fill-stale-mark",
  overdue: "fill-stale-mark",
  failing: "fill-failing-mark",
  hidden: "[fill:url(#report-hatch)]",
  quiet: "[fill:url(#report-dots)]",
} as const;

/** In drawing order. */
const LOOKS = ["ground", ...DAY_LOOKS] as const;

const CELL_PX = 12;
const STEP_PX = 14;
/** Additional space between weeks, equal in every row. */
const WEEK_PX = 5;
const HEIGHT_PX = 22;
const TOP_PX = 1;
const CELL_HEIGHT_PX = 20;
/** Minimum height of a non-zero part. */
const MIN_PX = 6;

/** Positions of a month's days. @param month "2026-10" */
function placesOf(month: string, days: number): number[] {
  const first = new Date(`${month}-01T00:00:00Z`).getUTCDay();
  // Weeks start on Monday.
  return Array.from(
    { length: days },
    (_, at) => at * STEP_PX + Math.floor((at + ((first + 6) % 7)) / 7) * WEEK_PX,
  );
}

const widthOf = (places: readonly number[]) => (places.at(-1) ?? 0) + CELL_PX;

/** One cell per day (see `dayPaths`). */
export function Calendar({ month, days }: { month: string; days: readonly ReportDayCell[] }) {
  const places = placesOf(month, days.length);
  const xOf = (at: number) => places[at] ?? 0;
  const cell = { width: CELL_PX, height: CELL_HEIGHT_PX, least: MIN_PX, top: TOP_PX };
  const ground = days
    .map((day, at) => (day === null ? "" : cellPath(xOf(at), TOP_PX, CELL_PX, CELL_HEIGHT_PX)))
    .join("");
  const paths = { ground, ...dayPaths(days, xOf, cell) };
  return (
    <svg
      role="img"
      aria-label={calendarText({ days: [...days] }, month)}
      className="report-days"
      viewBox={`0 0 ${widthOf(places)} ${HEIGHT_PX}`}
      preserveAspectRatio="none"
    >
      {LOOKS.map((look) =>
        paths[look] === "" ? null : <path key={look} className={FILL[look]} d={paths[look]} />,
      )}
    </svg>
  );
}

/** The header of a column of calendars: the first day of each week, weekends underlined. */
export function CalendarHead({ month, days }: { month: string; days: number }) {
  const places = placesOf(month, days);
  const first = new Date(`${month}-01T00:00:00Z`).getUTCDay();
  const weekday = (at: number) => (first + at) % 7;
  return (
    <svg
      aria-hidden="true"
      className="report-days report-days-head"
      viewBox={`0 0 ${widthOf(places)} 28`}
      preserveAspectRatio="none"
    >
      {places.map((x, at) => {
        const isNamed =
          at === 0 ? weekday(0) !== 0 : at === days - 1 ? weekday(at) !== 2 : weekday(at) === 1;
        const isWeekend = weekday(at) === 0 || weekday(at) === 6;
        return (
          <g key={x}>
            {isNamed ? (
              <text x={x + CELL_PX / 2} y="19">
                {at + 1}
              </text>
            ) : null}
            {isWeekend ? <rect x={x} y="24" width={CELL_PX} height="1.5" /> : null}
          </g>
        );
      })}
    </svg>
  );
}

/** Fill patterns of calendars; once per page. */
export function CalendarGrounds() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <defs>
        <pattern
          id="report-hatch"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="1.2" height="4" fill="var(--ink-3)" />
        </pattern>
        <pattern id="report-dots" width="4" height="4" patternUnits="userSpaceOnUse">
          <rect x="1" y="1" width="1.4" height="1.4" fill="var(--ink-3)" />
        </pattern>
      </defs>
    </svg>
  );
}
