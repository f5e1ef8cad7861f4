import type { Paused } from "@/lib/domain/pause";
import { listPauses } from "@/lib/server/operations/pauses/list-pauses";
import { getRuntime } from "@/lib/server/running";

/** Paused features; none while the database is unavailable, when these can't run anyway. */
export async function currentPauses(): Promise<readonly Paused[]> {
  return listPauses(getRuntime()).catch(() => []);
}
