import { randomUUID } from "node:crypto";
import { Failure } from "@/lib/contracts/failure";
import { PAUSABLE } from "@/lib/domain/pause";
import type { Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { endPause } from "@/lib/server/store/pauses/pauses";

type ResumeRuntime = {
  database: Database;
  clock: Clock;
  log: Log;
  connections: readonly { company: string }[];
};

/**
 * Resumes a paused feature: `POST /api/pauses/[what]/resume`. Resuming a running one has the same
 * response.
 * @throws Failure `not_found` for an unknown feature
 */
export async function resume(
  { database, clock, log, connections }: ResumeRuntime,
  given: { what: string; person: Person },
): Promise<{ what: string; paused: null }> {
  const what = PAUSABLE.find((one) => one === given.what);
  if (what === undefined) throw new Failure("not_found", "Nothing of that name can be resumed.");
  const { id, name, email } = given.person;
  const ended = await endPause(database, what, {
    person: { id, name, email },
    requestId: randomUUID(),
    nowMs: clock.nowMs(),
    companies: connections.map(({ company }) => company),
  });
  if (ended !== null)
    log.info({ event: "resumed", what, person: id }, "what was paused has resumed");
  return { what, paused: null };
}
