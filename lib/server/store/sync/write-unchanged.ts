import { and, eq, sql } from "drizzle-orm";
import type { Once } from "@/lib/server/store/database";
import { isDueBack } from "@/lib/server/store/incidents/incident-records";
import { notification } from "@/lib/server/store/notifications";
import { incidents, incidentStates } from "@/lib/server/store/schema/incidents";
import { deadlineFolds } from "@/lib/server/store/schema/deadlines";
import { companyState } from "@/lib/server/store/schema/record";
import type { CompanyState, SnapshotChanges } from "./records";
import { encodeWritten } from "./snapshot-notification";
import { stateValues } from "./state-values";

/** Whether a snapshot adds nothing to the record but that it was taken, and so that days up to then are closed. */
export function isUnchanged({ gap, ...changes }: SnapshotChanges): boolean {
  const { endpoints, promises, facts, runs, landings, verdictChanges, callSamples } = changes;
  const { changed, ended, events } = changes.incidents;
  const { closed, received } = changes.deadlines;
  const ofEndpoints = [endpoints, promises, facts, runs, landings, verdictChanges, callSamples];
  return (
    gap === null &&
    [...ofEndpoints, changed, ended, events, closed, received].every(({ length }) => length === 0)
  );
}

/**
 * Records a snapshot for which `isUnchanged` holds, in one statement, because most are like that.
 * @param state state after this snapshot, with the version before it
 * @returns `isWritten`: false when another process has published since `state.version`, or the company's incidents have
 *   no state yet; then nothing was written. `isLentBack`: a hand-over has ended, and isn't returned yet
 */
export async function writeUnchanged(
  once: Once,
  company: string,
  state: CompanyState,
  { incidents: { state: stands }, deadlines: { fold, closedUntilMs } }: SnapshotChanges,
): Promise<{ isWritten: boolean; isLentBack: boolean }> {
  const { observedAtMs } = stands;
  if (observedAtMs === null) return { isWritten: false, isLentBack: false };
  const values = stateValues(state);
  const payload = encodeWritten({ company, version: values.version });
  const rows = await once<{ told: number; is_lent_back: boolean }>(
    (term) => sql`
      with term as (${term}),
      written as (
        update ${companyState}
        set version = ${values.version}, as_of = ${instant(values.asOf)},
          last_attempt_at = ${instant(values.lastAttemptAt)}, reason = ${values.reason},
          rhythm_seconds = ${values.rhythmSeconds}, next_refresh_at = ${instant(values.nextRefreshAt)},
          api_clock_offset_ms = ${values.apiClockOffsetMs}, total_pages = ${values.totalPages},
          rate_limit = ${json(values.rateLimit)}, budget = ${json(values.budget)}
        where ${and(eq(companyState.company, company), eq(companyState.version, state.version))}
          and exists (select from term)
          and exists (select from ${incidentStates} where ${eq(incidentStates.company, company)})
        returning 1
      ),
      stands as (
        update ${incidentStates}
        set observed_at = ${instant(new Date(observedAtMs))}, last_id = ${stands.lastId},
          suspects = ${json(stands.suspects)}
        where ${eq(incidentStates.company, company)} and exists (select from written)
      ),
      folded as (
        update ${deadlineFolds}
        set closed_until = ${instant(closedUntilMs === null ? null : new Date(closedUntilMs))}
        where ${eq(deadlineFolds.company, company)} and version = ${fold?.version ?? null}
          and exists (select from written)
      ),
      told as materialized (select ${notification("snapshots", payload)} from written)
      select (select count(*)::int from term) as held, (select count(*)::int from told) as told,
        exists (select from ${incidents} where ${isDueBack(company, state.lastAttemptMs)}) as is_lent_back`,
  );
  const [row] = rows;
  return { isWritten: row?.told === 1, isLentBack: row?.is_lent_back === true };
}

const instant = (at: Date | null) => sql`${at?.toISOString() ?? null}::timestamptz`;
const json = (value: unknown) => sql`${value === null ? null : JSON.stringify(value)}::jsonb`;
