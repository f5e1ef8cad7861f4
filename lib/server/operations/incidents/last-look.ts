import type { LastLook } from "@/lib/contracts/changes";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import type { Person } from "@/lib/server/auth/person";
import { ALL_COMPANIES, keepLastLook, readLastLook } from "@/lib/server/store/people/last-looks";
import { earliestSince, type ChangesRuntime } from "./get-changes";

/** Since when somebody is told of changes who has never looked. */
const UNSEEN_MS = 24 * 3_600_000;

/** @param company null: the list of all companies */
type Given = { company: string | null; person: Person };

/** When whoever asks last looked: `GET /api/companies/[company]/last-look`, `GET /api/me/last-look`. */
export async function getLastLook(runtime: ChangesRuntime, given: Given): Promise<LastLook> {
  const keptMs = await readLastLook(runtime.database, lookerOf(given));
  const nowMs = runtime.clock.nowMs();
  // Where our clock was set back since, nobody can tell: better too much than nothing.
  const lookedMs = keptMs !== null && keptMs > nowMs ? null : keptMs;
  const sinceMs = Math.max(lookedMs ?? nowMs - UNSEEN_MS, earliestSince(runtime).ms);
  return { looked_at: isoOrNull(lookedMs), since: iso(sinceMs) };
}

/**
 * Keeps that whoever asks has looked until now, by our clock: `PUT` of the same. What the browser's clock says
 * doesn't matter.
 */
export async function putLastLook(runtime: ChangesRuntime, given: Given): Promise<LastLook> {
  await keepLastLook(runtime.database, lookerOf(given), runtime.clock.nowMs());
  return getLastLook(runtime, given);
}

function lookerOf({ company, person }: Given) {
  return { personId: person.id, company: company ?? ALL_COMPANIES };
}
