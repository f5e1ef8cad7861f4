import type { Pausable, UNLOGGED_RESTORE } from "@/lib/domain/pause";
import type { Database } from "@/lib/server/store/database";
import { pauses } from "@/lib/server/store/schema/pauses";

/** Pauses something as a restore does. */
export async function pauseByRestore(
  { orm }: Pick<Database, "orm">,
  what: Pausable | typeof UNLOGGED_RESTORE,
  sinceMs: number,
): Promise<void> {
  await orm.insert(pauses).values({
    what,
    since: new Date(sinceMs),
    reason: "restored",
    backupAt: new Date(sinceMs - 1),
  });
}
