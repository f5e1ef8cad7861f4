"use client";

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { dayBlocks } from "@/components/charts/day-blocks";
import { NOT_OBSERVED } from "@/components/charts/words";
import { HatchedKey } from "@/components/charts/hatched-key";
import { HatchPattern } from "@/components/charts/hatch";
import { useLiveCompany } from "@/components/shell/live-company";
import { PreviousData, usePreviousData } from "@/components/shell/previous-data";
import { RecordNote } from "@/components/shell/record-note";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { usually, wordParam } from "@/lib/client/address/address-params";
import { reportDaysQuery } from "@/lib/client/queries/report";
import { useAddressParam } from "@/lib/client/address/use-address";
import type { ReportDaysView } from "@/lib/contracts/report";
import { REPORT_RANGES } from "@/lib/domain/report/report-day";
import { onTimeDays } from "./words";
import { addDays } from "@/lib/domain/time/day";
import { DAY_MS } from "@/lib/domain/time/units";

/** Number of days on the page, as stored in its address. */
const daysParam = usually(wordParam(REPORT_RANGES), "90d");

const HEIGHT_PX = 44;
/** Approximate width of a chart, where days are drawn at their natural size. */
const WIDTH = 900;
const MIN_PX = 5;

/**
 * The days of a partner or an endpoint, one bar each (see `dayBlocks`); today so far.
 * @param statuses of its feeds; null: it is no longer listed
 */
export function OnTimeDays({
  of,
  subject,
  statuses,
}: {
  of: { partner: string } | { endpoint: string };
  subject: string;
  statuses: readonly string[] | null;
}) {
  const { slug } = useLiveCompany();
  const id = useId();
  const [range, setRange] = useAddressParam("days", daysParam, "push");
  const { data, isPrevious, isError } = usePreviousData(
    JSON.stringify(of),
    useQuery(reportDaysQuery(slug, of, range)),
  );
  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{onTimeDays.heading}</h2>
        <Segmented
          label={onTimeDays.label}
          value={range}
          options={onTimeDays.options}
          onChange={setRange}
        />
      </header>
      {data === undefined ? (
        <RecordNote state={isError ? "silent" : "reading"} heightPx={HEIGHT_PX} />
      ) : data.days.length === 0 ? (
        <p className="text-xs text-ink-3">{onTimeDays.none(statuses)}</p>
      ) : (
        <PreviousData
          isPrevious={isPrevious}
          isError={isError}
          requested={onTimeDays.past[range]}
          shown={onTimeDays.past[data.range]}
        >
          <Days view={data} subject={subject} />
        </PreviousData>
      )}
      <p className="mt-1 text-2xs text-ink-2">
        <Link href={`/${slug}/report`} className="underline underline-offset-3 hover:text-ink">
          {onTimeDays.report}
        </Link>
      </p>
    </section>
  );
}

function Days({ view, subject }: { view: ReportDaysView; subject: string }) {
  const hatchId = useId();
  const fromMs = Date.parse(view.from);
  const step = WIDTH / (Math.round((Date.parse(view.until) - fromMs) / DAY_MS) + 1);
  const paths = { fresh: "", quiet: "", late: "", stale: "", failing: "", hidden: "" };
  const recorded = new Set(view.days.map(([day]) => day));
  const dayCount = Math.round(WIDTH / step);
  for (let at = 0; at < dayCount; at += 1) {
    const day = addDays(view.from, at);
    // A day without history is drawn as unobserved.
    if (!recorded.has(day))
      paths.hidden += `M${round(at * step)} 0h${round(step)}v${HEIGHT_PX}h${round(-step)}z`;
  }
  for (const [day, , overdue, quiet, hidden, worst] of view.days) {
    const x = ((Date.parse(day) - fromMs) / DAY_MS) * step;
    const blocks = dayBlocks(
      { overdue, quiet, hidden, worst },
      { height: HEIGHT_PX, least: MIN_PX },
    );
    for (const { look, y, height } of blocks)
      paths[look] += `M${round(x)} ${y}h${round(step * 0.86)}v${height}H${round(x)}z`;
  }
  const fills = {
    fresh: "var(--fresh-mark)",
    quiet: "var(--sunken)",
    late: "var(--late-mark)",
    stale: "var(--stale-mark)",
    failing: "var(--failing-mark)",
    hidden: `url(#${hatchId})`,
  };
  const overdueDays = view.days.filter(([, , , , , worst]) => worst !== null).length;
  const hiddenDays = view.days.filter(([, , , , hidden]) => hidden > 0).length;
  const svg = (
    <svg
      role="img"
      aria-label={onTimeDays.said(subject, view.days.length, overdueDays, hiddenDays)}
      className="block w-full bg-sunken"
      height={HEIGHT_PX}
      viewBox={`0 0 ${WIDTH} ${HEIGHT_PX}`}
      preserveAspectRatio="none"
    >
      <defs>
        <HatchPattern id={hatchId} />
      </defs>
      {Object.entries(paths).map(([look, d]) =>
        d === "" ? null : <path key={look} d={d} fill={fills[look as keyof typeof fills]} />,
      )}
    </svg>
  );
  return (
    <>
      {svg}
      {paths.hidden === "" ? null : (
        <p className="mt-1 flex items-center justify-end gap-1.5 text-2xs text-ink-3">
          <HatchedKey />
          {NOT_OBSERVED}
        </p>
      )}
    </>
  );
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
