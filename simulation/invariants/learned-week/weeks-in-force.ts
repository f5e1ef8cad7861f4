import { timeText, type Week } from "./rests";

/** A row of `learned_weeks` as it was written. Instants are ISO 8601. */
export type RecordedWeek = {
  endpoint_id: string;
  from_at: string;
  until_at: string | null;
  time_zone: string;
  spans: { from: number; until: number }[];
  cadence_ms: number;
  since_at: string;
};

/** A row of `deadline_days`. */
export type RecordedDay = {
  endpoint_id: string;
  deadline_id: string;
  date: string;
  outcome: string;
  received_at: string | null;
};

/** Which learned week may be applied to each endpoint of a company, as far as was committed. */
export type WeeksInForce = {
  week(row: RecordedWeek): void;
  /** @param lookedUntil ISO 8601; null: not yet */
  look(lookedUntil: string | null): void;
  day(row: RecordedDay): void;
  /** A check was committed. */
  checked(): void;
  /** @param cadenceMs null: unknown */
  applicable(endpointId: string, cadenceMs: number | null, atMs: number): Applicable;
  /** All that are in force. */
  all(): ReadonlyMap<string, RecordedWeek>;
};

/** The week that applies by what is committed now, and by what was when the check before was; null: none. */
export type Applicable = { now: Week | null; before: Week | null };

const DAY_MS = 86_400_000;
const LOOK_LASTS_MS = 9 * DAY_MS;

type State = {
  weeks: Map<string, RecordedWeek>;
  lookedMs: number | null;
  /** Closed days without their data, by endpoint. */
  missed: Map<string, Set<string>>;
};

export function createWeeksInForce(): WeeksInForce {
  const now: State = { weeks: new Map(), lookedMs: null, missed: new Map() };
  let before = copyOf(now);
  return {
    week(row) {
      const own = now.weeks.get(row.endpoint_id);
      if (row.until_at === null) now.weeks.set(row.endpoint_id, row);
      else if (own?.from_at === row.from_at) now.weeks.delete(row.endpoint_id);
    },
    look: (lookedUntil) =>
      void (now.lookedMs = lookedUntil === null ? null : Date.parse(lookedUntil)),
    day(row) {
      const missed = now.missed.get(row.endpoint_id) ?? new Set();
      now.missed.set(row.endpoint_id, missed);
      const name = `${row.deadline_id} ${row.date}`;
      if (row.outcome === "missed" && row.received_at === null) missed.add(name);
      else missed.delete(name);
    },
    checked: () => void (before = copyOf(now)),
    applicable: (id, cadenceMs, atMs) => ({
      now: weekIn(now, id, cadenceMs, atMs),
      before: weekIn(before, id, cadenceMs, atMs),
    }),
    all: () => now.weeks,
  };
}

const copyOf = ({ weeks, lookedMs, missed }: State): State => ({
  weeks: new Map(weeks),
  lookedMs,
  missed: new Map([...missed].map(([id, days]) => [id, new Set(days)])),
});

function weekIn(state: State, id: string, cadenceMs: number | null, atMs: number): Week | null {
  const row = state.weeks.get(id);
  const { lookedMs } = state;
  if (row === undefined || lookedMs === null || cadenceMs === null) return null;
  const isLookCurrent = atMs < lookedMs + LOOK_LASTS_MS && atMs > lookedMs - DAY_MS;
  const isSameCadence = Math.abs(cadenceMs - row.cadence_ms) <= row.cadence_ms / 10;
  const isAwaited = (state.missed.get(id)?.size ?? 0) > 0;
  return isLookCurrent && isSameCadence && !isAwaited ? weekOf(row) : null;
}

/** As rows have it. */
export const weekOf = ({ time_zone, spans, since_at }: RecordedWeek): Week => ({
  time_zone,
  spans: spans.map(({ from, until }) => ({ from: timeText(from), until: timeText(until) })),
  since: since_at,
});

export const isSameWeek = (a: Week | null, b: Week | null): boolean => textOf(a) === textOf(b);

const textOf = (week: Week | null): string =>
  week === null
    ? ""
    : JSON.stringify([
        week.time_zone,
        Date.parse(week.since),
        week.spans.map(({ from, until }) => `${from} ${until}`),
      ]);
