import type { Stretch } from "@/lib/domain/history";
import type { Database } from "@/lib/server/store/database";
import type { RecordedEndpoint } from "@/lib/server/store/history/recorded-endpoints";

/**
 * The planned quiet times within a stretch.
 * @returns those of an endpoint, in any order; none while they are not recorded
 */
export async function readPlannedQuiet(
  _database: Database,
  _company: string,
  _within: Stretch,
): Promise<(endpoint: RecordedEndpoint) => readonly Stretch[]> {
  return () => [];
}
