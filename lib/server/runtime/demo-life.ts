import { createDemoAcknowledgement } from "@/lib/server/collector/acknowledge-in-demo";
import type { Runtime } from "@/lib/server/running";

/** What its administrator does in a new demo, once all its companies have a snapshot. */
export type FurnishDemo = (
  runtime: Runtime,
  who: { administrator: string; member: string },
) => Promise<void>;

/**
 * What people do in a new demo: the administrator plans, shares and hands over; a member acknowledges an incident.
 * @param people.member email of the member; null: the demo isn't new
 * @returns to be called after each snapshot of a company; never throws
 */
export function createDemoLife(
  runtime: Runtime,
  people: { administrator: string; member: string | null; furnish: FurnishDemo },
): (company: string) => void {
  const { administrator, member, furnish } = people;
  if (member === null) return () => {};
  const who = { administrator, member };
  const acknowledge = createDemoAcknowledgement(runtime, member);
  let isFurnished = false;

  function furnishOnce(): void {
    const { snapshots, connections } = runtime;
    const isSeen = ({ company }: { company: string }) =>
      (snapshots.get(company)?.state.asOfMs ?? null) !== null;
    if (isFurnished || !connections.every(isSeen)) return;
    isFurnished = true;
    furnish(runtime, who).catch((err: unknown) => {
      runtime.log.warn({ err }, "couldn't furnish the demo");
    });
  }

  return (company) => {
    void acknowledge(company);
    furnishOnce();
  };
}
