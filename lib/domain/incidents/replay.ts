import { mergeStretches, stretchAt, type Stretch } from "@/lib/domain/history";
import { failingSinceMs, NOTHING_KNOWN } from "@/lib/domain/known";
import type { Verdict } from "@/lib/domain/sync";
import { concerns, quietWithin, type PlannedQuiet } from "@/lib/domain/quiet/planned-quiet";
import { iso } from "@/lib/domain/time/instant";
import { verdict } from "@/lib/domain/verdict";
import { isTrouble, type EndedIncident, type IncidentsState } from "./incident";
import { step, type IncidentEvent, type IncidentSettings, type ObservedEndpoint } from "./step";
import { troubleBeganMs } from "./trouble-began";

/** What the record holds of an endpoint for a stretch of the past. Instants are epoch milliseconds on the API's clock. */
export type RecordedPast = {
  id: string;
  key: string;
  partner: string;
  /** As they are now: the record has no others. Null: not known. */
  frequencyMinutes: number | null;
  typicalSeconds: number | null;
  /** The last change of its verdict before the stretch; null: none is on record. */
  before: { atMs: number; verdict: Verdict | null } | null;
  /** Its changes within the stretch, ascending; a verdict that is null: it was removed. */
  changes: readonly { atMs: number; verdict: Verdict | null }[];
  /** Ascending, the last one before the stretch among them. */
  landingsMs: readonly number[];
  /** Newest first, some from before the stretch among them. */
  runs: readonly { status: string | null; finishedMs: number | null }[];
};

/** A stretch of a company's record. Instants are epoch milliseconds on the API's clock. */
export type PastStretch = Stretch & {
  /** When we didn't look, since the last observation before the stretch, and for `seenWithinMs` before it. */
  gaps: readonly Stretch[];
  /** Within how long a check sees what happens, as long as there is no gap. */
  seenWithinMs: number;
  /** Planned quiet times that can last within the stretch. */
  quiet: readonly PlannedQuiet[];
  /** All whose verdict changed, or was in trouble or unknown. */
  endpoints: readonly RecordedPast[];
};

/** Where the rule stands in the past. */
export type ReplayState = IncidentsState & {
  /**
   * Of each endpoint in trouble, by id: when that began, as far as it is on record, and whether it was quiet when it was
   * seen last. A planned quiet time makes it no member; when that ends it is one again since then. Left out: there are
   * none.
   */
  troubles?: Readonly<Record<string, { beganMs: number | null; isQuiet: boolean }>>;
};

/** How far the past has been taken into account; plain JSON, kept with the record. */
export type IncidentsReplay = {
  /** Since when the record tells anything. */
  fromMs: number;
  /** What was before is done. */
  untilMs: number;
  state: ReplayState;
  /** Of the incidents that are open there. */
  events: readonly IncidentEvent[];
};

/** A check begins before it has read the last page: what it shows may be younger by so much. */
const READ_WITHIN_MS = 20_000;

/**
 * Takes a stretch of the record into the incidents of a company, by the rule that is used live. The record holds no
 * check, but what they found: each change of a verdict and each end of a gap was one; and as we looked all the while,
 * whatever comes with time alone came when it was due. What the record can't prove stays unsaid: an endpoint isn't in
 * trouble before a change is on record that says so.
 * However the past is cut into stretches, the same incidents come out.
 * @returns the state after it, the incidents that it ended, and what happened
 * Source: docs/incidents.md.
 */
export function replay(
  before: ReplayState,
  past: PastStretch,
  settings: IncidentSettings,
): { state: ReplayState; ended: EndedIncident[]; events: IncidentEvent[] } {
  const gaps = mergeStretches(past.gaps, {
    fromMs: before.observedAtMs ?? past.fromMs,
    untilMs: past.untilMs,
  });
  // Data that came shortly before the stretch was seen where the record as a whole says so.
  const known = mergeStretches(past.gaps, { fromMs: -Infinity, untilMs: past.untilMs });
  const sights = sightsOf(past, known);
  const changes = changesOf(past);
  const quiet = quietOf(past);
  const owns = new Map(past.endpoints.map((own) => [own.id, own]));
  const moments = momentsOf(
    past,
    { foundMs: [...sights.keys(), ...changes.keys()], turnsMs: turnsOf(quiet, known) },
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

  // Whoever comes first of equals goes by it: it mustn't depend on what changed last.
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
    for (const { own, landedMs } of sights.get(atMs) ?? []) {
      const seen = watching.get(own.id);
      if (seen !== undefined && landedMs > (seen.landedMs ?? -Infinity))
        watching.set(own.id, {
          ...seen,
          landedMs,
          // Data that came and is overdue again is another trouble.
          troubleBeganMs: seen.verdict === "failing" ? seen.troubleBeganMs : atMs,
        });
    }
    for (const { own, now } of changes.get(atMs) ?? []) {
      if (now === null) watching.delete(own.id);
      else watching.set(own.id, changed(own, now, watching.get(own.id) ?? null, atMs, past));
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
    // What is well is of no interest to the rule; a member that isn't known stays one.
    for (const { id, verdict: now } of endpoints)
      if (!isTrouble(now) && now !== "unknown") watching.delete(id);
  }
}

type Sight = { own: RecordedPast; landedMs: number };
type Change = { own: RecordedPast; now: Verdict | null };

/** A gap is dated by another answer's clock than the check before it: they are apart by so much at most. */
const CLOCKS_WITHIN_MS = 5_000;

/** When data was seen at the latest that didn't end a trouble, by that moment. */
function sightsOf(
  { endpoints, fromMs, untilMs, seenWithinMs }: PastStretch,
  gaps: readonly Stretch[],
): Map<number, Sight[]> {
  const sights = new Map<number, Sight[]>();
  for (const own of endpoints) {
    for (const landedMs of own.landingsMs) {
      const atMs = seenAtMs(landedMs, gaps, seenWithinMs);
      if (atMs < fromMs || atMs >= untilMs) continue;
      const held = own.changes.findLast((change) => change.atMs <= atMs) ?? own.before;
      if (held === null || held.atMs >= landedMs || !isTrouble(held.verdict)) continue;
      sights.set(atMs, [...(sights.get(atMs) ?? []), { own, landedMs }]);
    }
  }
  return sights;
}

/** When data that ended no trouble was seen at the latest: by then a check had ended, or the next one after a gap. */
function seenAtMs(landedMs: number, gaps: readonly Stretch[], seenWithinMs: number): number {
  const lookedMs = landedMs + seenWithinMs;
  const gap = stretchAt(gaps, landedMs) ?? stretchAt(gaps, lookedMs);
  return gap?.untilMs ?? lookedMs;
}

type Quiet = { planned: PlannedQuiet; stretches: readonly Stretch[] };

/** Those that last within the stretch, and when. */
function quietOf({ quiet, fromMs, untilMs }: PastStretch): Quiet[] {
  // A little more: where one is cut it doesn't turn.
  const within = { fromMs: fromMs - 1, untilMs: untilMs + 1 };
  return quiet
    .map((planned) => ({ planned, stretches: quietWithin(planned, within) }))
    .filter(({ stretches }) => stretches.length > 0);
}

/** When it became quiet, or wasn't any more, while we looked: whatever did so unseen was found by the check after. */
function turnsOf(quiet: readonly Quiet[], gaps: readonly Stretch[]): number[] {
  return quiet
    .flatMap(({ stretches }) => stretches.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))
    .filter((atMs) => stretchAt(gaps, atMs) === null);
}

function isQuietFor(endpoint: ObservedEndpoint, atMs: number, quiet: readonly Quiet[]): boolean {
  return quiet.some(
    ({ planned, stretches }) =>
      concerns(planned, endpoint) &&
      stretches.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs),
  );
}

/** As it is now that a planned quiet time lasts, or doesn't. */
function turned(
  seen: ObservedEndpoint,
  isQuiet: boolean,
  own: RecordedPast | undefined,
  atMs: number,
): ObservedEndpoint {
  if (isQuiet === seen.isQuiet) return seen;
  const { troubleBeganMs: begunMs } = seen;
  if (
    seen.verdict !== "failing" ||
    isQuiet ||
    !seen.isQuiet ||
    own === undefined ||
    begunMs === null
  )
    return { ...seen, isQuiet };
  // A run may have completed meanwhile, and others failed, with no check in between.
  const sinceMs = failingSinceMs(
    own.runs.filter(({ finishedMs }) => finishedMs !== null && finishedMs <= atMs),
  );
  const isAnother = own.runs.some(
    ({ status, finishedMs }) =>
      status === "completed" &&
      finishedMs !== null &&
      finishedMs > begunMs &&
      finishedMs < (sinceMs ?? -Infinity),
  );
  return { ...seen, isQuiet, troubleBeganMs: isAnother ? sinceMs : begunMs };
}

/** What the next stretch can't know. */
function troublesOf(
  watching: ReadonlyMap<string, ObservedEndpoint>,
): Pick<ReplayState, "troubles"> {
  const begun = [...watching.values()]
    .filter((seen) => isTrouble(seen.verdict))
    .map(({ id, troubleBeganMs: at, isQuiet }) => [id, { beganMs: at, isQuiet }] as const);
  return begun.length === 0 ? {} : { troubles: Object.fromEntries(begun) };
}

/**
 * The checks that the record tells of, ascending.
 * @param told.turnsMs no check tells of these: the first one comes before them
 */
function momentsOf(
  { fromMs, untilMs, gaps }: PastStretch,
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

function changesOf({ endpoints }: PastStretch): Map<number, Change[]> {
  const all = new Map<number, Change[]>();
  for (const own of endpoints) {
    for (const { atMs, verdict: now } of own.changes) {
      const there = all.get(atMs);
      if (there === undefined) all.set(atMs, [{ own, now }]);
      else there.push({ own, now });
    }
  }
  return all;
}

/** When time alone changes something next: an endpoint has been late, or an incident calm, for long enough. */
function dueMs(
  { observedAtMs, suspects, open }: IncidentsState,
  gaps: readonly Stretch[],
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

/** The time between two observations in which we didn't look, from when it began. */
function gapBetween(
  observedAtMs: number | null,
  atMs: number,
  gaps: readonly Stretch[],
): Stretch | null {
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

/** As it was seen when the stretch began; null when it was well, or gone. */
function heldBefore(
  own: RecordedPast,
  { atMs, verdict: held }: NonNullable<RecordedPast["before"]>,
  { fromMs, seenWithinMs }: PastStretch,
  gaps: readonly Stretch[],
): ObservedEndpoint | null {
  if (held === null || (!isTrouble(held) && held !== "unknown")) return null;
  return {
    ...named(own),
    verdict: held,
    // Whatever it is a member or a suspect with began when that was seen first.
    troubleBeganMs: null,
    landedMs:
      own.landingsMs.findLast(
        (landedMs) => landedMs <= atMs || seenAtMs(landedMs, gaps, seenWithinMs) < fromMs,
      ) ?? null,
    lastRun: null,
    isQuiet: false,
  };
}

/** As a check saw it that found another verdict. */
function changed(
  own: RecordedPast,
  now: Verdict,
  before: ObservedEndpoint | null,
  atMs: number,
  { seenWithinMs }: PastStretch,
): ObservedEndpoint {
  // Only data makes an endpoint well that was overdue, and it may have come while the check was reading.
  const upToMs = now === "fresh" || now === "due" ? atMs + READ_WITHIN_MS : atMs;
  const landedMs = landedUpTo(own, upToMs);
  const run = own.runs.find(
    ({ status, finishedMs }) =>
      status !== null && status !== "in_progress" && finishedMs !== null && finishedMs <= upToMs,
  );
  const wasInTrouble = before !== null && isTrouble(before.verdict);
  return {
    ...named(own),
    verdict: now,
    troubleBeganMs: !isTrouble(now)
      ? null
      : wasInTrouble && now !== "failing" && landedMs === before.landedMs
        ? before.troubleBeganMs
        : beganMs(own, now, { atMs, landedMs, seenWithinMs }),
    landedMs,
    lastRun: run === undefined ? null : { status: run.status ?? "", endedMs: run.finishedMs },
    isQuiet: false,
  };
}

/**
 * When a trouble began that a check found: for a failure the end of the first failed run; else when the data was
 * overdue beyond its allowance, where the cadence of today puts that between this check and the one before; else when
 * it was found.
 */
function beganMs(
  own: RecordedPast,
  now: Verdict,
  { atMs, landedMs, seenWithinMs }: { atMs: number; landedMs: number | null; seenWithinMs: number },
): number {
  const ended = own.runs.filter(({ finishedMs }) => finishedMs !== null && finishedMs <= atMs);
  const failedMs = now === "failing" ? failingSinceMs(ended) : null;
  const overdueMs =
    landedMs === null || own.frequencyMinutes === null
      ? null
      : troubleBeganMs(verdict(rowOf(own, landedMs), knownOf(own), atMs), null, atMs);
  const isFoundAtOnce = overdueMs !== null && overdueMs > atMs - seenWithinMs;
  return Math.min(atMs, failedMs ?? Infinity, isFoundAtOnce ? overdueMs : Infinity);
}

function rowOf({ key, partner, frequencyMinutes }: RecordedPast, landedMs: number) {
  return {
    endpoint_key: key,
    partner_name: partner,
    status: "active",
    last_updated_at: iso(landedMs),
    next_sync_at: null,
    last_sync_status: null,
    last_sync_started_at: null,
    last_sync_finished_at: null,
    last_sync_duration_seconds: null,
    frequency_minutes: frequencyMinutes,
    api_calls_last_24h: 0,
  };
}

function knownOf({ typicalSeconds }: RecordedPast) {
  return { ...NOTHING_KNOWN, typical_duration_seconds: typicalSeconds };
}

function named({ id, key, partner }: RecordedPast) {
  return { id, key, partner };
}

/** The newest data up to an instant; null: none is on record. */
function landedUpTo({ landingsMs }: RecordedPast, upToMs: number): number | null {
  return landingsMs.findLast((landedMs) => landedMs <= upToMs) ?? null;
}
