import type { Verdict } from "@/lib/domain/sync";

/** The verdicts that people have to do something about, mildest first. *Unknown* is none: it says what we can't tell. */
export const TROUBLES = ["late", "stale", "failing"] as const satisfies readonly Verdict[];
export type Trouble = (typeof TROUBLES)[number];

export function isTrouble(verdict: Verdict | null): verdict is Trouble {
  return (TROUBLES as readonly (Verdict | null)[]).includes(verdict);
}

/** Above 0 when `a` is worse than `b`, 0 when they are the same. */
export function compareTroubles(a: Trouble, b: Trouble): number {
  return TROUBLES.indexOf(a) - TROUBLES.indexOf(b);
}

/**
 * Why a member's trouble ended, in the order in which the evidence is looked at:
 * `data_received`: newer data than it had arrived; `run_completed`: a run that started after the failure completed
 * while data was within schedule; `schedule_changed`: nothing arrived, and its cadence or the next sync that it was
 * overdue by moved; `eased`: nothing arrived, and it isn't overdue or failing any more, such as when longer runs raised
 * the allowance or a stuck run was cancelled.
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

/** How an incident ended: only data that arrived, or a run that completed, is a recovery. */
export type IncidentEnding =
  | Exclude<MemberEnding, "data_received" | "run_completed">
  | "recovered"
  | "mixed";

/** What the endings of all its members make an incident's. */
export function endingOf(endings: readonly MemberEnding[]): IncidentEnding {
  const [first, ...others] = new Set(endings.map(asIncidentEnding));
  return first === undefined || others.length > 0 ? "mixed" : first;
}

function asIncidentEnding(ending: MemberEnding): IncidentEnding {
  return ending === "data_received" || ending === "run_completed" ? "recovered" : ending;
}

/** An endpoint of an incident. Instants are epoch milliseconds on the API's clock. */
export type Member = {
  endpointId: string;
  endpointKey: string;
  /** Its verdict when it was last seen as a member; `unknown`: we can't tell. */
  verdict: Verdict;
  /** The trouble that it was last seen in. */
  trouble: Trouble;
  /** When its trouble truly began, by the record: the first time, where it flapped. */
  beganMs: number;
  joinedMs: number;
  /** The data that it had when it was last seen in trouble: what is newer ended it. Null: none. */
  landedMs: number | null;
  /** The data that it had when it joined, and each time its trouble came back; null: none. */
  landedBeforeMs: number | null;
  /** The data that ended its trouble, at its own time, which may be before the trouble began; null: none did. */
  receivedMs: number | null;
  /** Null while it is in trouble, or while we can't tell. */
  endedMs: number | null;
  ending: MemberEnding | null;
};

/** The trouble of one partner that isn't over. Instants are epoch milliseconds on the API's clock. */
export type OpenIncident = {
  /** Counts up from 1 in each company. */
  id: number;
  partner: string;
  beganMs: number;
  /** When we said so. */
  openedMs: number;
  /** The worst of its members now; null while none is seen in trouble. */
  verdict: Trouble | null;
  worstVerdict: Trouble;
  /** How often trouble came back before it could end. */
  flaps: number;
  /** Observed time since its last member ended, milliseconds; null while one hasn't. */
  calmMs: number | null;
  members: readonly Member[];
};

/** An incident that is over. */
export type EndedIncident = OpenIncident & {
  /** When the last of its members' trouble ended. */
  endedMs: number;
  ending: IncidentEnding;
};

/**
 * All that the next observation is measured against; plain JSON, kept with the record.
 * Instants are epoch milliseconds on the API's clock.
 */
export type IncidentsState = {
  /** The last observation; null before the first. */
  observedAtMs: number | null;
  /** The last id given; 0 before the first. */
  lastId: number;
  open: readonly OpenIncident[];
  /** Endpoints in trouble that are no members yet, by id. */
  suspects: Readonly<Record<string, Suspect>>;
};

/** `observedMs`: for how long we have seen it in trouble without a break. */
export type Suspect = { beganMs: number; observedMs: number };

export const NO_INCIDENTS: IncidentsState = {
  observedAtMs: null,
  lastId: 0,
  open: [],
  suspects: {},
};
