import type { DeletionsView } from "@/lib/contracts/deletions";
import { listDeletions as readDeletions } from "@/lib/server/store/deletions/read-deletions";
import { readPause } from "@/lib/server/store/pauses/pauses";
import type { Person } from "@/lib/server/auth/person";
import { headView, type DeletionRuntime } from "./deletion-view";

const OWN_FOR_MS = 86_400_000;
/** Newest first; further ones show up as these end. */
const MAX_LISTED = 100;

/** Open deletions, and the person's own of the last day: `GET .../deletions`. */
export async function listDeletions(
  runtime: DeletionRuntime,
  given: { company: string; person: Pick<Person, "id"> },
): Promise<DeletionsView> {
  const rows = await readDeletions(runtime.database.orm, given.company, {
    personId: given.person.id,
    sinceMs: runtime.clock.nowMs() - OWN_FOR_MS,
    limit: MAX_LISTED,
  });
  const paused = await readPause(runtime.database.orm, "deletions");
  return {
    paused: paused && {
      since: paused.since.toISOString(),
      reason: paused.reason,
      backup_at: paused.backupAt?.toISOString() ?? null,
    },
    deletions: rows.map((row) => ({
      ...headView(runtime, row, row),
      files: row.files,
      settled: row.settled,
      name: row.files === 1 ? row.name : null,
      is_own: row.personId === given.person.id,
    })),
  };
}
