import type { IncidentsState } from "@/lib/domain/incidents/incident";
import {
  step,
  toObserve,
  type IncidentSettings,
  type Observation,
  type ObservedEndpoint,
} from "@/lib/domain/incidents/step";
import { troubleBeganMs } from "@/lib/domain/incidents/trouble-began";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { isQuietAt, type PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { concerns } from "@/lib/domain/quiet/concerns";
import { eachStep, type Steps } from "@/lib/domain/steps";
import { instantMs } from "@/lib/domain/time/instant";
import { credibleMs, verdict } from "@/lib/domain/verdict";
import type { IncidentChanges } from "@/lib/server/store/incidents/incident-records";
import {
  attributesOf,
  type EndpointRecord,
  type SnapshotChanges,
} from "@/lib/server/store/sync/records";

/**
 * Applies one complete snapshot to a company's incidents.
 * @param before state after the last recorded snapshot
 * @param planned quiet times of the company; only those in effect now matter
 * @param endpoints after this snapshot, including removed ones
 */
export function* watchIncidents(
  before: IncidentsState,
  endpoints: ReadonlyMap<string, EndpointRecord>,
  { gap, apiNowMs, verdictChanges }: Pick<SnapshotChanges, "gap" | "apiNowMs" | "verdictChanges">,
  settings: IncidentSettings,
  planned: readonly PlannedQuiet[],
): Steps<IncidentChanges> {
  const quiet = planned.filter((one) => isQuietAt(one, apiNowMs));
  const rescheduled = new Set(
    verdictChanges.flatMap(({ endpointId, isRescheduled }) => (isRescheduled ? [endpointId] : [])),
  );
  const isObserved = toObserve(before);
  const seen: ObservedEndpoint[] = [];
  yield* eachStep(endpoints, ([id, record]) => {
    if (record.removedMs !== null || !isObserved(id, record.verdict)) return;
    const isRescheduled = rescheduled.has(id);
    seen.push({ ...observed(id, record, apiNowMs, quiet), isRescheduled });
  });
  const observation: Observation = { atMs: apiNowMs, gap, endpoints: seen };
  const { state, ended, events } = step(before, observation, settings);
  const was = new Set(before.open);
  return { state, ended, events, changed: state.open.filter((incident) => !was.has(incident)) };
}

function observed(
  id: string,
  record: EndpointRecord,
  apiNowMs: number,
  quiet: readonly PlannedQuiet[],
): Omit<ObservedEndpoint, "isRescheduled"> {
  const row = attributesOf(record.row);
  const { known } = record;
  return {
    id,
    key: row.endpoint_key,
    partner: row.partner_name,
    verdict: record.verdict,
    troubleBeganMs: isTrouble(record.verdict)
      ? troubleBeganMs(verdict(row, known, apiNowMs), record.failingSinceMs, apiNowMs)
      : null,
    landedMs: credibleMs(row.last_updated_at, apiNowMs),
    lastRun:
      known.last_finished_status === null
        ? null
        : {
            status: known.last_finished_status,
            startedMs: record.lastFinishedStartedMs,
            endedMs: instantMs(known.last_finished_at),
          },
    isQuiet: quiet.some((one) => concerns(one, { id, partner: row.partner_name })),
    ...(isResting(record, apiNowMs) && { isResting: true }),
  };
}

function isResting({ row, known, verdict: word }: EndpointRecord, apiNowMs: number): boolean {
  if (!known.learned_week || isTrouble(word)) return false;
  const without = { ...known, learned_week: null };
  return isTrouble(verdict(attributesOf(row), without, apiNowMs).word);
}
