import { RUN_OUTCOMES } from "./sync";
import type { Confidence, RunOutcome, SourceReason, Verdict } from "./sync";
import type { FailureOutcome, Judgement, Reason } from "./verdict";
import { zoneName } from "./zone-name";

export { zoneName };

/**
 * Every sentence and number that a person reads about syncs. Sentence case, plain words; what is known
 * first, then what is next; never a cause that the data does not give.
 * Instants are epoch milliseconds; a `timeZone` is an IANA name and throws a RangeError when it is none.
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const NOT_KNOWN = "not known";

// Durations

/** An age or a lateness, rounded down, at most two units: "41 s", "9 m", "1 h 06 m", "3 d 4 h". */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return NOT_KNOWN;
  if (ms < MINUTE_MS) return `${whole(Math.max(0, ms), SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${whole(ms, MINUTE_MS)} m`;
  // Hours up to two days: "26 h 12 m" is read against a cadence of a day at a glance.
  if (ms < 2 * DAY_MS) return `${whole(ms, HOUR_MS)} h ${padded(whole(ms % HOUR_MS, MINUTE_MS))} m`;
  return `${whole(ms, DAY_MS)} d ${whole(ms % DAY_MS, HOUR_MS)} h`;
}

/** How long a run took: "14 s", "1 m 32 s", "10 m 00 s", "1 h 04 m". */
export function runDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < MINUTE_MS || ms >= HOUR_MS) return duration(ms);
  return `${whole(ms, MINUTE_MS)} m ${padded(whole(ms % MINUTE_MS, SECOND_MS))} s`;
}

/** A cadence or an allowance, without empty units: "30 m", "2 h", "1 h 30 m", "24 h". */
export function span(ms: number): string {
  return duration(ms).replace(/ 0+ [mh]$/, "");
}

/** "9 m ago" */
export function ago(ms: number): string {
  return Number.isFinite(ms) ? `${duration(ms)} ago` : NOT_KNOWN;
}

/** A count with its thousands apart: "7 683". */
export function count(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, "\u202f");
}

/** "1 file", "7 683 files"; `thing` takes an s when there are more or none. */
export function counted(amount: number, thing: string): string {
  return `${count(amount)} ${thing}${amount === 1 ? "" : "s"}`;
}

function whole(ms: number, unitMs: number): number {
  return Math.floor(ms / unitMs);
}

function padded(value: number): string {
  return String(value).padStart(2, "0");
}

// Clock times

type Calendar = Record<"weekday" | "day" | "month" | "year" | "hour" | "minute" | "second", string>;

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Building a formatter costs a thousand times what using it does. */
function calendar(ms: number, timeZone: string): Calendar {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      weekday: "short",
      day: "numeric",
      month: "numeric",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(timeZone, formatter);
  }
  const parts = formatter.formatToParts(ms).map(({ type, value }) => [type, value]);
  return Object.fromEntries(parts) as Calendar;
}

/** Outside of this the calendar has no date. */
function hasDate(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}

/** "14:21" */
export function clockTime(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { hour, minute } = calendar(ms, timeZone);
  return `${hour}:${minute}`;
}

/** "14:32:07", for the running clock and for "as of". */
export function clockTimeWithSeconds(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { hour, minute, second } = calendar(ms, timeZone);
  return `${hour}:${minute}:${second}`;
}

/** "Fri 13", under a day's mark on an axis. */
export function dayOfMonth(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { weekday, day } = calendar(ms, timeZone);
  return `${weekday} ${Number(day)}`;
}

/** "5 Nov", where a mark stands for more than a few days. */
export function dayAndMonth(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { day, month } = calendar(ms, timeZone);
  return `${Number(day)} ${MONTHS[Number(month) - 1]}`;
}

/** "09 Nov 2026, 09:12", in a column of dates: every one as wide as the next. */
export function dateAndTime(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { day, month, year, hour, minute } = calendar(ms, timeZone);
  return `${padded(Number(day))} ${MONTHS[Number(month) - 1]} ${year}, ${hour}:${minute}`;
}

/** How far local time is ahead of UTC at a moment, milliseconds; negative in the west. */
export function zoneOffsetMs(ms: number, timeZone: string): number {
  if (!hasDate(ms)) return 0;
  const { year, month, day, hour, minute, second } = calendar(ms, timeZone);
  const localMs = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second);
  return localMs - Math.floor(ms / SECOND_MS) * SECOND_MS;
}

/** "Thu 19 Nov 2026, CET" */
export function dayAndZone(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const at = calendar(ms, timeZone);
  return `${date(at)} ${at.year}, ${zoneName(ms, timeZone)}`;
}

/** "12:22:07 CET, Thu 19 Nov 2026": for hover and detail. */
export function absoluteTime(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const at = calendar(ms, timeZone);
  return `${at.hour}:${at.minute}:${at.second} ${zoneName(ms, timeZone)}, ${date(at)} ${at.year}`;
}

/** A moment where room is short; the day is named unless it is today: "13:22", "Wed 18:20", "Thu 19 Nov, 18:20". */
export function moment(ms: number, nowMs: number, timeZone: string): string {
  if (!hasDate(ms) || !hasDate(nowMs)) return NOT_KNOWN;
  const at = calendar(ms, timeZone);
  const now = calendar(nowMs, timeZone);
  const time = `${at.hour}:${at.minute}`;
  if (at.day === now.day && at.month === now.month && at.year === now.year) return time;
  // Six days at most, so that a weekday's name means one day only.
  if (Math.abs(ms - nowMs) < 6 * DAY_MS) return `${at.weekday} ${time}`;
  return at.year === now.year ? `${date(at)}, ${time}` : `${date(at)} ${at.year}, ${time}`;
}

/** A moment in a sentence; the date is named unless it is today: "13:22", "Wed 18 Nov, 18:20". */
export function datedMoment(ms: number, nowMs: number, timeZone: string): string {
  const { day, time } = dayAndTime(ms, nowMs, timeZone);
  return day === "" ? time : `${day}, ${time}`;
}

/** The same after a verb: "at 13:22", "on Wed 18 Nov at 18:20". */
export function atMoment(ms: number, nowMs: number, timeZone: string): string {
  const { day, time } = dayAndTime(ms, nowMs, timeZone);
  return day === "" ? `at ${time}` : `on ${day} at ${time}`;
}

/** `day` is empty for today, and names the year where it is another one. */
function dayAndTime(ms: number, nowMs: number, timeZone: string): { day: string; time: string } {
  if (!hasDate(ms) || !hasDate(nowMs)) return { day: "", time: "an unknown time" };
  const at = calendar(ms, timeZone);
  const now = calendar(nowMs, timeZone);
  const time = `${at.hour}:${at.minute}`;
  if (at.year !== now.year) return { day: `${date(at)} ${at.year}`, time };
  return { day: at.day === now.day && at.month === now.month ? "" : date(at), time };
}

function date({ weekday, day, month }: Calendar): string {
  return `${weekday} ${Number(day)} ${MONTHS[Number(month) - 1]}`;
}

/**
 * When the next sync is. Never counts down below a minute, since the API caches for one.
 * @returns "in 13 m", "under 1 m", "now" in the minute after, then "was due 13:22"; empty when not known
 */
export function nextSyncText(nextMs: number | null, nowMs: number, timeZone: string): string {
  if (nextMs === null) return "";
  const aheadMs = nextMs - nowMs;
  if (aheadMs >= MINUTE_MS) return `in ${duration(aheadMs)}`;
  if (aheadMs > 0) return "under 1 m";
  return aheadMs > -MINUTE_MS ? "now" : `was due ${moment(nextMs, nowMs, timeZone)}`;
}

// Words

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
  blind: "Blind",
};

/** A value that the API may send and we do not know is shown as given. */
function unknownValue(value: string): string {
  return `Unknown value “${value}”`;
}

/** The last run's outcome in words; empty when there is none. */
export function runOutcomeText(status: string | null): string {
  if (status === null) return "";
  return isRunOutcome(status) ? RUN_OUTCOME_LABEL[status] : unknownValue(status);
}

function isRunOutcome(status: string): status is RunOutcome {
  return (RUN_OUTCOMES as readonly string[]).includes(status);
}

/** A verdict that we no longer stand by: "was fresh at 14:02". */
export function frozenWord(word: Verdict, asOfMs: number, nowMs: number, timeZone: string): string {
  const text = moment(asOfMs, nowMs, timeZone);
  return `was ${word} ${/^\d/.test(text) ? "at " : ""}${text}`;
}

// Why

type When = { nowMs: number; timeZone: string };

/** One reason of a verdict as a clause without a capital or a full stop, to stand after a colon. */
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
      return reason.typicalMs === null
        ? `its run looks stuck: ${duration(reason.runningForMs)} so far`
        : `its run looks stuck: ${duration(reason.runningForMs)} so far, rarely longer than ${duration(reason.typicalMs)}`;
    case "failing":
      if (reason.streak >= 2) {
        const last = reason.endedMs === null ? "" : `, the last${at(reason.endedMs)}`;
        return `${reason.streak} runs in a row didn’t complete${last}`;
      }
      return `the last run ${FAILURE_VERB[reason.outcome]}${at(reason.endedMs)}${FAILING_TAIL[reason.because]}`;
    case "webhook":
      return "no fixed schedule";
    case "unrecognised_status":
      return `we don’t recognise its status, “${reason.status}”`;
    case "landing_in_future":
      return `its data is dated ${duration(reason.aheadMs)} in the future`;
    case "nothing_landed":
      return "no data received since the last recorded sync";
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
      return `the last run ${FAILURE_VERB[reason.outcome]}${at(reason.endedMs)}`;
    case "rate_limited":
      return `the last run was rate limited by the partner${at(reason.endedMs)}`;
    case "clock_suspect":
      return `clock suspect: its data is dated ${duration(reason.aheadMs)} in the future`;
    case "unrecognised_run_status":
      return `we don’t recognise the outcome of its last run, “${reason.status}”`;
  }
  return reason satisfies never;
}

const FAILURE_VERB: Readonly<Record<FailureOutcome, string>> = {
  failed: "failed",
  timed_out: "timed out",
};

const FAILING_TAIL = {
  streak: "",
  webhook: "",
  no_landing: " and no data has been received",
  overdue: " and the data is overdue",
} as const;

/** One reason as a sentence. */
export function reasonSentence(reason: Reason, when: When): string {
  return sentence(reasonClause(reason, when));
}

/**
 * What there is to say of an endpoint, in one to four sentences.
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
  // A given cadence is on the page beside a late endpoint; a learned one has to be owned up to.
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
  webhook: "is sent by webhook",
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
  if (word === "webhook" && terms.landingMs === null) return "No event seen.";
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
  // For these no next sync is scheduled, or it is no longer known.
  if (word === "webhook" || word === "paused" || reasons[0].code === "not_reported") return null;
  if (terms.nextMs === null || terms.nextMs <= when.nowMs) return null;
  const what = word === "failing" ? "Next attempt" : "Next sync";
  return `${what} ${atMoment(terms.nextMs, when.nowMs, when.timeZone)}.`;
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

// Our own picture

/**
 * Why the last read did not succeed, in our own words; the upstream's own text is never shown.
 * @param resetMs end of a rate limit; null when the upstream did not say
 */
export function sourceReasonSentence(
  reason: SourceReason,
  { resetMs, nowMs, timeZone }: When & { resetMs: number | null },
): string {
  switch (reason) {
    case "unreachable":
      return "The source isn’t responding.";
    case "rate_limited":
      // A limit that is already over says nothing about how long.
      return resetMs !== null && resetMs > nowMs
        ? `Rate limited until ${datedMoment(resetMs, nowMs, timeZone)}.`
        : "Rate limited by the source.";
    case "unauthorized":
      return "The source rejected our credentials.";
    case "forbidden":
      return "Our credentials don’t allow us to read sync status.";
    case "invalid_response":
      return "The source sent an invalid response, so we kept the last good data.";
    case "starting":
      return "The first check is running.";
  }
  return reason satisfies never;
}

/**
 * What the confidence bar says beside its word.
 * @param lastSuccessMs the last complete snapshot; null before the first
 * @param frozenFromMs when verdicts freeze, or froze; null before the first snapshot
 * @returns empty while live: the bar is quiet
 */
export function confidenceNote(
  confidence: Confidence,
  {
    lastSuccessMs,
    frozenFromMs,
    nowMs,
    timeZone,
  }: When & { lastSuccessMs: number | null; frozenFromMs: number | null },
): string {
  if (confidence === "live") return "";
  if (lastSuccessMs === null) return "No complete check yet, so no verdicts.";
  const behindMs = Math.max(0, nowMs - lastSuccessMs);
  if (confidence === "blind")
    return `since ${datedMoment(lastSuccessMs, nowMs, timeZone)}, ${ago(behindMs)}. Verdicts are frozen, not current.`;
  const freeze =
    frozenFromMs === null ? "" : ` Verdicts freeze ${atMoment(frozenFromMs, nowMs, timeZone)}.`;
  return `${duration(behindMs)} behind.${freeze}`;
}
