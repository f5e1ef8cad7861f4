import type { Clock } from "@/lib/server/clock";
import type { Evidence } from "@/lib/server/evidence";
import { appendHouse, type HouseEvent } from "@/lib/server/store/audit/house";
import type { Database } from "@/lib/server/store/database";

/** What is refused at the door, in the audit log of the house. */
export type DoorLog = {
  /**
   * Adds what was refused. Never throws: nobody is let in or kept out by it. Strangers cause it as often as they
   * like, so so many a minute are added, and the log has the count of all.
   */
  refused(event: HouseEvent): Promise<void>;
};

const MINUTE_MS = 60_000;
const MOST_A_MINUTE = 30;

export function createDoorLog({
  database,
  clock,
  evidence,
}: {
  database: Database;
  clock: Clock;
  evidence: Evidence;
}): DoorLog {
  let minute = { beganMs: Number.NEGATIVE_INFINITY, count: 0 };

  return {
    async refused(event) {
      const nowMs = clock.monotonicMs();
      if (nowMs - minute.beganMs >= MINUTE_MS) minute = { beganMs: nowMs, count: 0 };
      minute.count += 1;
      if (minute.count > MOST_A_MINUTE) return;
      try {
        await database.orm.transaction((tx) => appendHouse(tx, clock.nowMs(), [event]));
      } catch (error) {
        evidence.failed("refusal_unrecorded", error, null);
      }
    },
  };
}
