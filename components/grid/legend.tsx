import { memo } from "react";
import type { RunOutcome } from "@/lib/domain/sync";
import { RUN_OUTCOME_LABEL } from "@/lib/domain/words/labels";
import { RunIcon } from "@/components/marks/run-icon";
import { LEGEND_LABEL, NOT_OBSERVED } from "./words";

/** Explains the marks of the run strips. */
export const Legend = memo(function Legend() {
  return (
    <ul className="legend" aria-label={LEGEND_LABEL}>
      {LEGEND_ORDER.map((outcome) => (
        <li key={outcome}>
          <RunIcon outcome={outcome} />
          {RUN_OUTCOME_LABEL[outcome]}
        </li>
      ))}
      <li>
        <svg width="14" height="12" aria-hidden="true">
          <rect width="14" height="12" fill="url(#hatch)" />
        </svg>
        {NOT_OBSERVED}
      </li>
    </ul>
  );
});

/** Completed runs first, the transient state last. */
const LEGEND_ORDER = [
  "completed",
  "failed",
  "timed_out",
  "rate_limited",
  "in_progress",
] as const satisfies readonly RunOutcome[];
