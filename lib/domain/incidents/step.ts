import type { Verdict } from "@/lib/domain/sync";
import {
  compareTroubles,
  endingOf,
  type EndedIncident,
  isTrouble,
  isWhollyResting,
  type IncidentEnding,
  type IncidentsState,
  type Member,
  type MemberEnding,
  type OpenIncident,
  type Suspect,
  type Trouble,
} from "./incident";

/** An endpoint in one complete snapshot. Instants are epoch milliseconds on the API's clock. */
export type ObservedEndpoint = {
  id: string;
  key: string;
  partner: string;
  verdict: Verdict;
  /** When its trouble started according to the record; null if it isn't in trouble or that isn't recorded. */
  troubleBeganMs: number | null;
  /** When data last arrived; null: never, as far as known. */
  landedMs: number | null;
  /** Its last run that completed, failed or timed out; null if there is none. */
  lastRun: { status: string; startedMs: number | null; endedMs: number | null } | null;
  /**
   * Its verdict changed, and since the previous check so did its cadence, or the next sync if only that made it
   * overdue.
   */
  isRescheduled: boolean;
  /** Whether a planned quiet time is active. */
  isQuiet: boolean;
  /** It would be in trouble if its learned week didn't say that it rests now. */
  isResting?: boolean;
};

/** One complete snapshot. Instants are epoch milliseconds on the API's clock. */
export type Observation = {
  atMs: number;
  /** The gap before it; null: none since the previous observation. */
  gap: { fromMs: number; untilMs: number } | null;
  /** The endpoints that haven't been removed; those that `toObserve` leaves out may be missing. */
  endpoints: readonly ObservedEndpoint[];
};

/** Durations of observed time, milliseconds. */
export type IncidentSettings = {
  /** How long an endpoint must be seen late before it becomes a member; 0: at once. */
  opensAfterMs: number;
  /** How long no member may be in trouble before the incident ends. */
  closesAfterMs: number;
};

/** An event of an incident at one observation. */
export type IncidentEvent = { incidentId: number; partner: string; atMs: number } & (
  | { kind: "opened"; endpointId: string; to: Trouble }
  | { kind: "joined"; endpointId: string; to: Trouble }
  | { kind: "flapped"; endpointId: string; to: Trouble }
  /** `isUnseen`: the endpoint's state is unknown now, and `to` is the last trouble seen. */
  | { kind: "worsened" | "eased"; endpointId: string; from: Trouble; to: Trouble; isUnseen?: true }
  /** `receivedMs`: when the data was received, if that was before the trouble started. */
  | ({ kind: "left"; endpointId: string; ending: MemberEnding; receivedMs?: number } & Resting)
  | ({ kind: "ended"; ending: IncidentEnding } & Resting)
  /** The start of a gap; emitted at its end. */
  | { kind: "blind" }
  | { kind: "seen_again"; changes: readonly Change[] }
);
/** Of `eased`: the endpoint, or all of the incident's, rests at this time by its learned week. */
type Resting = { isResting?: true };
/** A change hidden by a gap: the event that it would have been. */
export type Change = DistributiveOmit<
  Exclude<IncidentEvent, { kind: "blind" | "seen_again" }>,
  "incidentId" | "partner" | "atMs"
>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/**
 * Applies one observation to the incidents of a company. Pure: the same observations give the same incidents, live,
 * after a restart, or replayed from the record. It isn't called in a gap, so nothing opens or ends then.
 * @returns the state afterwards, the incidents that ended, and the events by incident id. An unchanged incident remains
 *   the same object.
 * Source: docs/incidents.md.
 */
export function step(
  state: IncidentsState,
  observation: Observation,
  settings: IncidentSettings,
): { state: IncidentsState; ended: EndedIncident[]; events: IncidentEvent[] } {
  const seenMs = observedMs(state, observation);
  const byId = new Map(observation.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const joining = new Map<string, Joining[]>();
  const suspects = new Map<string, Suspect>();

  const members = new Map(
    state.open.flatMap(({ partner, members: own }) =>
      own.map((member) => [key(partner, member.endpointId), member] as const),
    ),
  );
  for (const endpoint of observation.endpoints) {
    if (!isTrouble(endpoint.verdict) || endpoint.isQuiet) continue;
    const member = members.get(key(endpoint.partner, endpoint.id));
    if (member !== undefined && !isOver(member)) continue;
    // Endpoint ids are arbitrary text from the API, including "constructor".
    const before = Object.hasOwn(state.suspects, endpoint.id)
      ? state.suspects[endpoint.id]
      : undefined;
    const suspect = suspectOf(before, endpoint, seenMs, observation.atMs);
    // A former member becomes one again at once.
    const opensAfterMs =
      endpoint.verdict === "late" && member === undefined ? settings.opensAfterMs : 0;
    if (suspect.observedMs < opensAfterMs) suspects.set(endpoint.id, suspect);
    else {
      const joins = { endpoint, verdict: endpoint.verdict, beganMs: suspect.beganMs };
      const others = joining.get(endpoint.partner);
      if (others === undefined) joining.set(endpoint.partner, [joins]);
      else others.push(joins);
    }
  }

  const events: IncidentEvent[] = [];
  const open: OpenIncident[] = [];
  const ended: EndedIncident[] = [];
  let { lastId } = state;
  for (const incident of state.open) {
    const joins = joining.get(incident.partner) ?? [];
    joining.delete(incident.partner);
    const { after, changes } = goOn(incident, byId, joins, seenMs, observation.atMs, settings);
    tell(events, incident, changes, observation);
    if ("ending" in after) ended.push(after);
    else open.push(after);
  }
  for (const [partner, joins] of joining) {
    lastId += 1;
    const { after, changes } = start(lastId, partner, joins, observation.atMs);
    tell(events, after, changes, observation, true);
    open.push(after);
  }
  const after = {
    observedAtMs: observation.atMs,
    lastId,
    open,
    suspects: Object.fromEntries(suspects),
  };
  return { state: after, ended, events };
}

/**
 * The endpoints that an observation has to contain: those in trouble and the members of open incidents. Any other makes no
 * difference to `step`.
 */
export function toObserve(state: IncidentsState): (id: string, verdict: Verdict) => boolean {
  const members = new Set(
    state.open.flatMap((incident) => incident.members.map(({ endpointId }) => endpointId)),
  );
  return (id, verdict) => isTrouble(verdict) || members.has(id);
}

type Joining = { endpoint: ObservedEndpoint; verdict: Trouble; beganMs: number };

/** Observed time since the last observation, milliseconds; 0 after a clock was set back. */
function observedMs({ observedAtMs }: IncidentsState, { atMs, gap }: Observation): number {
  if (observedAtMs === null) return 0;
  const gapMs = gap === null ? 0 : Math.max(0, gap.untilMs - gap.fromMs);
  return Math.max(0, atMs - observedAtMs - gapMs);
}

function suspectOf(
  before: Suspect | undefined,
  endpoint: ObservedEndpoint,
  seenMs: number,
  atMs: number,
): Suspect {
  const beganMs = Math.min(endpoint.troubleBeganMs ?? atMs, atMs);
  if (before === undefined) return { beganMs, observedMs: 0 };
  // Overdue again after new data is a new trouble; a failure continues whatever data arrives.
  const isBroken =
    endpoint.verdict !== "failing" &&
    endpoint.landedMs !== null &&
    endpoint.landedMs > before.beganMs;
  if (isBroken) return { beganMs, observedMs: 0 };
  return {
    beganMs: Math.min(before.beganMs, beganMs),
    observedMs: before.observedMs + seenMs,
  };
}

function start(
  id: number,
  partner: string,
  joins: readonly Joining[],
  atMs: number,
): { after: OpenIncident; changes: Change[] } {
  const [worst, ...others] = joins.toSorted((a, b) => worstFirst(a, b) || a.beganMs - b.beganMs);
  if (worst === undefined) throw new Error("an incident begins with a member in trouble");
  const { endpoint, verdict } = worst;
  return {
    after: {
      id,
      partner,
      beganMs: Math.min(...joins.map(({ beganMs }) => beganMs)),
      openedMs: atMs,
      verdict,
      worstVerdict: verdict,
      flaps: 0,
      calmMs: null,
      members: joins.map((joining) => memberOf(joining, atMs)),
    },
    changes: [{ kind: "opened", endpointId: endpoint.id, to: verdict }, ...others.map(joined)],
  };
}

function worstFirst(a: Joining, b: Joining): number {
  return compareTroubles(b.verdict, a.verdict);
}

function goOn(
  incident: OpenIncident,
  byId: ReadonlyMap<string, ObservedEndpoint>,
  joins: readonly Joining[],
  seenMs: number,
  atMs: number,
  settings: IncidentSettings,
): { after: OpenIncident | EndedIncident; changes: Change[] } {
  const changes: Change[] = [];
  const rejoins = new Map(joins.map((joining) => [joining.endpoint.id, joining]));
  const members = incident.members.map((member) => {
    const again = rejoins.get(member.endpointId);
    if (again !== undefined) {
      rejoins.delete(member.endpointId);
      const { beganMs, joinedMs } = member;
      return { ...memberOf(again, joinedMs), beganMs };
    }
    if (isOver(member)) return member;
    const after = seen(member, byId.get(member.endpointId), incident.partner, atMs);
    const { endpointId, ending, receivedMs, beganMs } = after;
    if (ending !== null) {
      const isReportedLate = receivedMs !== null && receivedMs < beganMs;
      const more = { ...(isReportedLate && { receivedMs }), ...restingIf(after.isResting) };
      changes.push({ kind: "left", endpointId, ending, ...more });
    }
    return after;
  });
  members.push(...[...rejoins.values()].map((joining) => memberOf(joining, atMs)));

  const [first, ...others] = joins.toSorted(worstFirst);
  const isFlap = incident.calmMs !== null && first !== undefined;
  if (isFlap) changes.push({ kind: "flapped", endpointId: first.endpoint.id, to: first.verdict });
  changes.push(...(isFlap ? others : joins).map(joined));

  const [before, now] = [worstOf(incident.members, troubleAtLast), worstOf(members, troubleAtLast)];
  if (before !== null && now !== null && before.verdict !== now.verdict) {
    const kind = compareTroubles(now.verdict, before.verdict) > 0 ? "worsened" : "eased";
    const { endpointId, verdict: to, isSeen } = now;
    changes.push({
      kind,
      endpointId,
      from: before.verdict,
      to,
      ...(!isSeen && { isUnseen: true }),
    });
  }

  const calmMs = members.every(isOver) ? calmFor(incident.calmMs, seenMs) : null;
  const isSame =
    joins.length === 0 &&
    calmMs === incident.calmMs &&
    members.every((member, index) => member === incident.members[index]);
  if (isSame) return { after: incident, changes };

  const worst = worstOf(members, troubleNow);
  const worstVerdict =
    worst !== null && compareTroubles(worst.verdict, incident.worstVerdict) > 0
      ? worst.verdict
      : incident.worstVerdict;
  const verdict = worst?.verdict ?? null;
  const flaps = incident.flaps + (isFlap ? 1 : 0);
  const after = { ...incident, verdict, worstVerdict, flaps, calmMs, members };
  if (calmMs === null || calmMs < settings.closesAfterMs) return { after, changes };
  const ending = endingOf(members.flatMap((member) => member.ending ?? []));
  changes.push({ kind: "ended", ending, ...restingIf(isWhollyResting(members)) });
  const endedMs = Math.max(...members.map((member) => member.endedMs ?? atMs));
  return { after: { ...after, endedMs, ending }, changes };
}

/** @param beforeMs null: a member's trouble hadn't ended before */
function calmFor(beforeMs: number | null, seenMs: number): number {
  return beforeMs === null ? 0 : beforeMs + seenMs;
}

/** A member still in the incident, after an observation. */
function seen(
  member: Member,
  endpoint: ObservedEndpoint | undefined,
  partner: string,
  atMs: number,
): Member {
  if (endpoint === undefined || endpoint.partner !== partner)
    return { ...member, endedMs: atMs, ending: "removed" };
  const { verdict, landedMs } = endpoint;
  const isSame = member.verdict === verdict;
  if (verdict === "unknown") return isSame ? member : { ...member, verdict };
  if (isTrouble(verdict) && !endpoint.isQuiet) {
    // The API may report an older landing for a while: when the newer one returns, nothing new was received.
    const latestMs =
      landedMs === null ? member.landedMs : Math.max(landedMs, member.landedMs ?? -Infinity);
    return isSame && member.landedMs === latestMs
      ? member
      : { ...member, verdict, trouble: verdict, landedMs: latestMs };
  }
  const [ending, evidenceMs] = endingOfMember(member, endpoint);
  return {
    ...member,
    receivedMs: ending === "data_received" ? evidenceMs : null,
    endedMs: Math.min(Math.max(evidenceMs ?? atMs, member.beganMs), atMs),
    ending,
    ...restingIf(ending === "eased" && endpoint.isResting),
  };
}

const restingIf = (isResting = false): Resting => (isResting ? { isResting } : {});

/** Why a member left trouble, and when, if the evidence has its own timestamp. */
function endingOfMember(
  before: Member,
  { verdict, landedMs, lastRun, isRescheduled }: ObservedEndpoint,
): [MemberEnding, number | null] {
  // Still in trouble: only a planned quiet time ends it.
  if (isTrouble(verdict)) return ["expected", null];
  const isNewerThan = (dataMs: number | null) =>
    landedMs !== null && landedMs > (dataMs ?? -Infinity);
  if (isNewerThan(before.landedMs)) return ["data_received", landedMs];
  const isCompleted =
    before.trouble === "failing" &&
    lastRun?.status === "completed" &&
    lastRun.startedMs !== null &&
    lastRun.startedMs >= before.beganMs;
  if (isCompleted) return ["run_completed", lastRun.endedMs];
  if (verdict === "paused") return ["paused", null];
  if (verdict === "webhook") return ["became_webhook", null];
  // Data that arrived during the trouble didn't end it, but the other endings would claim that nothing arrived.
  if (isNewerThan(before.landedBeforeMs)) return ["data_received", landedMs];
  return [isRescheduled ? "schedule_changed" : "eased", null];
}

function memberOf({ endpoint, verdict, beganMs }: Joining, atMs: number): Member {
  return {
    endpointId: endpoint.id,
    endpointKey: endpoint.key,
    verdict,
    trouble: verdict,
    beganMs,
    joinedMs: atMs,
    landedMs: endpoint.landedMs,
    landedBeforeMs: endpoint.landedMs,
    receivedMs: null,
    endedMs: null,
    ending: null,
  };
}

function joined({ endpoint, verdict }: Joining): Change {
  return { kind: "joined", endpointId: endpoint.id, to: verdict };
}

type Worst = { endpointId: string; verdict: Trouble; isSeen: boolean };

/** The worst of the members, the first one on a tie. @param troubleOf null: not to be counted */
function worstOf(
  members: readonly Member[],
  troubleOf: (member: Member) => Trouble | null,
): Worst | null {
  let worst: Worst | null = null;
  for (const member of members) {
    const verdict = troubleOf(member);
    if (verdict === null) continue;
    if (worst === null || compareTroubles(verdict, worst.verdict) > 0)
      worst = { endpointId: member.endpointId, verdict, isSeen: isTrouble(member.verdict) };
  }
  return worst;
}

function troubleNow({ verdict, endedMs }: Member): Trouble | null {
  return endedMs === null && isTrouble(verdict) ? verdict : null;
}

/** A member whose state is unknown hasn't eased: its last seen trouble counts. */
function troubleAtLast({ trouble, endedMs }: Member): Trouble | null {
  return endedMs === null ? trouble : null;
}

function isOver({ endedMs }: Member): boolean {
  return endedMs !== null;
}

function key(partner: string, endpointId: string): string {
  return JSON.stringify([partner, endpointId]);
}

/** One event per change; after a gap one event for all, because their order is unknown. */
function tell(
  events: IncidentEvent[],
  { id, partner }: OpenIncident,
  changes: readonly Change[],
  { atMs, gap }: Observation,
  isNew = false,
): void {
  const head = { incidentId: id, partner };
  if (gap === null) {
    events.push(...changes.map((change) => ({ ...head, atMs, ...change })));
    return;
  }
  if (!isNew) events.push({ ...head, atMs: gap.fromMs, kind: "blind" });
  events.push({ ...head, atMs, kind: "seen_again", changes });
}
