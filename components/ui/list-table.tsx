import type { ReactNode } from "react";
import { ScrollRegion } from "./scroll-region";

/**
 * A list as a table, one row each, in a region that scrolls sideways when it overflows.
 * @param className for its layout in a style sheet
 * @param said announcement of what was just done to a row; omitted: the table has no actions
 */
export function ListTable({
  label,
  className,
  columns,
  acts,
  said,
  children,
}: {
  label: string;
  className: string;
  columns: readonly string[];
  acts?: string;
  said?: string;
  children: ReactNode;
}) {
  return (
    <ScrollRegion label={label} className="relative overflow-x-auto">
      <table className={`plain-table ${className}`}>
        <ListHead columns={columns} acts={acts} />
        <tbody>{children}</tbody>
      </table>
      {said === undefined ? null : (
        <p role="status" className="sr-only">
          {said}
        </p>
      )}
    </ScrollRegion>
  );
}

/**
 * The header of a table. @param acts accessible name of the last column, which has no visible one;
 * undefined: no such column
 */
export function ListHead({
  columns,
  acts,
}: {
  columns: readonly string[];
  acts?: string | undefined;
}) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
        {acts === undefined ? null : (
          <th scope="col">
            <span className="sr-only">{acts}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
