import type { Paused } from "@/lib/domain/pause";
import { listPauses } from "@/lib/server/operations/pauses/list-pauses";
import { getRuntime } from "@/lib/server/running";

/** What waits for an administrator; none while the database is away, as what waits can't act then either. */
export async function currentPauses(): Promise<readonly Paused[]> {
  return listPauses(getRuntime()).catch(() => []);
}
