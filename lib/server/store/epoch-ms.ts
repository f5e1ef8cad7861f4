/**
 * SQL for a timestamp as epoch milliseconds or an interval as milliseconds, rounded to integers. @param sql
 * trusted SQL, never user input
 */
export function epochMs(sql: string): string {
  return `round(date_part('epoch', ${sql}) * 1000)::float8`;
}
