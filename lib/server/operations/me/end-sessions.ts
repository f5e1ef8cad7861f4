import type { EndedSessions } from "@/lib/contracts/me";
import { Failure } from "@/lib/contracts/failure";
import type { Person } from "@/lib/server/auth/person";
import type { SessionFacts } from "@/lib/server/auth/sessions";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import { isUuid } from "@/lib/server/http/query";
import { appendInstallationEvents, sessionsEnded } from "@/lib/server/store/audit/installation-log";
import type { Database } from "@/lib/server/store/database";
import { endOwnSessions } from "@/lib/server/store/people/own-sessions";
import { NO_SESSION } from "./words";

export type SessionsRuntime = { database: Database; clock: Clock; securityLog: SecurityLog };

type Given = { person: Person; session: SessionFacts; address: string };

/**
 * Ends one of the caller's sessions: `DELETE /api/me/sessions/[id]`, possibly the current one.
 * @throws Failure `not_found` for an unknown or ended session
 */
export async function endSession(
  runtime: SessionsRuntime,
  given: Given & { id: string },
): Promise<EndedSessions> {
  if (!isUuid(given.id)) throw noSession();
  const ended = await end(runtime, given, { only: given.id });
  if (ended === 0) throw noSession();
  return { ended };
}

/** Ends all of the caller's sessions except the current one: `DELETE /api/me/sessions`. */
export async function endOtherSessions(
  runtime: SessionsRuntime,
  given: Given,
): Promise<EndedSessions> {
  return { ended: await end(runtime, given, { allBut: given.session.id }) };
}

async function end(
  { database, clock, securityLog }: SessionsRuntime,
  { person, session, address }: Given,
  which: Parameters<typeof endOwnSessions>[2],
): Promise<number> {
  const nowMs = clock.nowMs();
  const { id, name, email } = person;
  const ended = await database.orm.transaction(async (tx) => {
    const all = await endOwnSessions(tx, id, which, nowMs);
    if (all.length > 0) {
      const browsers = all.map(({ browser }) => browser);
      const whom = { id, name, email };
      await appendInstallationEvents(tx, nowMs, [
        sessionsEnded({ by: whom, whom, sessions: all.length, browsers }),
      ]);
    }
    return all;
  });
  if (ended.length > 0) {
    const isOwn = "only" in which && which.only === session.id;
    const facts = { whom: id, sessions: String(ended.length), own: isOwn };
    securityLog.record("sessions_ended", { address, person }, facts);
  }
  return ended.length;
}

function noSession(): Failure {
  return new Failure("not_found", NO_SESSION);
}
