import type { Line } from "./board";
import type { LineProps } from "./endpoint-row";
import { Tallies } from "./tallies";

/** A partner: its name, how its endpoints are, and the fold. */
export function GroupRow({
  line: { partner, counts, isOpen },
  onToggle,
  lineKey,
  rowIndex,
  isTabStop,
  isLast,
}: LineProps & {
  line: Extract<Line, { kind: "group" }>;
  onToggle: () => void;
}) {
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      tabIndex={isTabStop ? 0 : -1}
      data-line={lineKey}
      className={isLast ? "line line-group board-end" : "line line-group"}
    >
      <span role="rowheader" className="cell-partner">
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Collapse" : "Expand"} ${partner}`}
          onClick={onToggle}
          className="grid h-6 w-6 shrink-0 place-items-center text-ink-3 max-sm:h-10"
        >
          <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
            <path
              d={isOpen ? "M1 2.5 4 5.5 7 2.5" : "M2.5 1 5.5 4 2.5 7"}
              fill="none"
              stroke="currentColor"
              strokeWidth="1.4"
            />
          </svg>
        </button>
        <span className="-ml-1 truncate" title={partner}>
          {partner}
        </span>
        <Tallies counts={counts} className="ml-1.5 gap-2.5 pr-1" />
      </span>
      <span role="presentation" className="cell-bar" />
    </div>
  );
}
