import { isUuid } from "@/lib/server/http/query";
import type { DeletionItem, DeletionView } from "@/lib/contracts/deletions";
import { Failure } from "@/lib/contracts/failure";
import { FEW_FILES, isFinal, secondsLeft } from "@/lib/domain/deletion";
import type { Clock } from "@/lib/server/clock";
import type { DeletionWorker } from "@/lib/server/deletions/worker";
import type { Database } from "@/lib/server/store/database";
import { readDeletion } from "@/lib/server/store/deletions/read-deletions";
import type { Deletion, DeletionFile } from "@/lib/server/store/deletions/deletion-rows";
import type { DiskGuard } from "@/lib/server/store/disk";
import type { Upstream } from "@/lib/server/upstream/upstream";
import { NO_DELETION } from "./words";

/** Dependencies of the deletion operations. */
export type DeletionRuntime = {
  database: Database;
  clock: Clock;
  upstreams: ReadonlyMap<string, Upstream>;
  disk: DiskGuard;
  deletions: Pick<DeletionWorker, "accept">;
};

/** A file costs two requests: one to read it again, one to delete it. */
const REQUESTS_PER_FILE = 2;

/**
 * A company's deletion with its files in order.
 * @throws Failure `not_found`
 */
export async function findDeletion(
  { database }: Pick<DeletionRuntime, "database">,
  company: string,
  id: string,
): Promise<{ deletion: Deletion; files: DeletionFile[] }> {
  const found = isUuid(id) ? await readDeletion(database.orm, company, id) : null;
  if (found === null) throw noSuchDeletion();
  return found;
}

export function noSuchDeletion(): Failure {
  return new Failure("not_found", NO_DELETION);
}

/** Current state of a deletion, as JSON. */
export async function deletionView(
  runtime: DeletionRuntime,
  company: string,
  id: string,
): Promise<DeletionView> {
  const { deletion, files } = await findDeletion(runtime, company, id);
  const outcomesMs = files.flatMap(({ outcomeAt }) => outcomeAt?.getTime() ?? []);
  return {
    ...headView(runtime, deletion, {
      files: files.length,
      settled: files.filter(({ outcome }) => isFinal(outcome)).length,
      pending: files.filter(({ outcome, sentAt }) => outcome === null && sentAt === null).length,
      firstOutcomeMs: outcomesMs.length === 0 ? null : Math.min(...outcomesMs),
      lastOutcomeMs: outcomesMs.length === 0 ? null : Math.max(...outcomesMs),
    }),
    items: files.map(itemView),
  };
}

function itemView(file: DeletionFile): DeletionItem {
  const { fileId, confirmed, outcome, outcomeAt, nextLookAt, contradictedAt, contradictedBy } =
    file;
  return {
    file_id: fileId,
    name: confirmed.name,
    outcome,
    outcome_at: outcomeAt?.toISOString() ?? null,
    next_look_at: outcome === "unknown" ? (nextLookAt?.toISOString() ?? null) : null,
    seen_later:
      contradictedAt === null || contradictedBy === null
        ? null
        : { at: contradictedAt.toISOString(), seen: contradictedBy },
  };
}

/** Fields shared by a deletion and its summary. */
export function headView(
  { clock, upstreams }: Pick<DeletionRuntime, "clock" | "upstreams">,
  deletion: Deletion,
  progress: {
    files: number;
    settled: number;
    pending: number;
    firstOutcomeMs: number | null;
    lastOutcomeMs: number | null;
  },
): Omit<DeletionView, "items"> {
  const nowMs = clock.nowMs();
  const isRunning = deletion.state === "running";
  const waitingUntil =
    isRunning && deletion.waitingUntil !== null && deletion.waitingUntil.getTime() > nowMs
      ? deletion.waitingUntil
      : null;
  const perMinute =
    progress.files <= FEW_FILES ? undefined : upstreams.get(deletion.company)?.jobsPerMinute();
  return {
    id: deletion.id,
    state: deletion.state,
    undo_until: deletion.undoUntil.toISOString(),
    requested_at: deletion.requestedAt.toISOString(),
    requested_by: deletion.personName,
    stopping: isRunning && deletion.stopRequestedAt !== null,
    waiting_until: waitingUntil?.toISOString() ?? null,
    seconds_left: isRunning
      ? secondsLeft(
          {
            ...progress,
            waitingUntilMs: waitingUntil?.getTime() ?? null,
            filesPerMinute: perMinute === undefined ? null : perMinute / REQUESTS_PER_FILE,
          },
          nowMs,
        )
      : null,
  };
}
