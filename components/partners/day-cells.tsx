"use client";

import { useQuery } from "@tanstack/react-query";
import { DAY_LOOKS, dayPaths } from "@/components/charts/day-blocks";
import { usePartnerHere } from "./partner-here";
import { partnerDaysQuery } from "@/lib/client/queries/partners/partner-days";
import { dayWords as words } from "./words";

/** Of cells, one pixel apart; of long months narrower, so that all fit. */
const WIDE_DAYS = 24;
const CELL = { height: 16, least: 4, top: 0 };
const FILL = {
  fresh: "fill-fresh-mark",
  late: "fill-late-mark",
  stale: "fill-stale-mark",
  failing: "fill-failing-mark",
  hidden: "[fill:url(#hatch)]",
  quiet: "fill-sunken",
} as const;

/** The month's closed days of a company, a cell each; empty while they aren't known. Default export for `lazyPart`. */
export default function DayCells({ company }: { company: string }) {
  const { partner, state } = usePartnerHere();
  const { data } = useQuery(partnerDaysQuery(partner, state.at));
  const days = data?.get(company);
  if (days === undefined || days.length === 0) return null;
  const step = days.length > WIDE_DAYS ? 4 : 5;
  const paths = dayPaths(days, (at) => at * step, { ...CELL, width: step - 1 });
  const known = days.filter((day) => day !== null);
  const overdue = known.filter(([share]) => share > 0).length;
  const hidden = days.length - known.filter(([, , unseen]) => unseen === 0).length;
  const width = days.length * step;
  return (
    <svg
      role="img"
      aria-label={words.label(days.length, overdue, hidden)}
      width={width}
      height={CELL.height}
      viewBox={`0 0 ${width} ${CELL.height}`}
    >
      {DAY_LOOKS.map((look) =>
        paths[look] === "" ? null : <path key={look} className={FILL[look]} d={paths[look]} />,
      )}
    </svg>
  );
}
