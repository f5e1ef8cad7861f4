import { groupBy } from "@/lib/domain/collections/group-by";
import { mergePeriods, periodAt, type Period } from "@/lib/domain/history";
import { quietWithin, type PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { concerns } from "@/lib/domain/quiet/concerns";
import { isTrouble, type EndedIncident, type IncidentsState } from "./incident";
import { step, type IncidentEvent, type IncidentSettings, type ObservedEndpoint } from "./step";
import {
  changed,
  heldBefore,
  seenAtMs,
  turned,
  type PastPeriod,
  type RecordedPast,
} from "./past-endpoint";

/** State of the incident rule during a replay. */
export type ReplayState = IncidentsState & {
  /**
   * Endpoints in trouble by id: when that started, if recorded, and whether the endpoint was in a planned quiet time
   * when last seen. A quiet endpoint isn't a member; when the quiet time ends it is one again, from `beganMs`.
   * Undefined: none.
   */
  troubles?: Readonly<Record<string, { beganMs: number | null; isQuiet: boolean }>>;
};

/** Progress of the replay; plain JSON, stored with the record. */
export type IncidentsReplay = {
  /** Start of the record. */
  fromMs: number;
  /** Everything before this has been replayed. */
  untilMs: number;
  state: ReplayState;
  /** Events of the incidents open at that point. */
  events: readonly IncidentEvent[];
};

/**
 * Applies the live incident rule to a period of the record. The record doesn't hold checks, only their findings: each
 * verdict change and each end of a gap was a check, and outside gaps, changes caused by time alone are applied when
 * they are due. Unproven trouble is ignored: an endpoint isn't in trouble before a recorded change says so.
 * The result doesn't depend on how the past is cut into periods.
 * @returns the state afterwards, the incidents that ended, and the events
 * Source: docs/incidents.md.
 */
export function replay(
  before: ReplayState,
  past: PastPeriod,
  settings: IncidentSettings,
): { state: ReplayState; ended: EndedIncident[]; events: IncidentEvent[] } {
  const gaps = mergePeriods(past.gaps, {
    fromMs: before.observedAtMs ?? past.fromMs,
    untilMs: past.untilMs,
  });
  // Uses gaps before the period too: they decide when data that arrived just before it was seen.
  const known = mergePeriods(past.gaps, { fromMs: -Infinity, untilMs: past.untilMs });
  const sightings = sightingsOf(past, known);
  const changes = changesOf(past);
  const quiet = quietOf(past);
  const owns = new Map(past.endpoints.map((own) => [own.id, own]));
  const moments = momentsOf(
    past,
    { foundMs: [...sightings.keys(), ...changes.keys()], turnsMs: turnsOf(quiet, known) },
    before.observedAtMs,
  );
  const troubles = new Map(Object.entries(before.troubles ?? {}));
  const watching = new Map(
    past.endpoints.flatMap((own) => {
      const held = own.before === null ? null : heldBefore(own, own.before, past, known);
      if (held === null) return [];
      const { beganMs: begunMs = null, isQuiet = false } = troubles.get(own.id) ?? {};
      return [[own.id, { ...held, troubleBeganMs: begunMs, isQuiet }] as const];
    }),
  );

  // Order decides between equals, so it must not depend on what changed last.
  const places = new Map(past.endpoints.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: ObservedEndpoint) => places.get(id) ?? 0;

  const { troubles: _, ...stands } = before;
  let state: IncidentsState = stands;
  const ended: EndedIncident[] = [];
  const events: IncidentEvent[] = [];
  let next = 0;
  for (;;) {
    const plannedMs = moments[next] ?? Infinity;
    const atMs = Math.min(plannedMs, dueMs(state, gaps, settings));
    if (!(atMs < past.untilMs))
      return { state: { ...state, ...troublesOf(watching) }, ended, events };
    if (atMs === plannedMs) next += 1;
    for (const { own, landedMs } of sightings.get(atMs) ?? []) {
      const seen = watching.get(own.id);
      if (seen !== undefined && landedMs > (seen.landedMs ?? -Infinity))
        watching.set(own.id, {
          ...seen,
          landedMs,
          // Overdue again after new data: that is a new trouble.
          troubleBeganMs: seen.verdict === "failing" ? seen.troubleBeganMs : atMs,
        });
    }
    for (const { own, verdict: now, isRescheduled } of changes.get(atMs) ?? []) {
      if (now === null) watching.delete(own.id);
      else {
        const found = { verdict: now, isRescheduled };
        watching.set(own.id, changed(own, found, watching.get(own.id) ?? null, atMs, past));
      }
    }
    for (const [id, seen] of watching)
      watching.set(id, turned(seen, isQuietFor(seen, atMs, quiet), owns.get(id), atMs));
    const endpoints = [...watching.values()].toSorted((a, b) => placeOf(a) - placeOf(b));
    const after = step(
      state,
      { atMs, gap: gapBetween(state.observedAtMs, atMs, gaps), endpoints },
      settings,
    );
    state = after.state;
    ended.push(...after.ended);
    events.push(...after.events);
    // The rule ignores healthy endpoints; a member whose state is unknown remains one.
    for (const { id, verdict: now } of endpoints)
      if (!isTrouble(now) && now !== "unknown") watching.delete(id);
  }
}

/** Data that a check found at `atMs`. */
type Sighting = { own: RecordedPast; atMs: number; landedMs: number };
/** A verdict change found by a check; null: the endpoint was removed. */
type Found = RecordedPast["changes"][number] & { own: RecordedPast };

/** The ends of a gap are dated by different responses of the API, whose clocks differ by at most this. */
const CLOCKS_WITHIN_MS = 5_000;

/** The latest time at which data that ended no trouble was seen, by instant. */
function sightingsOf(
  { endpoints, fromMs, untilMs, seenWithinMs }: PastPeriod,
  gaps: readonly Period[],
): Map<number, Sighting[]> {
  const sightings = endpoints.flatMap((own) =>
    own.landings.flatMap((landing): Sighting[] => {
      const atMs = seenAtMs(landing, gaps, seenWithinMs);
      if (atMs < fromMs || atMs >= untilMs) return [];
      const held = own.changes.findLast((change) => change.atMs <= atMs) ?? own.before;
      const earliestMs = landing.seenMs ?? landing.atMs;
      if (held === null || held.atMs >= earliestMs || !isTrouble(held.verdict)) return [];
      return [{ own, atMs, landedMs: landing.atMs }];
    }),
  );
  return groupBy(sightings, ({ atMs }) => atMs);
}

type Quiet = { planned: PlannedQuiet; periods: readonly Period[] };

/** Quiet times that overlap the period, and when. */
function quietOf({ quiet, fromMs, untilMs }: PastPeriod): Quiet[] {
  // Slightly wider, because the cut itself is no start or end of a quiet time.
  const within = { fromMs: fromMs - 1, untilMs: untilMs + 1 };
  return quiet
    .map((planned) => ({ planned, periods: quietWithin(planned, within) }))
    .filter(({ periods }) => periods.length > 0);
}

/** Starts and ends of quiet times outside gaps; those in a gap were found by the check after it. */
function turnsOf(quiet: readonly Quiet[], gaps: readonly Period[]): number[] {
  return quiet
    .flatMap(({ periods }) => periods.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))
    .filter((atMs) => periodAt(gaps, atMs) === null);
}

function isQuietFor(endpoint: ObservedEndpoint, atMs: number, quiet: readonly Quiet[]): boolean {
  return quiet.some(
    ({ planned, periods }) =>
      concerns(planned, endpoint) &&
      periods.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs),
  );
}

/** State that the next period can't derive from the record. */
function troublesOf(
  watching: ReadonlyMap<string, ObservedEndpoint>,
): Pick<ReplayState, "troubles"> {
  const begun = [...watching.values()]
    .filter((seen) => isTrouble(seen.verdict))
    .map(({ id, troubleBeganMs: at, isQuiet }) => [id, { beganMs: at, isQuiet }] as const);
  return begun.length === 0 ? {} : { troubles: Object.fromEntries(begun) };
}

/**
 * The checks known from the record, ascending.
 * @param turnsMs instants that don't imply a check: those up to the first check are skipped
 */
function momentsOf(
  { fromMs, untilMs, gaps }: PastPeriod,
  { foundMs, turnsMs }: { foundMs: readonly number[]; turnsMs: readonly number[] },
  observedAtMs: number | null,
): number[] {
  // Both ends of a gap are checks.
  const checks = [...foundMs, ...gaps.flatMap((gap) => [gap.fromMs, gap.untilMs])];
  const firstMs = observedAtMs ?? Math.min(...checks.filter((atMs) => atMs >= fromMs));
  const moments = new Set([...checks, ...turnsMs.filter((atMs) => atMs > firstMs)]);
  return [...moments]
    .filter((atMs) => atMs >= fromMs && atMs < untilMs && atMs > (observedAtMs ?? -Infinity))
    .toSorted((a, b) => a - b);
}

function changesOf({ endpoints }: PastPeriod): Map<number, Found[]> {
  const all = endpoints.flatMap((own) => own.changes.map((change) => ({ ...change, own })));
  return groupBy(all, ({ atMs }) => atMs);
}

/** When time alone causes the next change: an endpoint has been late, or an incident calm, for long enough. */
function dueMs(
  { observedAtMs, suspects, open }: IncidentsState,
  gaps: readonly Period[],
  { opensAfterMs, closesAfterMs }: IncidentSettings,
): number {
  if (observedAtMs === null) return Infinity;
  const isBlind = gaps.some(
    ({ fromMs, untilMs }) => fromMs <= observedAtMs && observedAtMs < untilMs,
  );
  if (isBlind) return Infinity;
  let leftMs = Infinity;
  for (const { observedMs } of Object.values(suspects))
    leftMs = Math.min(leftMs, opensAfterMs - observedMs);
  for (const { calmMs } of open)
    if (calmMs !== null) leftMs = Math.min(leftMs, closesAfterMs - calmMs);
  return observedAtMs + Math.max(1, leftMs);
}

/** The unobserved time between two observations, as one range from its start. */
function gapBetween(
  observedAtMs: number | null,
  atMs: number,
  gaps: readonly Period[],
): Period | null {
  if (observedAtMs === null) return null;
  const blind = gaps.filter(({ fromMs, untilMs }) => untilMs > observedAtMs && fromMs < atMs);
  const [first] = blind;
  if (first === undefined) return null;
  const fromMs = Math.max(first.fromMs, observedAtMs);
  const blindMs = blind.reduce(
    (sum, gap) => sum + Math.min(gap.untilMs, atMs) - Math.max(gap.fromMs, observedAtMs),
    0,
  );
  return blindMs <= CLOCKS_WITHIN_MS ? null : { fromMs, untilMs: fromMs + blindMs };
}
