import type { Line } from "@/components/grid/board";
import type { LineProps } from "@/components/grid/endpoint-row";
import { CLOSE_ALL, OPEN_ALL, partnersText, PARTNERS } from "@/components/grid/words";

/** Begins the partners below what needs attention, and expands or collapses all of them. */
export function SectionRow({
  line: { partners, isOpen },
  onToggle,
  lineKey,
  rowIndex,
  isTabStop,
}: Omit<LineProps, "isLast"> & {
  line: Extract<Line, { kind: "section" }>;
  onToggle: () => void;
}) {
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      tabIndex={isTabStop ? 0 : -1}
      data-line={lineKey}
      className="line line-section"
    >
      <span role="gridcell">
        <h2>{PARTNERS}</h2>
        <span>{partnersText(partners)}</span>
        <button type="button" tabIndex={-1} onClick={onToggle}>
          {isOpen ? CLOSE_ALL : OPEN_ALL}
        </button>
      </span>
    </div>
  );
}
