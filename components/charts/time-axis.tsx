import type { Period } from "@/lib/domain/history";
import { timeTicks } from "@/lib/domain/words/time-axis";
import { shareOf } from "./step-points";
import { NOW } from "./words";

const LABEL = "absolute top-[3px] text-2xs whitespace-nowrap";

/** Times below lines with a common axis, which ends now. */
export function TimeAxis({
  axis,
  timeZone,
  marks = 8,
}: {
  axis: Period;
  timeZone: string;
  /** How many fit. */
  marks?: number;
}) {
  return (
    <div className="relative h-[18px] border-t border-control" aria-hidden="true">
      {timeTicks(axis.fromMs, axis.untilMs, timeZone, marks).map(({ atMs, label }) => {
        const share = shareOf(atMs, axis);
        // The end has its own text.
        return share > 0.88 || share < 0.02 ? null : (
          <span
            key={atMs}
            className={`${LABEL} -translate-x-1/2 text-ink-3 max-sm:even:hidden`}
            style={{ left: `${share * 100}%` }}
          >
            {label}
          </span>
        );
      })}
      <span className={`${LABEL} -translate-x-full text-ink`} style={{ left: "100%" }}>
        {NOW}
      </span>
    </div>
  );
}
