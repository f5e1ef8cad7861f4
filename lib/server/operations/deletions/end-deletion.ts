import { randomUUID } from "node:crypto";
import { Failure } from "@/lib/contracts/failure";
import type { Person } from "@/lib/server/auth/person";
import {
  stopDeletion as stop,
  undoDeletion as undo,
} from "@/lib/server/store/deletions/ask-deletion";
import type { DeletionView } from "@/lib/contracts/deletions";
import { deletionView, noSuchDeletion, type DeletionRuntime } from "./deletion-view";
import { isUuid } from "@/lib/server/http/query";
import { TOO_LATE } from "./words";

type Given = { company: string; id: string; person: Person };

/**
 * Undoes a deletion while nothing was sent: `POST .../deletions/[id]/undo`. Each person who may
 * delete files of the company may undo it. One that ended without deleting anything is returned
 * unchanged.
 * @throws Failure `not_found`; `conflict` when it is too late
 */
export async function undoDeletion(runtime: DeletionRuntime, given: Given): Promise<DeletionView> {
  const before = await change(runtime, given, undo);
  if (before === "running" || before === "done") {
    throw new Failure("conflict", TOO_LATE);
  }
  return deletionView(runtime, given.company, given.id);
}

/**
 * Stops a deletion: `POST .../deletions/[id]/stop`. The file in progress is finished, the others
 * stay. A waiting one is undone, one that has ended is returned unchanged.
 * @throws Failure `not_found`
 */
export async function stopDeletion(runtime: DeletionRuntime, given: Given): Promise<DeletionView> {
  await change(runtime, given, stop);
  return deletionView(runtime, given.company, given.id);
}

async function change(
  { database, clock }: DeletionRuntime,
  { company, id, person }: Given,
  how: typeof undo,
): Promise<Awaited<ReturnType<typeof undo>>> {
  const by = { id: person.id, name: person.name, email: person.email };
  const before = isUuid(id)
    ? await how(database, { company, id, by, requestId: randomUUID(), nowMs: clock.nowMs() })
    : null;
  if (before === null) throw noSuchDeletion();
  return before;
}
