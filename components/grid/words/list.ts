import { duration } from "@/lib/domain/words/format";

// The words of the list itself, which stands on a partner's page too; those around it are in board.ts.

// The head of the list.

export const LIST_LABEL = "Endpoints";
export const VERDICT = "Verdict";
export const verdictAt = (time: string) => `At ${time}`;
export const ENDPOINT = "Endpoint";
export const PARTNER_AND_ENDPOINT = "Partner / endpoint";
export const AGE = "Data age";
export const AGE_THEN = "Age then";
export const BAR_LABEL = "Age against cadence";
export const DUE = "due";
export const OVERDUE = "Overdue";
export const SINCE = "Since";
export const NEXT_SYNC = "Next sync";
export const LAST_RUN = "Last run";
export const STRIP_LABEL = "Runs in the past 24 hours";
export const CALLS = "Calls";
export const CALLS_ROLLING = "API calls, rolling 24 h";
export const SPARK_LABEL = "API calls in the past 24 hours";

// A partner.

export const toggleLabel = (partner: string, isOpen: boolean) =>
  `${isOpen ? "Collapse" : "Expand"} ${partner}`;

// An endpoint.

/** Follows the number on a phone, which has no head; one text with its blank, as there is one in each row. */
export const OVERDUE_HERE = " overdue";
export const SYNCING = ", syncing";
export const STUCK = "stuck";

// Healthy endpoints on one line.

export const NEXT_UNKNOWN = "not known";
/** Never a countdown below a minute. */
export const firstInText = (ms: number) =>
  ms < 60_000 ? "first in <1 m" : `first in ${duration(ms)}`;
export const completedText = (completed: number, all: number) =>
  completed === all ? "all completed" : `${completed} of ${all} completed`;
export const showFoldedLabel = (amount: number) => `Show ${amount} folded endpoints`;
export const SHOW = "show";
