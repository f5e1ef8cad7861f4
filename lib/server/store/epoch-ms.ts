/** An instant in SQL as epoch milliseconds, or an interval as milliseconds; whole ones. @param sql of ours */
export function epochMs(sql: string): string {
  return `round(date_part('epoch', ${sql}) * 1000)::float8`;
}
