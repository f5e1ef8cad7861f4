import { createDemoAcknowledgement } from "@/lib/server/collector/acknowledge-in-demo";
import type { Runtime } from "@/lib/server/running";

type Who = { administrator: string; member: string };

/** What its administrator does in a new demo. */
export type PopulateDemo = {
  /** Called once, when all its companies have a snapshot. */
  start: (runtime: Runtime, who: Who) => Promise<void>;
  /** Called until it returns true: it needs the schedule files. */
  files: (runtime: Runtime, who: Who) => Promise<boolean>;
};

/**
 * What people do in a new demo: the administrator plans, shares and hands over; a member acknowledges an incident.
 * @param people.member email of the member; null: the demo isn't new
 * @returns to be called after each snapshot of a company; never throws
 */
export function createDemoLife(
  runtime: Runtime,
  people: { administrator: string; member: string | null; populate: PopulateDemo },
): (company: string) => void {
  const { administrator, member, populate } = people;
  if (member === null) return () => {};
  const who = { administrator, member };
  const acknowledge = createDemoAcknowledgement(runtime, member);
  let isPopulated = false;
  let areFilesPopulated = false;

  async function populateOnce(): Promise<void> {
    const { snapshots, connections, demo } = runtime;
    if (!demo.isOn()) return;
    const isSeen = ({ company }: { company: string }) =>
      (snapshots.get(company)?.state.asOfMs ?? null) !== null;
    try {
      if (!isPopulated) {
        if (!connections.filter(({ company }) => demo.has(company)).every(isSeen)) return;
        isPopulated = true;
        await populate.start(runtime, who);
      } else if (!areFilesPopulated) {
        areFilesPopulated = true;
        areFilesPopulated = await populate.files(runtime, who);
      }
    } catch (err) {
      runtime.log.warn({ err }, "couldn't populate the demo");
    }
  }

  return (company) => {
    void acknowledge(company);
    void populateOnce();
  };
}
