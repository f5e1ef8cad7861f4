import { compareTroubles } from "@/lib/domain/incidents/incident";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { actOnIncident } from "@/lib/server/store/incidents/incident-acts";
import { readIncidentsState } from "@/lib/server/store/incidents/incident-records";
import { findAccount } from "@/lib/server/store/people/people";

const COMPANY = "northgate";
const NOTE = "Asked the partner. They are looking into it.";

/**
 * In a new demo, acknowledges the mildest of the incidents opened by the first checks, so that both an
 * acknowledged and an unacknowledged one can be seen.
 * @param email account that acknowledges it
 * @returns to be called after each check of a company; acts once, and never throws
 */
export function createDemoAcknowledgement(
  { database, clock, log }: { database: Database; clock: Pick<Clock, "nowMs">; log: Log },
  email: string,
): (company: string) => Promise<void> {
  let isDone = false;
  return async (company) => {
    if (isDone || company !== COMPANY) return;
    isDone = true;
    try {
      isDone = await acknowledgeMildest();
    } catch (err) {
      log.warn({ err }, "couldn't acknowledge an incident of the demo");
    }
  };

  /** @returns false while there are too few incidents */
  async function acknowledgeMildest(): Promise<boolean> {
    const person = await findAccount(database.orm, email, "", 0);
    if (person === null) return true;
    const { open } = await readIncidentsState(database, COMPANY);
    const [mildest] = open.toSorted(
      (a, b) => compareTroubles(a.worstVerdict, b.worstVerdict) || b.id - a.id,
    );
    if (mildest === undefined || open.length < 2) return false;
    const nowMs = clock.nowMs();
    const { id, name } = person;
    await actOnIncident(
      database,
      { company: COMPANY, id: mildest.id, act: { person: { id, name, email }, nowMs } },
      (before) =>
        before.acknowledgedById !== null || before.endedAt !== null
          ? null
          : {
              kind: "acknowledged",
              action: "acknowledge",
              set: {
                acknowledgedById: id,
                acknowledgedAt: new Date(nowMs),
                acknowledgedUntil: null,
              },
              text: NOTE,
              detail: { until: null },
            },
    );
    return true;
  }
}
