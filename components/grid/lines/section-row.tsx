import type { Line } from "@/components/grid/board";
import { CLOSE_ALL, OPEN_ALL, partnersText, PARTNERS } from "@/components/grid/words";
import { BoardLine, type LineProps } from "./board-line";

/** Begins the partners below what needs attention, and expands or collapses all of them. */
export function SectionRow({
  line: { partners, isOpen },
  onToggle,
  ...place
}: Omit<LineProps, "isLast"> & {
  line: Extract<Line, { kind: "section" }>;
  onToggle: () => void;
}) {
  return (
    <BoardLine {...place} isLast={false} className="line-section">
      <span role="gridcell">
        <h2>{PARTNERS}</h2>
        <span>{partnersText(partners)}</span>
        <button type="button" tabIndex={-1} className="board-open-all" onClick={onToggle}>
          {isOpen ? CLOSE_ALL : OPEN_ALL}
        </button>
      </span>
    </BoardLine>
  );
}
