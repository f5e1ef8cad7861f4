import { daysOfMonth } from "@/lib/domain/report/month-report";
import type { DayOutcome } from "@/lib/domain/deadlines/deadline";
import type { WorstDay } from "./kept";
import { monthCellsText } from "./words";

const STEP_PX = 9;
const CELL_PX = 7;
/** Additional space between weeks. */
const WEEK_PX = 3;
const BASE_PX = 18;

/**
 * A month as one cell per promised day: a low line where the promise was kept, a block where it was missed, hatched
 * where it wasn't checked, dashed where it was excused, hollow for the open day.
 * @param month "2026-11"
 * @param openDay "2026-11-24"; null: none
 */
export function MonthCells({
  month,
  days,
  openDay,
}: {
  month: string;
  days: readonly WorstDay[];
  openDay: string | null;
}) {
  const dates = daysOfMonth(month) ?? [];
  const first = (new Date(`${month}-01T00:00:00Z`).getUTCDay() + 6) % 7;
  const xOf = (at: number) => at * STEP_PX + Math.floor((at + first) / 7) * WEEK_PX;
  const byDate = new Map(days.map((day) => [day.date, day.outcome]));
  const width = xOf(dates.length - 1) + CELL_PX;
  return (
    <svg
      role="img"
      aria-label={monthCellsText(days, month)}
      className="block max-w-full"
      width={width}
      height="20"
      viewBox={`0 0 ${width} 20`}
    >
      {dates.map((date, at) => {
        const outcome = byDate.get(date);
        if (outcome !== undefined) return <OutcomeCell key={date} x={xOf(at)} outcome={outcome} />;
        return date === openDay ? <OpenCell key={date} x={xOf(at)} /> : null;
      })}
    </svg>
  );
}

/** One cell, also in the legend. */
export function OutcomeCell({ x, outcome }: { x: number; outcome: DayOutcome }) {
  switch (outcome) {
    case "met":
      return <rect x={x} y={BASE_PX - 3} width={CELL_PX} height="3" className="fill-fresh-mark" />;
    case "missed":
      return <rect x={x} y="2" width={CELL_PX} height={BASE_PX - 2} className="fill-ink" />;
    case "not_observed":
      return <rect x={x} y="2" width={CELL_PX} height={BASE_PX - 2} fill="url(#hatch)" />;
    case "excused":
      return (
        <path
          d={`M${x} ${BASE_PX - 1.5}h${CELL_PX}`}
          strokeWidth="3"
          strokeDasharray="1.5 1.5"
          className="stroke-ink-3"
        />
      );
  }
}

export function OpenCell({ x }: { x: number }) {
  return (
    <rect
      x={x + 0.5}
      y="5.5"
      width={CELL_PX - 1}
      height={BASE_PX - 6}
      fill="none"
      className="stroke-control"
    />
  );
}
