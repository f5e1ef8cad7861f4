import type { Channel } from "@/lib/contracts/delivery";
import type { Person } from "@/lib/server/auth/person";
import { listChannels } from "@/lib/server/operations/channels/channels";
import { getRuntime } from "@/lib/server/running";
import { within } from "@/lib/server/waiting";
import { mayManageChannels } from "./current-person";

/** No page waits longer for them: the browser asks again. */
const PATIENCE_MS = 300;

/**
 * The channels through which nothing gets, for the banner on every page.
 * @returns null for a person who may not manage channels; empty too while the database doesn't answer
 */
export async function firstDeadChannels(person: Person): Promise<Channel[] | null> {
  if (!mayManageChannels(person)) return null;
  const runtime = getRuntime();
  const listed = listChannels(runtime).then(
    ({ data }) => data.filter(({ state }) => state === "dead"),
    () => [],
  );
  return within(runtime.clock, PATIENCE_MS, listed, () => []);
}
