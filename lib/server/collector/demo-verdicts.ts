import { isDecisive, NOTHING_KNOWN } from "@/lib/domain/known";
import type { EndpointFacts, SyncAttributes, Verdict } from "@/lib/domain/sync";
import { iso } from "@/lib/domain/time/instant";
import { verdict } from "@/lib/domain/verdict";
import type { DemoHistoryChunk } from "@/lib/server/store/sync/demo-history";

/** Interval at which verdicts that change only with time are evaluated, like our checks. */
const LOOK_EVERY_MS = 10 * 60_000;

/** An endpoint of the demo world, as far as its verdict depends on it. */
type DemoEndpoint = {
  id: string;
  partnerName: string;
  endpointKey: string;
  /** As returned by the API. */
  status: string;
  frequencyMinutes: number | null;
  /** A period with other settings. `as` is null: not listed. Epoch milliseconds. */
  otherwise: {
    fromMs: number;
    untilMs: number;
    as: { status: string; frequencyMinutes: number | null } | null;
  } | null;
};

type Chunk = Omit<DemoHistoryChunk, "verdictChanges">;

/**
 * Adds to each chunk of the demo world's history the verdicts that our checks would have found, by the current
 * rules. Before its first landing or run, an endpoint is unknown.
 * @param given.fromMs start of the first chunk, epoch milliseconds
 * @param given.pieceMs duration of each chunk
 * @param given.untilMs end of the last chunk
 */
export function* withDemoVerdicts(
  chunks: Iterable<Chunk>,
  given: {
    endpoints: readonly DemoEndpoint[];
    fromMs: number;
    untilMs: number;
    pieceMs: number;
  },
): Generator<DemoHistoryChunk> {
  const judges = given.endpoints.map((endpoint) => createJudge(endpoint));
  let fromMs = given.fromMs;
  for (const chunk of chunks) {
    const untilMs = Math.min(fromMs + given.pieceMs, given.untilMs);
    const events = eventsById(chunk);
    yield {
      ...chunk,
      verdictChanges: judges.flatMap(({ id, judge }) =>
        judge(events.get(id) ?? [], fromMs, untilMs),
      ),
    };
    fromMs = untilMs;
  }
}

type Event = { atMs: number; apply: (row: SyncAttributes, streak: number) => number };

/** Events that change an endpoint's row, in chronological order. */
function eventsById({ runs, landings }: Chunk): Map<string, Event[]> {
  const events = new Map<string, Event[]>();
  const add = (id: string, event: Event) => {
    const own = events.get(id);
    if (own === undefined) events.set(id, [event]);
    else own.push(event);
  };
  for (const { endpointId, landedAt } of landings) {
    add(endpointId, {
      atMs: landedAt,
      apply(row, streak) {
        row.last_updated_at = iso(landedAt);
        return streak;
      },
    });
  }
  for (const run of runs) {
    const { finishedAt, status } = run;
    if (finishedAt === null) continue;
    add(run.endpointId, {
      atMs: finishedAt,
      apply(row, streak) {
        row.last_sync_status = status;
        row.last_sync_started_at = iso(run.startedAt);
        row.last_sync_finished_at = iso(finishedAt);
        row.last_sync_duration_seconds = run.durationSeconds;
        if (status === "completed") return 0;
        return status === "failed" || status === "timed_out" ? streak + 1 : streak;
      },
    });
  }
  for (const own of events.values()) own.sort((a, b) => a.atMs - b.atMs);
  return events;
}

/** @returns `judge` finds the changes within a period, which must follow the previous one */
function createJudge(endpoint: DemoEndpoint) {
  const { id, partnerName, endpointKey, status, frequencyMinutes, otherwise } = endpoint;
  const row: SyncAttributes = {
    endpoint_key: endpointKey,
    partner_name: partnerName,
    status,
    last_updated_at: null,
    next_sync_at: null,
    last_sync_status: null,
    last_sync_started_at: null,
    last_sync_finished_at: null,
    last_sync_duration_seconds: null,
    frequency_minutes: frequencyMinutes,
    api_calls_last_24h: 0,
  };
  let streak = 0;
  let known: EndpointFacts = NOTHING_KNOWN;
  let held: Verdict | null = null;
  let cadence = frequencyMinutes;
  const found: DemoHistoryChunk["verdictChanges"][number][] = [];
  /** Settings at a given time; null: not listed. */
  const settingsAt = (atMs: number) => {
    const isOtherwise = otherwise !== null && otherwise.fromMs <= atMs && atMs < otherwise.untilMs;
    return isOtherwise ? otherwise.as : { status, frequencyMinutes };
  };
  const look = (atMs: number) => {
    const as = settingsAt(atMs);
    const word =
      as === null
        ? null
        : verdict(
            { ...row, status: as.status, frequency_minutes: as.frequencyMinutes },
            { ...known, failures_in_a_row: streak },
            atMs,
          ).word;
    const isRescheduled = as !== null && as.frequencyMinutes !== cadence;
    if (as !== null) cadence = as.frequencyMinutes;
    if (word === held) return;
    found.push({ endpointId: id, at: atMs, verdict: word, previous: held, isRescheduled });
    held = word;
  };
  /** Changes of settings are seen at once. */
  const lookAtTurn = (afterMs: number, untilMs: number) => {
    for (const turnMs of otherwise === null ? [] : [otherwise.fromMs, otherwise.untilMs])
      if (afterMs < turnMs && turnMs < untilMs) look(turnMs);
  };
  return {
    id,
    judge: (events: readonly Event[], fromMs: number, untilMs: number) => {
      found.length = 0;
      let next = 0;
      for (let atMs = fromMs; atMs < untilMs; atMs += LOOK_EVERY_MS) {
        const beforeMs = Math.min(atMs + LOOK_EVERY_MS, untilMs);
        look(atMs);
        let turned = atMs;
        for (
          let event = events[next];
          event !== undefined && event.atMs <= beforeMs;
          event = events[next]
        ) {
          lookAtTurn(turned, event.atMs);
          turned = event.atMs;
          streak = event.apply(row, streak);
          if (isDecisive(row.last_sync_status))
            known = {
              ...NOTHING_KNOWN,
              last_finished_status: row.last_sync_status,
              last_finished_at: row.last_sync_finished_at,
            };
          look(event.atMs);
          next += 1;
        }
        lookAtTurn(turned, beforeMs);
      }
      return [...found];
    },
  };
}
