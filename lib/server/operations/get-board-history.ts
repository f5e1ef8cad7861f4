import type { BoardHistory } from "@/lib/contracts/history";
import { callInstants, observedValues, outcomeSlots } from "@/lib/domain/history";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import { answerReady, readyJson, type ReadyJson } from "@/lib/server/http/ready-json";
import type { Database } from "@/lib/server/store/database";
import {
  readAbsences,
  readCallsAt,
  readRecordedEndpoints,
  readRunSlots,
} from "@/lib/server/store/history";
import { absencesOf, axisView, openRange, unobservedOf, type PastRuntime } from "./past";
import { createPerTurn } from "./per-turn";
import { choice } from "./query";

const HOUR_MS = 3_600_000;
const SLOT_MS = HOUR_MS / 4;
const COMPANIES_KEPT = 200;

type Runtime = PastRuntime & { snapshots: Pick<Snapshots, "get" | "ageMs"> };

/** By database: tests have several in one process. */
const keptByDatabase = new WeakMap<Database, ReturnType<typeof createPerTurn<ReadyJson>>>();

/**
 * Answers `GET /api/companies/[company]/history?range=24h`: `BoardHistory`, or 304.
 *
 * Read and serialised once for each snapshot and quarter of an hour, whoever asks. When the database does
 * not answer, the last one that it gave is sent again: it says itself how far it reaches.
 * @throws Failure `invalid_request`
 */
export async function getBoardHistory(
  runtime: Runtime,
  given: { company: string; query: URLSearchParams; ifNoneMatch: string | null },
): Promise<Response> {
  const { company, query, ifNoneMatch } = given;
  choice(query, "range", ["24h"]);
  const kept = keptByDatabase.get(runtime.database) ?? createPerTurn<ReadyJson>(COMPANIES_KEPT);
  keptByDatabase.set(runtime.database, kept);
  const ready = await kept(company, turnOf(runtime, company), async () =>
    readyJson(JSON.stringify(await boardHistory(runtime, company))),
  );
  return answerReady(ready, ifNoneMatch, "private, no-store");
}

/** What must change for the answer to change: the snapshot, the axis, or that no snapshot comes. */
export function turnOf({ snapshots, clock }: Runtime, company: string): string {
  const state = snapshots.get(company)?.state;
  const slot = Math.floor((clock.nowMs() + (state?.apiClockOffsetMs ?? 0)) / SLOT_MS);
  const ageMs = snapshots.ageMs(company);
  const isLate = ageMs === null || ageMs > 2.5 * (state?.rhythmSeconds ?? 0) * 1000;
  return `${state?.asOfMs} ${slot} ${isLate}`;
}

async function boardHistory(runtime: Runtime, company: string): Promise<BoardHistory> {
  const { database } = runtime;
  const past = await openRange(runtime, company, "24h");
  const { axis } = past;
  const endpoints = await readRecordedEndpoints(database, company, { isShown: true });
  const ids = endpoints.map(({ id }) => id);
  const instantsMs = callInstants(axis, HOUR_MS, past.nowMs);
  const runs = await readRunSlots(database, company, ids, axis);
  const absences = await readAbsences(database, company, ids, axis);
  const calls = await readCallsAt(database, company, ids, instantsMs, past.rhythmSeconds * 1000);
  return {
    ...axisView(past),
    endpoints: endpoints.map((endpoint) => {
      const { id } = endpoint;
      const unobserved = unobservedOf(past, absencesOf(past, endpoint, absences.get(id)));
      const known = runs.get(id);
      return {
        id,
        slots: outcomeSlots(axis, known?.slots ?? [], unobserved),
        runs: known?.runs ?? 0,
        not_completed: known?.notCompleted ?? 0,
        calls: observedValues(instantsMs, calls.get(id) ?? [], unobserved),
      };
    }),
  };
}
