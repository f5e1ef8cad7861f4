import type { AgeRange } from "@/lib/domain/ledger";
import type { Confidence, Verdict } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";
import type { TellingEndpoint } from "@/lib/domain/words/shared-words";
import type { SpokenPromise } from "@/lib/domain/words/deadlines/promise-text";
import type { CopiedIncident } from "@/lib/domain/words/copied-incident";
import type { Shows } from "./links";

/**
 * What the page of a share link shows: data from the operation, drawn by `components/shared-page`. Contains no people
 * but the link's creator. Instants and durations are in milliseconds; those about endpoints are on the API's clock.
 */
export type SharedPage = SharedPartnerPage | SharedIncidentPage | EndedLinkPage;

/** A meta tag of the page's card in a chat. */
export type CardTag = { property: string; content: string } | { name: string; content: string };

/** What the pages of all open links have. */
type OpenLinkPage = {
  card: readonly CardTag[];
  partnerName: string;
  /** The current name. */
  companyName: string;
  shows: Shows;
  sharedByName: string;
  expiresMs: number;
  /** Our clock. */
  nowMs: number;
  /** The reader's, IANA. */
  timeZone: string;
  /** The stored copy. Drawn only if the link shows it. */
  past: SharedPast;
};

export type SharedPartnerPage = OpenLinkPage & {
  kind: "partner";
  /** Null if the link shows only the stored copy. */
  now: SharedPresent | null;
};

export type SharedIncidentPage = OpenLinkPage & {
  kind: "incident";
  /** Null if the link shows only the stored copy, and before the first snapshot. */
  incident: IncidentPresent | null;
};

/** A link that has ended: whose it was, and no data. */
export type EndedLinkPage = {
  kind: "ended";
  card: readonly CardTag[];
  why: "revoked" | "expired" | "paused";
  /** When it ended; null: paused. */
  endedMs: number | null;
  sharedByName: string;
  sharedMs: number;
  /** The reader's, IANA. */
  timeZone: string;
};

/** The state stored with a link. */
export type SharedPast = {
  /** The instant that the state is of: when blind, the last check before the sharing. */
  atMs: number;
  /** When it was shared. */
  sharedMs: number;
  /** The last check. */
  asOfMs: number;
  confidence: Confidence;
  /** Of a partner all, of an incident the members in trouble. */
  endpoints: readonly (TellingEndpoint & {
    id: string;
    cadenceMs: number | null;
    countedAgeMs: number | null;
    /** "learned: quiet on Sat and Sun"; empty: all of its age counts. */
    quiet: string;
  })[];
  /** Null: a partner was shared. */
  incident: CopiedIncident | null;
};

/** The current state, with what the page needs to age while it is open. */
export type SharedPresent = {
  confidence: Confidence;
  /** Nothing is checked until an administrator acts. */
  isResting: boolean;
  apiNowMs: number;
  /** The last check; null before the first. */
  asOfMs: number | null;
  /** How long from now it is live, and until it is blind; at least 0. */
  delayedInMs: number;
  blindInMs: number;
  /** Null if no data was received. */
  partnerData: AgeRange | null;
  /** Worst first. */
  endpoints: readonly PresentEndpoint[];
};

export type PresentEndpoint = {
  id: string;
  endpointKey: string;
  /** At the last check: what is shown once the page is blind. */
  verdict: Verdict;
  judgement: Judgement;
  /** Its current promise, as far as customers are told; null: none. */
  promise: SpokenPromise | null;
};

/** The current state of an incident. */
export type IncidentPresent = CopiedIncident & {
  /** Its members in trouble, as far as they are listed. */
  now: SharedPresent;
  /** Its members in trouble, by id; `shown` is null for one that isn't listed. */
  open: ReadonlyMap<string, { verdict: Verdict; shown: PresentEndpoint | null }>;
  /** The next sync of a member in trouble; null: none is scheduled. */
  nextSyncMs: number | null;
};
