import type { ReactNode } from "react";
import { ScrollRegion } from "./scroll-region";

/**
 * A list as a table, one row each, in a region that scrolls sideways where there is no room.
 * @param className by which a sheet lays it out
 * @param said what was just done to a row, for whoever can't see it; left out: nothing is done in it
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

/** The head of a table. @param acts what the last column is called, which shows no name; undefined: there is none */
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
