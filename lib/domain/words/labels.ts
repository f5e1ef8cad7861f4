import { RUN_OUTCOMES, type Confidence, type RunOutcome, type Verdict } from "@/lib/domain/sync";
import { moment } from "./format";

/** Labels of verdicts, outcomes and confidence. */

export const VERDICT_LABEL: Readonly<Record<Verdict, string>> = {
  failing: "Failing",
  stale: "Stale",
  late: "Late",
  unknown: "Unknown",
  due: "Due",
  fresh: "Fresh",
  webhook: "Webhook",
  paused: "Paused",
};

/** For `last_updated_at` being null: data may have been received before. */
export const NO_DATA_TIME = "no data time";
export const NO_DATA_TIME_FROM_SOURCE = `${NO_DATA_TIME} from the source`;

export const RUN_OUTCOME_LABEL: Readonly<Record<RunOutcome, string>> = {
  completed: "Completed",
  failed: "Failed",
  in_progress: "Running",
  timed_out: "Timed out",
  rate_limited: "Rate limited",
};

export const CONFIDENCE_LABEL: Readonly<Record<Confidence, string>> = {
  live: "Live",
  delayed: "Delayed",
  blind: "Can’t see",
};

/** Shows an unrecognised API value as given. */
function unknownValue(value: string): string {
  return `Unknown value “${value}”`;
}

/** The last run's outcome; empty if there is none. */
export function runOutcomeText(status: string | null): string {
  if (status === null) return "";
  return isRunOutcome(status) ? RUN_OUTCOME_LABEL[status] : unknownValue(status);
}

function isRunOutcome(status: string): status is RunOutcome {
  return (RUN_OUTCOMES as readonly string[]).includes(status);
}

/** An outdated verdict: "was fresh at 14:02". */
export function frozenWord(word: Verdict, asOfMs: number, nowMs: number, timeZone: string): string {
  const text = moment(asOfMs, nowMs, timeZone);
  return `was ${word} ${/^\d/.test(text) ? "at " : ""}${text}`;
}
