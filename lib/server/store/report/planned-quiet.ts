import type { Period } from "@/lib/domain/history";
import { quietWithin } from "@/lib/domain/quiet/planned-quiet";
import { concerns } from "@/lib/domain/quiet/concerns";
import type { Database } from "@/lib/server/store/database";
import type { RecordedEndpoint } from "@/lib/server/store/history/recorded-endpoints";
import { readPlannedQuietWithin } from "@/lib/server/store/quiet/planned-quiet";

/**
 * Planned quiet times within a period.
 * @returns those of an endpoint, in any order and possibly overlapping
 */
export async function readPlannedQuiet(
  database: Pick<Database, "orm">,
  company: string,
  within: Period,
): Promise<(endpoint: Pick<RecordedEndpoint, "id" | "partnerName">) => readonly Period[]> {
  const all = (await readPlannedQuietWithin(database, company, within)).map((planned) => ({
    planned,
    periods: quietWithin(planned, within),
  }));
  return ({ id, partnerName: partner }) =>
    all.flatMap(({ planned, periods }) => (concerns(planned, { id, partner }) ? periods : []));
}
