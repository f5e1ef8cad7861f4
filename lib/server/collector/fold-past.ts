import type { ReadSyncStatus } from "@/lib/contracts/v3";
import type { Verdict } from "@/lib/domain/sync";
import { verdict, type Judgement } from "@/lib/domain/verdict";
import {
  RECENT_LANDINGS,
  RECENT_RUNS,
  type EndpointHistory,
} from "@/lib/server/store/sync/endpoint-history";
import {
  attributesOf,
  type EndpointRecord,
  type RunRecord,
  type VerdictChange,
} from "@/lib/server/store/sync/records";
import { completed } from "@/lib/domain/steps";
import { applySnapshot, findChanges, type FoundChanges } from "./observe";

/** The row that the API listed from `atMs` on; null: the endpoint wasn't listed. Epoch milliseconds. */
type PastRow = { atMs: number; row: ReadSyncStatus | null };

/** What a check found about one endpoint. Epoch milliseconds on the API clock. */
export type PastCheck = {
  atMs: number;
  runs: readonly RunRecord[];
  landings: readonly { endpointId: string; landedMs: number }[];
  verdictChanges: readonly VerdictChange[];
};

/**
 * What our checks would have recorded about one endpoint whose rows are known: the same code as for a new snapshot,
 * applied to every check that could find anything new. The others are skipped.
 * @param rows ascending; the first one at `fromMs`
 * @param given.fromMs the first check; nothing is known before it
 * @param given.recordMs checks up to this one aren't returned: they only provide what the later ones compare with, and
 * the verdict at this moment, returned first as a change to itself; default: all are returned
 * @param given.untilMs no check after it
 * @param given.everyMs interval of the checks
 */
export function* foldPast(
  id: string,
  rows: Iterable<PastRow>,
  given: { fromMs: number; recordMs?: number; untilMs: number; everyMs: number },
): Generator<PastCheck, void, undefined> {
  const { fromMs, recordMs = -Infinity, untilMs, everyMs } = given;
  const checkFor = (atMs: number) => fromMs + Math.ceil((atMs - fromMs) / everyMs) * everyMs;
  const coming = rows[Symbol.iterator]();
  let next = coming.next();
  const changesMs = () => (next.done === true ? Infinity : next.value.atMs);
  const endpoint = createEndpoint(id, everyMs);
  let listed: ReadSyncStatus | null = null;
  let opening: Verdict | null = null;
  let isOpen = recordMs === -Infinity;
  for (let atMs = fromMs; atMs <= untilMs;) {
    for (; next.done !== true && next.value.atMs <= atMs; next = coming.next())
      listed = next.value.row;
    const comesMs = changesMs();
    if (listed !== null && checkFor(comesMs) <= recordMs) {
      endpoint.remember(listed, atMs);
      atMs = checkFor(comesMs);
      continue;
    }
    if (atMs > recordMs && !isOpen) {
      isOpen = true;
      if (opening !== null) yield openingOf(id, opening, recordMs);
    }
    const { runs, landings, verdictChanges } = endpoint.check(listed, atMs);
    if (atMs <= recordMs) opening = endpoint.verdict();
    if (atMs > recordMs && runs.length + landings.length + verdictChanges.length > 0)
      yield { atMs, runs, landings, verdictChanges };
    atMs = Math.max(atMs + everyMs, checkFor(Math.min(endpoint.turnsMs(atMs), comesMs)));
  }
  if (!isOpen && opening !== null) yield openingOf(id, opening, recordMs);
}

/** The verdict at the start of a part, as a change to itself: without one, it would be unknown until the next change. */
function openingOf(endpointId: string, opening: Verdict, atMs: number): PastCheck {
  const change = { endpointId, verdict: opening, previous: opening, isRescheduled: false };
  return { atMs, runs: [], landings: [], verdictChanges: [change] };
}

function createEndpoint(id: string, everyMs: number) {
  let remembered: { row: ReadSyncStatus; atMs: number } | null = null;
  let recorded: ReadonlyMap<string, EndpointRecord> = new Map();
  let history: EndpointHistory = { runs: [], landingsMs: [] };
  let previousMs: number | null = null;
  let isMissing = false;

  function apply(listed: ReadSyncStatus | null, atMs: number) {
    const present = new Map(listed === null ? [] : [[id, listed]]);
    const found = completed(findChanges(recorded, present, atMs));
    const { endpoints, changes } = completed(
      applySnapshot({
        recorded,
        samples: new Map(),
        rows: present,
        found,
        histories: new Map(found.endpointIds.has(id) ? [[id, history]] : []),
        blindGaps: [],
        gap: null,
        asOfMs: atMs,
        previousAsOfMs: previousMs,
        apiNowMs: atMs,
        missingForAPoll: new Set(isMissing ? [id] : []),
      }),
    );
    history = withFound(history, found);
    recorded = endpoints;
    previousMs = atMs;
    isMissing = listed === null;
    return changes;
  }

  return {
    /** Only keeps what later checks derive facts from. To be followed by a check before any is returned. */
    remember(listed: ReadSyncStatus, atMs: number): void {
      const { row = null } = remembered ?? {};
      const before = new Map(row === null ? [] : [[id, { row }]]);
      history = withFound(history, completed(findChanges(before, new Map([[id, listed]]), atMs)));
      remembered = { row: listed, atMs };
      recorded = new Map();
    },

    check(listed: ReadSyncStatus | null, atMs: number) {
      // That it isn't listed any more is found by comparison.
      if (remembered !== null && listed === null) apply(remembered.row, remembered.atMs);
      remembered = null;
      return apply(listed, atMs);
    },

    /** After the last check; null: not listed. */
    verdict(): Verdict | null {
      const record = recorded.get(id);
      return record === undefined || record.removedMs !== null ? null : record.verdict;
    },

    /** The next instant at which a check could find a change although the row stays the same; infinite: none. */
    turnsMs(atMs: number): number {
      const record = recorded.get(id);
      if (record === undefined || record.removedMs !== null) return Infinity;
      if (isMissing) return atMs + everyMs;
      return turnsAfter(verdict(attributesOf(record.row), record.known, atMs).terms, atMs);
    },
  };
}

/** The next instant at which an endpoint's verdict may change by time alone; infinite: never. */
function turnsAfter(terms: Judgement["terms"], atMs: number): number {
  const { landingMs, nextMs, cadenceMs, graceMs, staleAfterMs, runStartedMs, stuckAfterMs } = terms;
  const dueMs = landingMs === null || cadenceMs === null ? null : landingMs + cadenceMs;
  const allowances = [0, graceMs ?? 0, staleAfterMs ?? 0, (graceMs ?? 0) + (cadenceMs ?? 0)];
  const stuckMs =
    runStartedMs === null || stuckAfterMs === null ? Infinity : runStartedMs + stuckAfterMs;
  const turns = [dueMs, nextMs].flatMap((sinceMs) =>
    sinceMs === null ? [] : allowances.map((allowedMs) => sinceMs + allowedMs),
  );
  return Math.min(...[...turns, stuckMs].filter((turnMs) => turnMs >= atMs));
}

/** The recent history after a check, as it would be read from the record. */
function withFound({ runs, landingsMs }: EndpointHistory, found: FoundChanges): EndpointHistory {
  const [run] = found.runs;
  const [landing] = found.landings;
  return {
    runs:
      run === undefined
        ? runs
        : [run, ...runs.filter(({ startedMs }) => startedMs !== run.startedMs)].slice(
            0,
            RECENT_RUNS,
          ),
    landingsMs:
      landing === undefined || landingsMs.includes(landing.landedMs)
        ? landingsMs
        : [...landingsMs, landing.landedMs].slice(-RECENT_LANDINGS),
  };
}
