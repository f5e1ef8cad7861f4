import { getTableColumns, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";

/** A row of one company, with all columns: one that isn't named would become null. */
export type RowOf<Table extends PgTable> = {
  [Name in Exclude<keyof Table["$inferSelect"], "company">]: Table["$inferSelect"][Name];
};
/** Names of a row's columns, as in the schema. */
type ColumnOf<Table extends PgTable> = string & keyof RowOf<Table>;

/** SQL for what a statement that writes rows is given. */
export type GivenRows = {
  company: SQLWrapper;
  /** A JSON array of the rows, as text. */
  rows: SQLWrapper;
  /** Nothing is written unless this is true. */
  where: SQL;
};

/** Rows of a company as constants of a statement. */
export function constantRows(company: string, rows: readonly object[]): GivenRows {
  return { company: sql`${company}`, rows: sql`${JSON.stringify(rows)}`, where: sql`true` };
}

/**
 * SQL: inserts a company's rows, or updates those that exist. The rows are one parameter: the statement is the same for
 * any number of them, so it takes no time to build, and can be prepared.
 * @param given.rows `RowOf` as JSON
 * @param updated the columns that existing rows take over; none: they stay as they are
 */
export function insertRows<Table extends PgTable>(
  table: Table,
  { company, rows, where }: GivenRows,
  updated: readonly ColumnOf<Table>[],
): SQL {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => name !== "company");
  const given = columns.map(
    ([name, column]) => sql`${sql.identifier(name)} ${sql.raw(column.getSQLType())}`,
  );
  const taken = columns
    .filter(([name]) => updated.some((one) => one === name))
    .map(([, { name }]) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`);
  return sql`
    insert into ${table} (company, ${listed(columns.map(([, { name }]) => sql.identifier(name)))})
    select ${company}, ${listed(columns.map(([name]) => sql.identifier(name)))}
    from json_to_recordset(${rows}::json) as given (${listed(given)})
    where ${where}
    on conflict (${listed(keyOf(table).map(({ name }) => sql.identifier(name)))})
    do ${taken.length === 0 ? sql`nothing` : sql`update set ${listed(taken)}`}`;
}

/** The columns of a row but for those of its key and some others. */
export function columnsBut<Table extends PgTable>(
  table: Table,
  others: readonly ColumnOf<Table>[],
): ColumnOf<Table>[] {
  const key = keyOf(table);
  return Object.entries(getTableColumns(table)).flatMap(([name, column]) =>
    key.includes(column) || others.some((one) => one === name) ? [] : (name as ColumnOf<Table>),
  );
}

const keyOf = (table: PgTable) =>
  getTableConfig(table).primaryKeys.flatMap(({ columns }) => columns);

const listed = (parts: readonly SQLWrapper[]) => sql.join([...parts], sql`, `);
