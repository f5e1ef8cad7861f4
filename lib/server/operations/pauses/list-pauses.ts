import type { Paused } from "@/lib/domain/pause";
import type { Database } from "@/lib/server/store/database";
import { readPauses } from "@/lib/server/store/pauses/pauses";

/**
 * Features paused until an administrator resumes them, in a fixed order. Rejects when the database
 * does.
 */
export async function listPauses({ database }: { database: Database }): Promise<Paused[]> {
  const rows = await readPauses(database.orm);
  return rows
    .map(({ what, backupAt }) => ({ what, backupAtMs: backupAt?.getTime() ?? null }))
    .toSorted((a, b) => (a.what < b.what ? -1 : 1));
}
