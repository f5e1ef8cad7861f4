import { Fragment, type ReactNode } from "react";
import { ScrollRegion } from "@/components/ui/scroll-region";

/** Position of a cell on a phone's card: line, half of the line, and emphasis; "none": hidden. */
type OnPhone =
  | "none"
  | `${1 | 2 | 3 | 4 | 5} ${"start" | "end" | "whole"}${"" | " quiet" | " small"}`;

export type Column<Row> = {
  title: string;
  /** Drawn in place of the title, which then is only for assistive technology. */
  head?: ReactNode;
  /** Utility class for the width; omitted: an equal share of the remaining width. */
  width?: string;
  phone: OnPhone;
  cell: (row: Row) => ReactNode;
  /** The row header. */
  isHeader?: boolean;
  /** Buttons; the title is only for assistive technology. */
  isActions?: boolean;
  /** Right-aligned. */
  isNumeric?: boolean;
  /** Shows the title before the cell on cards, which have no column heads: of every row, or of some. */
  isLabelled?: boolean | ((row: Row) => boolean);
  /** Utility classes for the cells. */
  className?: string;
};

/** Emphasis of a row: failing, silent or ended; empty: none. */
type Tone = "bad" | "silent" | "off" | "";

/**
 * A list as a table in a horizontally scrolling region; on a phone each row is a card.
 * @param keyOf unique key of a row
 * @param rowHeight "one-line" rows are lower, with vertically centred cells
 * @param result outcome of an action on the row, shown below it; null: none
 * @param said live region text for assistive technology; omitted: rows have no outcomes
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  rowHeight = "two-line",
  toneOf,
  result,
  said,
  className,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  rowHeight?: "one-line" | "two-line";
  toneOf?: (row: Row) => Tone;
  result?: (row: Row) => ReactNode;
  said?: string;
  className?: string;
}) {
  return (
    <ScrollRegion label={label} className="settings-region relative overflow-x-auto">
      <table className={joined(`plain-table settings-list is-${rowHeight}`, className)}>
        <thead>
          <tr>
            {columns.map(({ title, head, width, isActions, isNumeric }) => (
              <th key={title} scope="col" className={joined(width, isNumeric && "is-numeric")}>
                {isActions || head !== undefined ? <span className="sr-only">{title}</span> : title}
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const tone = toneOf?.(row) ?? "";
            const below = result?.(row) ?? null;
            return (
              <Fragment key={keyOf(row)}>
                <tr className={tone === "" ? undefined : `is-${tone}`}>
                  {columns.map((column) => (
                    <Cell key={column.title} column={column} row={row} />
                  ))}
                </tr>
                {below === null ? null : (
                  <tr className="settings-result">
                    <td colSpan={columns.length}>{below}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {said === undefined ? null : (
        <p role="status" className="sr-only">
          {said}
        </p>
      )}
    </ScrollRegion>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const { title, isHeader, isActions, isNumeric, isLabelled, className, phone, cell } = column;
  const Tag = isHeader ? "th" : "td";
  const isTitled = typeof isLabelled === "function" ? isLabelled(row) : isLabelled;
  return (
    <Tag
      scope={isHeader ? "row" : undefined}
      data-phone={phone}
      data-label={isTitled ? title : undefined}
      className={joined(isActions && "settings-acts", isNumeric && "is-numeric", className)}
    >
      {cell(row)}
    </Tag>
  );
}

function joined(...classes: readonly (string | false | undefined)[]): string | undefined {
  return classes.filter(Boolean).join(" ") || undefined;
}
