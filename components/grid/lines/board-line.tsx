import type { ReactNode } from "react";

/** Properties of every grid line: its position, and whether it is the tab stop. */
export type LineProps = {
  lineKey: string;
  /** The header is 1. */
  rowIndex: number;
  isTabStop: boolean;
  isLast: boolean;
};

/** A row of the grid, which the keyboard moves through. */
export function BoardLine({
  lineKey,
  rowIndex,
  isTabStop,
  isLast,
  className,
  children,
}: LineProps & { className: string; children: ReactNode }) {
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      tabIndex={isTabStop ? 0 : -1}
      data-line={lineKey}
      className={`line ${className}${isLast ? " board-end" : ""}`}
    >
      {children}
    </div>
  );
}
