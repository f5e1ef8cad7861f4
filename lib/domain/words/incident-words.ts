import type { EventDetail } from "@/lib/domain/incidents/event-detail";
import type { IncidentEnding, MemberEnding, Trouble } from "@/lib/domain/incidents/incident";
import { capital } from "@/lib/domain/text/capital";
import { zonedMoment } from "./dates";
import { duration } from "./format";

/** Text about incidents. */

/** What people read of an ending: `resting` in place of `eased`, where a learned week says that it rests. */
export type Spoken<Ending extends IncidentEnding | MemberEnding> = Ending | "resting";

/** @param isResting see `isResting` of a member; of an incident, whether all of its members rest */
export function spokenEnding<Ending extends IncidentEnding | MemberEnding>(
  ending: Ending,
  isResting = false,
): Spoken<Ending> {
  return ending === "eased" && isResting ? "resting" : ending;
}

/**
 * What is true once all feeds of an incident have left it, to go with "now" or "then". One that left because a quiet time
 * began may still be behind, and so may one that left the API.
 * @param endings how they left
 * @param is "is" or "was"
 */
export function settledText(
  endings: readonly (Spoken<MemberEnding> | null)[],
  is: "is" | "was",
): string {
  const list = is === "is" ? "lists" : "listed";
  const listed = endings.includes("removed") ? ` that the API still ${list}` : "";
  const where = endings.includes("expected") ? " outside of planned quiet" : "";
  return `no feed of this incident${listed} ${is} behind${where}`;
}

/**
 * How long trouble lasted: "1 h 39 m". Instants on the source's clock, epoch milliseconds.
 * @returns null: it ended before it began, because that clock was set back meanwhile
 */
export function lastedText(beganMs: number, endedMs: number): string | null {
  return endedMs < beganMs ? null : duration(endedMs - beganMs);
}

/** Said where `lastedText` is null. */
export const CLOCK_WENT_BACK =
  "the source’s clock went back meanwhile, so we can’t tell how long it lasted";

/** The same as a sentence. */
export const CLOCK_WENT_BACK_SENTENCE = `${capital(CLOCK_WENT_BACK)}.`;

/** The endings as labels in a list. */
export const ENDING_LABEL: Readonly<Record<Spoken<IncidentEnding>, string>> = {
  recovered: "Recovered",
  paused: "Paused",
  removed: "Removed",
  became_webhook: "Now by webhook",
  expected: "Planned quiet",
  schedule_changed: "Schedule changed",
  eased: "Improved",
  resting: "Resting",
  mixed: "Mixed endings",
};

/** "data received": why a member's trouble ended. Only the first two are recoveries. */
export const MEMBER_ENDING: Readonly<Record<Spoken<MemberEnding>, string>> = {
  data_received: "data received",
  run_completed: "run completed, data was within schedule",
  paused: "paused at the source; no data received",
  removed: "no longer in the API; no data received",
  became_webhook: "now sent by webhook; no longer on a schedule",
  expected: "planned quiet time began; no data received",
  schedule_changed: "schedule changed; no data received",
  eased: "no longer behind; no data received",
  resting: "resting at this time of the week, as learned; no data received",
};

/** @param receivedAt when data was received that the API reported late; null: the trouble ended when it was received */
export function memberEndingText(ending: Spoken<MemberEnding>, receivedAt: string | null): string {
  return receivedAt === null
    ? MEMBER_ENDING[ending]
    : `${MEMBER_ENDING[ending]} ${receivedAt}, reported late`;
}

const LEFT: Readonly<Record<Spoken<MemberEnding>, string>> = {
  data_received: " recovered: data received",
  run_completed: " recovered: a run completed",
  paused: " was paused at the source; no data received",
  removed: " is no longer in the API; no data received",
  became_webhook: " is now sent by webhook; no longer on a schedule",
  expected: ": planned quiet time began; no data received",
  schedule_changed: ": its schedule changed; no data received",
  eased: ": no longer behind; no data received",
  resting: " rests at this time of the week, as learned; no data received",
};

/** Why an incident ended; follows a colon. */
export const ENDING_SENTENCE: Readonly<Record<Spoken<IncidentEnding>, string>> = {
  recovered: "recovered",
  paused: "paused at the source, no data received",
  removed: "no longer in the API, no data received",
  became_webhook: "now sent by webhook",
  expected: "a planned quiet time began, no data received",
  schedule_changed: "schedule changed, no data received",
  eased: "no longer behind, no data received",
  resting: "resting at this time of the week, as learned, no data received",
  mixed: "its feeds cleared for different reasons",
};

/** A stored event. */
export type EventFacts = {
  kind: string;
  endpointId: string | null;
  detail: EventDetail;
  /** The person who acted; null: an observation. */
  byId: string | null;
  /** Text written by the person. */
  text: string | null;
};

/**
 * An event as a sentence. For people: their text, or for `owned` what they did, following their name; null if the kind
 * says everything.
 * @param keyOf returns the key of an endpoint
 * @param timeZone an IANA name
 */
export function eventText(
  event: EventFacts,
  keyOf: (endpointId: string) => string,
  timeZone = "UTC",
): string | null {
  if (event.byId !== null) return event.kind === "owned" ? ownedText(event) : event.text;
  const { kind, endpointId, detail } = event;
  if (detail.barred !== undefined) return barredText(kind, detail.barred.name, detail);
  if (kind === "owned")
    return `Handover ended: back with ${detail.owner?.name ?? "the administrators"}`;
  if (kind === "blind") return "We lost sight of it here";
  if (kind !== "seen_again") return changeText({ kind, endpointId, ...detail }, keyOf, timeZone);
  const changes = (detail.changes ?? []).map((change) =>
    changeText(
      { endpointId: "endpointId" in change ? change.endpointId : null, ...change },
      keyOf,
      timeZone,
    ),
  );
  return changes.length === 0
    ? "We can see it again; nothing had changed"
    : `We can see it again. ${changes.join(". ")}`;
}

function changeText(
  change: {
    kind: string;
    endpointId: string | null;
    from?: Trouble;
    to?: Trouble;
    isUnseen?: boolean;
    ending?: string;
    receivedMs?: number;
    isResting?: boolean;
  },
  keyOf: (endpointId: string) => string,
  timeZone: string,
): string {
  const { from = "", to = "" } = change;
  const key = change.endpointId === null ? "A feed" : keyOf(change.endpointId);
  switch (change.kind) {
    case "opened":
      return `${key} is ${to}: incident opened`;
    case "joined":
      return `${key} is ${to} too`;
    case "flapped":
      return `${key} is ${to} again, before the incident could end`;
    case "worsened":
      return `Got worse, from ${from} to ${to}; ${key} is now the worst`;
    case "eased":
      return change.isUnseen === true
        ? `Improved from ${from} to ${to}, as far as we know; ${key} was the worst at our last check`
        : `Improved from ${from} to ${to}; ${key} is now the worst`;
    case "left":
      return `${key}${LEFT[spokenEnding((change.ending ?? "eased") as MemberEnding, change.isResting)]}${reportedLate(change, timeZone)}`;
    default:
      return `Incident ended: ${ENDING_SENTENCE[spokenEnding((change.ending ?? "mixed") as IncidentEnding, change.isResting)]}`;
  }
}

/** Data from before the trouble started that the API reported late. */
function reportedLate({ receivedMs }: { receivedMs?: number }, timeZone: string): string {
  return receivedMs === undefined ? "" : ` ${zonedMoment(receivedMs, timeZone)}, reported late`;
}

function ownedText({ byId, detail: { owner = null, previous_owner: before = null } }: EventFacts) {
  const from = before === null || before.id === byId ? "" : ` from ${before.name}`;
  if (owner === null) return `handed it${from} to the administrators`;
  return owner.id === byId ? `took it over${from}` : `handed it${from} to ${owner.name}`;
}

function barredText(kind: string, name: string, { owner = null }: EventDetail): string {
  const because = `${name} can’t handle incidents here any more`;
  if (kind === "unacknowledged") return `Unacknowledged now: ${because}`;
  return owner === null
    ? `The administrators own it now: ${because}`
    : `${owner.name} owns it now: ${because}`;
}
