import { MINUTE_MS, SECOND_MS } from "@/lib/domain/time/units";
import { learnedQuiet } from "@/lib/domain/learned-week/quiet-text";
import type { Verdict } from "@/lib/domain/sync";
import type { FailureOutcome, Judgement, Reason } from "@/lib/domain/verdict";
import { ago, duration, span } from "./format";
import { NO_DATA_TIME_FROM_SOURCE } from "./labels";
import { atMoment } from "./dates";
import { capital } from "@/lib/domain/text/capital";

/**
 * Sentences about syncs. Sentence case, plain words; known facts first, then what is next; never a cause that the data
 * doesn't give.
 * Instants are epoch milliseconds; a `timeZone` is an IANA name.
 */

type When = { nowMs: number; timeZone: string };

/** Rounded up to the next unit that `duration` shows, so that "under" holds. */
function roundedUp(ms: number): number {
  const unitMs = ms < MINUTE_MS ? SECOND_MS : MINUTE_MS;
  return Math.max(1, Math.ceil(ms / unitMs)) * unitMs;
}

/** One reason of a verdict as a clause without a capital or a full stop, to follow a colon. */
export function reasonClause(reason: Reason, { nowMs, timeZone }: When): string {
  const at = (ms: number | null) => (ms === null ? "" : ` ${atMoment(ms, nowMs, timeZone)}`);
  switch (reason.code) {
    case "paused":
      return "inactive at the source";
    case "not_reported":
      return "missing from the latest check";
    case "clock_unknown":
      return "we don’t know the time at the source";
    case "stuck":
      return reason.typicalMs === null || reason.typicalMs >= reason.runningForMs
        ? `its run looks stuck: ${duration(reason.runningForMs)} so far`
        : `its run looks stuck: ${duration(reason.runningForMs)}, normally under ${duration(roundedUp(reason.typicalMs))}`;
    case "failing":
      if (reason.streak >= 2) {
        const last = reason.endedMs === null ? "" : `, the last${at(reason.endedMs)}`;
        const least = reason.isStreakMinimum ? "at least " : "";
        return `${least}${reason.streak} runs in a row didn’t complete${last}`;
      }
      return `${lastRun(reason)} ${FAILURE_VERB[reason.outcome]}${at(reason.endedMs)}${FAILING_TAIL[reason.because]}`;
    case "webhook":
      return "no fixed schedule";
    case "unrecognised_status":
      return `we don’t recognise its status, “${reason.status}”`;
    case "landing_in_future":
      return `its data is dated ${duration(reason.aheadMs)} in the future`;
    case "nothing_landed":
      return NO_DATA_TIME_FROM_SOURCE;
    case "never_synced":
      return "never synced";
    case "no_cadence":
      return "no cadence known";
    case "landing_overdue":
      return `${duration(reason.latenessMs)} overdue, expected every ${span(reason.cadenceMs)}`;
    case "next_overdue":
      return `no data received since the sync due${at(reason.nextMs)}, ${duration(reason.latenessMs)} overdue`;
    case "within_grace":
      return `${duration(reason.latenessMs)} overdue, within the ${span(reason.graceMs)} allowance`;
    case "on_time":
      return `data is ${duration(reason.ageMs)} old, expected every ${span(reason.cadenceMs)}`;
    case "single_failure":
      return `${lastRun(reason)} ${FAILURE_VERB[reason.outcome]}${at(reason.endedMs)}`;
    case "rate_limited":
      return `the last run was rate limited by the partner${at(reason.endedMs)}`;
    case "learned_quiet":
      return learnedQuiet(reason, timeZone);
    case "clock_suspect":
      return `clock suspect: its data is dated ${duration(reason.aheadMs)} in the future`;
    case "unrecognised_run_status":
      return `we don’t recognise the outcome of its last run, “${reason.status}”`;
  }
  return reason satisfies never;
}

function lastRun({ wasLimitedSince }: { wasLimitedSince: boolean }): string {
  return wasLimitedSince ? "the last run that wasn’t rate limited" : "the last run";
}

const FAILURE_VERB: Readonly<Record<FailureOutcome, string>> = {
  failed: "failed",
  timed_out: "timed out",
};

const FAILING_TAIL = {
  streak: "",
  webhook: "",
  no_landing: `, with ${NO_DATA_TIME_FROM_SOURCE}`,
  overdue: " and the data is overdue",
} as const;

/** One reason as a sentence. */
export function reasonSentence(reason: Reason, when: When): string {
  return sentence(reasonClause(reason, when));
}

/**
 * The state of an endpoint, in one to four sentences.
 * "Procore / daily_logs is late: data is 2 h 10 m old, 1 h 10 m overdue. Next sync 14:45."
 */
export function endpointSentence(
  endpoint: { partnerName: string; endpointKey: string; judgement: Judgement },
  when: When,
): string {
  const { judgement } = endpoint;
  const { word, terms } = judgement;
  const [decided, ...others] = judgement.reasons;
  const name = `${endpoint.partnerName} / ${endpoint.endpointKey}`;
  const sentences = [`${name} ${PREDICATE[word]}: ${leadClause(judgement, decided, when)}.`];

  if (!AGE_IN_LEAD.has(word) || decided.code === "next_overdue") {
    const data = dataSentence(judgement);
    if (data !== null) sentences.push(data);
  }
  const isLearned = terms.cadenceSource === "learned";
  // The page shows a given cadence beside a late endpoint; a learned one must be disclosed here.
  if (terms.cadenceMs !== null && (word === "stale" || (word === "late" && isLearned)))
    sentences.push(`Expected every ${span(terms.cadenceMs)}${isLearned ? " (learned)" : ""}.`);
  for (const reason of others) sentences.push(reasonSentence(reason, when));
  const next = word === "fresh" || word === "due" ? null : nextSentence(judgement, when);
  if (next !== null) sentences.push(next);
  return sentences.join(" ");
}

const PREDICATE: Readonly<Record<Verdict, string>> = {
  failing: "is failing",
  stale: "is stale",
  late: "is late",
  unknown: "is unknown",
  due: "is due",
  fresh: "is fresh",
  webhook: "is updated by webhook",
  paused: "is paused",
};

const AGE_IN_LEAD: ReadonlySet<Verdict> = new Set(["stale", "late", "due", "fresh"]);

function leadClause({ terms, word }: Judgement, decided: Reason, when: When): string {
  if (terms.ageMs !== null && decided.code === "landing_overdue")
    return `data is ${duration(terms.ageMs)} old, ${duration(decided.latenessMs)} overdue`;
  if (terms.ageMs !== null && word === "due")
    return `data is ${duration(terms.ageMs)} old, ${reasonClause(decided, when)}`;
  const clause = reasonClause(decided, when);
  if (terms.cadenceSource === "learned" && (word === "fresh" || word === "due"))
    return `${clause} (learned)`;
  return clause;
}

function dataSentence({ word, terms, reasons }: Judgement): string | null {
  if (word === "webhook" && terms.landingMs === null) return "No event received yet.";
  if (terms.ageMs === null) return null;
  if (word === "webhook") return `Last event ${ago(terms.ageMs)}.`;
  if (word === "paused") return `Last data ${ago(terms.ageMs)}.`;
  const overdue =
    terms.latenessMs !== null && terms.latenessMs > 0 && reasons[0].code !== "next_overdue"
      ? `, ${duration(terms.latenessMs)} overdue`
      : "";
  return `Data is ${duration(terms.ageMs)} old${overdue}.`;
}

function nextSentence({ word, terms, reasons }: Judgement, when: When): string | null {
  // These have no scheduled next sync, or it is no longer known.
  if (word === "webhook" || word === "paused" || reasons[0].code === "not_reported") return null;
  if (terms.nextMs === null || terms.nextMs <= when.nowMs) return null;
  const what = word === "failing" ? "Next attempt" : "Next sync";
  return `${what} ${atMoment(terms.nextMs, when.nowMs, when.timeZone)}.`;
}

function sentence(clause: string): string {
  return `${capital(clause)}.`;
}
