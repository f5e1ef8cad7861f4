import { Fragment, type ReactNode } from "react";
import { ScrollRegion } from "@/components/ui/scroll-region";

/**
 * Where a cell stands on a card of a phone: its line, which half of it, and how quiet it is there. "none": it is left
 * out.
 */
type OnPhone =
  | "none"
  | `${1 | 2 | 3 | 4 | 5} ${"start" | "end" | "whole"}${"" | " quiet" | " small"}`;

export type Column<Row> = {
  title: string;
  /** Utility class of its width; left out: it shares what the others leave. */
  width?: string;
  phone: OnPhone;
  cell: (row: Row) => ReactNode;
  /** It names the row. */
  isHeader?: boolean;
  /** Buttons; its title is for assistive technology only. */
  isActions?: boolean;
  /** Numbers, aligned to the right. */
  isNumeric?: boolean;
  /** On a card, where it has no head, its title stands before the cell. */
  isLabelled?: boolean;
  /** Other utility classes of its cells. */
  className?: string;
};

/** How a row differs: something is wrong with it, it is silent, or it is over; empty: it doesn't. */
type Tone = "bad" | "silent" | "off" | "";

/**
 * A list as a table, in a region that scrolls sideways; on a phone each row is a card.
 * @param keyOf what tells a row from the others
 * @param rowHeight "one-line" rows are lower, their cells centred
 * @param result what came of an action on a row, shown below it; null: nothing
 * @param said the same for assistive technology; left out: nothing is done in the rows
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
    <ScrollRegion label={label} className="relative overflow-x-auto">
      <table className={joined(`plain-table settings-list is-${rowHeight}`, className)}>
        <thead>
          <tr>
            {columns.map(({ title, width, isActions, isNumeric }) => (
              <th key={title} scope="col" className={joined(width, isNumeric && "is-numeric")}>
                {isActions ? <span className="sr-only">{title}</span> : title}
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
  return (
    <Tag
      scope={isHeader ? "row" : undefined}
      data-phone={phone}
      data-label={isLabelled ? title : undefined}
      className={joined(isActions && "settings-acts", isNumeric && "is-numeric", className)}
    >
      {cell(row)}
    </Tag>
  );
}

function joined(...classes: readonly (string | false | undefined)[]): string | undefined {
  return classes.filter(Boolean).join(" ") || undefined;
}
