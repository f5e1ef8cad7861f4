import { compareTroubles, type Trouble } from "@/lib/domain/incidents/incident";
import type { EventDetail } from "@/lib/domain/incidents/event-detail";

/** State of an incident from `fromMs` until the next phase. Instants are epoch milliseconds. */
export type Phase = {
  fromMs: number;
  isOpen: boolean;
  /** The worst of its members; null: none is seen in trouble. */
  verdict: Trouble | null;
  /** Who acknowledged it; null: it isn't acknowledged. */
  acknowledgedBy: string | null;
  /** The owner; null: the administrators. */
  ownerId: string | null;
};

/** An incident in the form that message planning needs. */
export type IncidentTimeline = {
  incidentId: number;
  partner: string;
  /** Ascending; the first starts when the incident was opened. */
  phases: readonly Phase[];
  /** What is worth telling after the opening and before the ending, ascending. */
  moments: readonly Moment[];
};

/** What happened to an incident at one instant. */
export type Moment = {
  /** Unique within the incident, and the same whenever it is derived from the record. */
  id: string;
  /** Epoch milliseconds, within the phase that it starts or belongs to. */
  atMs: number;
  /** Empty: an acknowledgement expired. */
  events: readonly RecordedEvent[];
};

/** The phase at an instant, epoch milliseconds; undefined before the first one. */
export function phaseAt(phases: readonly Phase[], atMs: number): Phase | undefined {
  return phases.findLast(({ fromMs }) => fromMs <= atMs);
}

/** A stored timeline event. */
export type RecordedEvent = {
  /** Ascending within the incident. */
  seq: number;
  atMs: number;
  kind: string;
  endpointId: string | null;
  /** The person who acted; null: an observation. */
  byId: string | null;
  detail: EventDetail;
  /** What the person wrote, if it goes to channels. */
  text: string | null;
};

/** Events of people; acknowledgements end on the same clock. */
export const OF_PEOPLE: ReadonlySet<string> = new Set([
  "acknowledged",
  "unacknowledged",
  "owned",
  "noted",
]);

/**
 * Builds an incident's timeline from its events, on the API's clock.
 * @param incident.ownerId the current owner; earlier owners come from the events
 * @param recorded in order; actions of people are on our clock, all others on the API's
 * @param aheadMs how far the API's clock is ahead of ours, milliseconds
 * @param observedMs the last observation; default: later than all that is recorded
 */
export function timelineOf(
  incident: { id: number; partner: string; openedMs: number; ownerId: string | null },
  recorded: readonly RecordedEvent[],
  aheadMs: number,
  observedMs = Infinity,
): IncidentTimeline {
  const onApiClock = recorded.map((event) =>
    OF_PEOPLE.has(event.kind) ? { ...event, atMs: event.atMs + aheadMs } : event,
  );
  const events = credible(onApiClock, incident.openedMs, observedMs);
  const owned = events.find(({ kind }) => kind === "owned");
  const members = new Set<string>();
  let now: Phase = {
    fromMs: incident.openedMs,
    isOpen: true,
    verdict: null,
    acknowledgedBy: null,
    ownerId: owned === undefined ? incident.ownerId : (owned.detail.previous_owner?.id ?? null),
  };
  const phases: Phase[] = [];
  for (const { atMs, changes } of changesOf(events, aheadMs)) {
    // The two clocks may differ: keep phases in event order.
    const fromMs = Math.max(atMs, now.fromMs);
    const next = {
      ...changes.reduce((phase, change) => after(phase, change, members), now),
      fromMs,
    };
    if (phases.at(-1)?.fromMs === fromMs) phases.pop();
    phases.push(next);
    now = next;
  }
  return {
    incidentId: incident.id,
    partner: incident.partner,
    phases: phases.length === 0 ? [now] : phases,
    moments: momentsOf(events, { openedMs: incident.openedMs, aheadMs }),
  };
}

/**
 * An observation that lies after the last one was made while the API's clock was ahead, before that was set back: it counts
 * at the time of what was observed next, and the opening when the incident was opened, if that is earlier. So does what
 * people did, or was to end automatically, if something was observed after it: our clock was ahead then.
 */
function credible(
  events: readonly RecordedEvent[],
  openedMs: number,
  observedMs: number,
): RecordedEvent[] {
  let nextMs = observedMs;
  let isLast = true;
  const inReverse = events.toReversed().map((event) => {
    if (OF_PEOPLE.has(event.kind))
      return isLast || event.atMs <= observedMs ? event : { ...event, atMs: nextMs };
    if (event.atMs <= observedMs) nextMs = event.atMs;
    else if (event.kind === "opened") nextMs = Math.min(nextMs, openedMs);
    // When a company was lost is found later.
    if (event.kind !== "blind") isLast = false;
    return { ...event, atMs: nextMs };
  });
  return inReverse.toReversed();
}

/** @param events ascending @param given.openedMs no moment is earlier */
function momentsOf(
  events: readonly RecordedEvent[],
  { openedMs, aheadMs }: { openedMs: number; aheadMs: number },
): Moment[] {
  const moments: Moment[] = [];
  // The two clocks may differ: keep them in event order.
  const inOrder = (atMs: number) => Math.max(atMs, moments.at(-1)?.atMs ?? openedMs);
  let expiryMs = Infinity;
  const expire = () => {
    if (expiryMs < Infinity)
      // Named by our clock, because the difference between the two may change.
      moments.push({ id: `expiry:${expiryMs - aheadMs}`, atMs: inOrder(expiryMs), events: [] });
    expiryMs = Infinity;
  };
  for (const event of events) {
    if (expiryMs <= event.atMs) expire();
    if (event.kind === "ended") return moments;
    if (event.kind === "acknowledged" || event.kind === "unacknowledged")
      expiryMs = untilMs(event, aheadMs);
    if (!isWorthTelling(event)) continue;
    const atMs = inOrder(event.atMs);
    const isSame = moments.at(-1)?.atMs === atMs;
    const before = isSame ? (moments.pop()?.events ?? []) : [];
    moments.push({ id: `event:${event.seq}`, atMs, events: [...before, event] });
  }
  expire();
  return moments;
}

/** When an acknowledgement expires, epoch milliseconds; `Infinity`: never, or it was withdrawn. */
function untilMs(
  { kind, detail }: Pick<RecordedEvent, "kind" | "detail">,
  aheadMs: number,
): number {
  const ms = kind === "acknowledged" ? Date.parse(detail.until ?? "") : Number.NaN;
  return Number.isNaN(ms) ? Infinity : ms + aheadMs;
}

/** Notes are told where they are marked for it. */
function isWorthTelling({ kind, detail }: RecordedEvent): boolean {
  if (kind === "noted") return detail.to_channels === true;
  if (kind === "seen_again") return (detail.changes ?? []).length > 0;
  return kind !== "opened" && kind !== "blind";
}

type Change =
  | { kind: "on it"; by: string | null }
  | { kind: "owner"; id: string | null }
  | { kind: string; endpointId?: string | null; to?: Trouble };

/** Changes by instant; the expiry of an acknowledgement is a change like the others. */
function changesOf(
  events: readonly RecordedEvent[],
  aheadMs: number,
): { atMs: number; changes: Change[] }[] {
  const moments: { atMs: number; changes: Change[] }[] = [];
  let endsMs = Infinity;
  for (const { atMs, kind, endpointId, byId, detail } of events) {
    if (endsMs <= atMs) {
      moments.push({ atMs: endsMs, changes: [{ kind: "on it", by: null }] });
      endsMs = Infinity;
    }
    if (kind === "acknowledged" || kind === "unacknowledged") {
      const by = kind === "acknowledged" ? byId : null;
      moments.push({ atMs, changes: [{ kind: "on it", by }] });
      endsMs = by === null ? Infinity : untilMs({ kind, detail }, aheadMs);
    } else if (kind === "owned") {
      moments.push({ atMs, changes: [{ kind: "owner", id: detail.owner?.id ?? null }] });
    } else if (kind === "seen_again") {
      moments.push({ atMs, changes: [...(detail.changes ?? [])] });
    } else if (kind !== "blind" && kind !== "noted") {
      moments.push({ atMs, changes: [{ kind, endpointId, ...(detail.to && { to: detail.to }) }] });
    }
  }
  if (endsMs < Infinity) moments.push({ atMs: endsMs, changes: [{ kind: "on it", by: null }] });
  return moments;
}

/** @param members endpoints in trouble; updated in place */
function after(phase: Phase, change: Change, members: Set<string>): Phase {
  if ("by" in change) return { ...phase, acknowledgedBy: change.by };
  if ("id" in change) return { ...phase, ownerId: change.id };
  const { kind, endpointId = null, to } = change;
  switch (kind) {
    case "opened":
    case "flapped":
    case "joined": {
      if (endpointId !== null) members.add(endpointId);
      const { verdict } = phase;
      const isWorse = to !== undefined && (verdict === null || compareTroubles(to, verdict) > 0);
      return isWorse ? { ...phase, verdict: to } : phase;
    }
    case "worsened":
    case "eased":
      return { ...phase, verdict: to ?? phase.verdict };
    case "left":
      if (endpointId !== null) members.delete(endpointId);
      return members.size === 0 ? { ...phase, verdict: null } : phase;
    case "ended":
      return { ...phase, verdict: null, isOpen: false };
    default:
      return phase;
  }
}
