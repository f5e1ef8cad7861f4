import type { Verdict } from "@/lib/domain/sync";

/**
 * Verdicts that need action, mildest first. *Unknown* isn't one of them: it means that the state can't be determined.
 */
export const TROUBLES = ["late", "stale", "failing"] as const satisfies readonly Verdict[];
export type Trouble = (typeof TROUBLES)[number];

export function isTrouble(verdict: Verdict | null): verdict is Trouble {
  return (TROUBLES as readonly (Verdict | null)[]).includes(verdict);
}

/** Positive if `a` is worse than `b`, 0 if they are equal. */
export function compareTroubles(a: Trouble, b: Trouble): number {
  return TROUBLES.indexOf(a) - TROUBLES.indexOf(b);
}

/** Those in trouble first, the worst at the top; then those that can't be judged, then those that are over. */
export function membersInOrder<T extends { ended_at: string | null; verdict: Verdict }>(
  members: readonly T[],
): T[] {
  const rank = ({ ended_at: ended, verdict }: T) =>
    ended !== null ? -2 : isTrouble(verdict) ? TROUBLES.indexOf(verdict) : -1;
  return members.toSorted((a, b) => rank(b) - rank(a));
}

/**
 * Why a member's trouble ended, in the order in which the evidence is checked:
 * - `data_received`: newer data arrived
 * - `run_completed`: a run that started after the failure completed while the data was within schedule
 * - `schedule_changed`: no data arrived, but the cadence or the overdue next sync was changed
 * - `eased`: no data arrived, but the endpoint isn't behind any more, for example because longer runs
 *   raised the allowance, a stuck run was cancelled, or it was learned that it rests at this time of the week
 */
export const MEMBER_ENDINGS = [
  "data_received",
  "run_completed",
  "paused",
  "removed",
  "became_webhook",
  "expected",
  "schedule_changed",
  "eased",
] as const;
export type MemberEnding = (typeof MEMBER_ENDINGS)[number];

/** How an incident ended. Only received data and completed runs count as a recovery. */
export type IncidentEnding =
  | Exclude<MemberEnding, "data_received" | "run_completed">
  | "recovered"
  | "mixed";

/** The ending of an incident, from the endings of all its members. */
export function endingOf(endings: readonly MemberEnding[]): IncidentEnding {
  const [first, ...others] = new Set(endings.map(asIncidentEnding));
  return first === undefined || others.length > 0 ? "mixed" : first;
}

/** Whether an incident ended because all of its members rest, by their learned weeks. */
export function isWhollyResting(members: readonly { isResting?: boolean | undefined }[]): boolean {
  return members.length > 0 && members.every(({ isResting }) => isResting === true);
}

function asIncidentEnding(ending: MemberEnding): IncidentEnding {
  return ending === "data_received" || ending === "run_completed" ? "recovered" : ending;
}

/** An endpoint of an incident. Instants are epoch milliseconds on the API's clock. */
export type Member = {
  endpointId: string;
  endpointKey: string;
  /** The verdict when it was last seen as a member; `unknown`: can't be determined. */
  verdict: Verdict;
  /** The last trouble verdict seen. */
  trouble: Trouble;
  /** When its trouble started according to the record; the first time, if it flapped. */
  beganMs: number;
  joinedMs: number;
  /** Last landing when it was last seen in trouble; newer data ends the trouble. Null: none. */
  landedMs: number | null;
  /** Last landing when it joined, updated each time its trouble returns; null: none. */
  landedBeforeMs: number | null;
  /** Landing that ended its trouble, possibly before the trouble started; null: no data ended it. */
  receivedMs: number | null;
  /** Null while it is in trouble or its state is unknown. */
  endedMs: number | null;
  ending: MemberEnding | null;
  /** Of `eased`: it would be in trouble if its learned week didn't say that it rests at that time. */
  isResting?: true;
};

/** An unresolved incident of one partner. Instants are epoch milliseconds on the API's clock. */
export type OpenIncident = {
  /** Counts up from 1 per company. */
  id: number;
  partner: string;
  beganMs: number;
  /** When the incident was opened. */
  openedMs: number;
  /** The worst of its members now; null while none is seen in trouble. */
  verdict: Trouble | null;
  worstVerdict: Trouble;
  /** How often trouble returned before the incident could end. */
  flaps: number;
  /** Observed time since its last member ended, milliseconds; null while one hasn't. */
  calmMs: number | null;
  members: readonly Member[];
};

/** A resolved incident. */
export type EndedIncident = OpenIncident & {
  /** When the last of its members' trouble ended. */
  endedMs: number;
  ending: IncidentEnding;
};

/** A note that the customer was told. `by`: the person's name then; `atMs`: epoch milliseconds on our clock. */
export type Told = { by: string | null; atMs: number };

/**
 * State that the next observation is compared with; plain JSON, stored with the record. Instants are epoch milliseconds
 * on the API's clock.
 */
export type IncidentsState = {
  /** The last observation; null before the first. */
  observedAtMs: number | null;
  /** The last assigned id; 0 before the first. */
  lastId: number;
  open: readonly OpenIncident[];
  /** Endpoints in trouble that aren't members yet, by id. */
  suspects: Readonly<Record<string, Suspect>>;
};

/** `observedMs`: how long it has been seen in trouble without interruption. */
export type Suspect = { beganMs: number; observedMs: number };

export const NO_INCIDENTS: IncidentsState = {
  observedAtMs: null,
  lastId: 0,
  open: [],
  suspects: {},
};
