import type { Stretch } from "@/lib/domain/history";
import { timeTicks } from "@/lib/domain/words/time-axis";
import { shareOf } from "./step-points";
import { NOW } from "./words";
import "./charts.css";

/** Times below lines with a common axis, which ends now. */
export function TimeAxis({
  axis,
  timeZone,
  marks = 8,
}: {
  axis: Stretch;
  timeZone: string;
  /** How many fit. */
  marks?: number;
}) {
  return (
    <div className="time-axis" aria-hidden="true">
      {timeTicks(axis.fromMs, axis.untilMs, timeZone, marks).map(({ atMs, label }) => {
        const share = shareOf(atMs, axis);
        // The end has its own text.
        return share > 0.88 || share < 0.02 ? null : (
          <span key={atMs} style={{ left: `${share * 100}%` }}>
            {label}
          </span>
        );
      })}
      <span className="is-end" style={{ left: "100%" }}>
        {NOW}
      </span>
    </div>
  );
}
