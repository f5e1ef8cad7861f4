import type { LastLook } from "@/lib/contracts/changes";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import type { Person } from "@/lib/server/auth/person";
import { ALL_COMPANIES, keepLastLook, readLastLook } from "@/lib/server/store/people/last-looks";
import { earliestSince, type ChangesRuntime } from "./get-changes";

/** Default range of changes for a person without a stored visit. */
const UNSEEN_MS = 24 * 3_600_000;

/** @param company null: the list of all companies */
type Given = { company: string | null; person: Person };

/** The caller's last visit: `GET /api/companies/[company]/last-look`, `GET /api/me/last-look`. */
export async function getLastLook(runtime: ChangesRuntime, given: Given): Promise<LastLook> {
  const keptMs = await readLastLook(runtime.database, lookerOf(given));
  const nowMs = runtime.clock.nowMs();
  // A visit in the future means that our clock was set back: fall back to the default, which shows
  // too much rather than nothing.
  const lookedMs = keptMs !== null && keptMs > nowMs ? null : keptMs;
  const sinceMs = Math.max(lookedMs ?? nowMs - UNSEEN_MS, earliestSince(runtime).ms);
  return { looked_at: isoOrNull(lookedMs), since: iso(sinceMs) };
}

/**
 * Stores now as the caller's last visit, by our clock rather than the browser's: `PUT` on the same
 * addresses.
 */
export async function putLastLook(runtime: ChangesRuntime, given: Given): Promise<LastLook> {
  await keepLastLook(runtime.database, lookerOf(given), runtime.clock.nowMs());
  return getLastLook(runtime, given);
}

function lookerOf({ company, person }: Given) {
  return { personId: person.id, company: company ?? ALL_COMPANIES };
}
