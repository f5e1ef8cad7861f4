import type { Stretch } from "@/lib/domain/history";
import type { Database } from "@/lib/server/store/database";

/**
 * How many incidents of each partner began within a stretch of time.
 * @returns by partner; null while incidents are not recorded
 */
export async function countIncidents(
  _database: Database,
  _company: string,
  _within: Stretch,
): Promise<Record<string, number> | null> {
  return null;
}
