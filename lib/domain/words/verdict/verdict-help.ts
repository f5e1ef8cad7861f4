import { missedSyncMs } from "@/lib/domain/incidents/missed-sync";
import { exceededMs } from "@/lib/domain/learned-week/rest";
import { isProblem } from "@/lib/domain/order";
import type { SyncAttributes, Verdict } from "@/lib/domain/sync";
import type { Judgement, Reason } from "@/lib/domain/verdict";
import { atMoment, datedMoment } from "@/lib/domain/words/dates";
import { duration, span } from "@/lib/domain/words/format";
import { reasonSentence } from "@/lib/domain/words/sentences";

/**
 * What a verdict means, and what to do about it. Instants are epoch milliseconds on the API's clock; a `timeZone` is an
 * IANA name.
 */

type When = { nowMs: number; timeZone: string };

/** What each verdict means, in one sentence. */
export const VERDICT_MEANING: Readonly<Record<Verdict, string>> = {
  failing:
    "Syncs don’t complete: two runs in a row failed, one failed and the data is overdue, or a run is stuck.",
  stale: "New data is overdue by more than a whole cycle.",
  late: "New data is overdue by more than the usual allowance.",
  unknown: "We can’t judge this feed, because something we need for that is missing.",
  due: "New data is due about now: any delay is within the usual allowance.",
  fresh: "New data arrived on schedule.",
  webhook: "The source sends changes as they’re made, so there’s no schedule to compare with.",
  paused: "The feed is turned off at the source, so no data is expected.",
};

/** States that are shown beside a verdict. */
export const STATES = ["stuck", "rate_limited", "not_checked"] as const;
export type State = (typeof STATES)[number];

export const STATE_LABEL: Readonly<Record<State, string>> = {
  stuck: "Stuck",
  rate_limited: "Rate limited",
  not_checked: "Not checked",
};

export const STATE_MEANING: Readonly<Record<State, string>> = {
  stuck: "A run has been in progress for much longer than usual.",
  rate_limited:
    "The last run hit the partner’s limit on requests and brought no data. It doesn’t count as a failed run, but the data can still become overdue.",
  not_checked: "We couldn’t check. The verdict is from our last check.",
};

/** The states of an endpoint. @param isFrozen it can't be checked now */
export function statesOf({ overlays }: Judgement, isFrozen: boolean): State[] {
  if (isFrozen) return ["not_checked"];
  return [
    ...(overlays.stuck ? (["stuck"] as const) : []),
    ...(overlays.rateLimited ? (["rate_limited"] as const) : []),
  ];
}

/**
 * What the verdict of this endpoint means, with its own figures.
 * @param asOfMs the last check, if it can't be checked now; null: it can
 */
export function meaningText(
  { word, judgement }: { word: Verdict; judgement: Judgement },
  asOfMs: number | null,
  when: When,
): string {
  if (asOfMs !== null)
    return [
      `We haven’t been able to check since ${datedMoment(asOfMs, when.nowMs, when.timeZone)}. It was ${word} then, and we don’t know what has changed since.`,
      VERDICT_MEANING[word],
    ].join(" ");
  const states = statesOf(judgement, false);
  return [
    VERDICT_MEANING[word],
    figures(judgement) ?? reasonSentence(judgement.reasons[0], when),
    ...judgement.reasons.flatMap((reason) =>
      reason.code === "learned_quiet" ? reasonSentence(reason, when) : [],
    ),
    ...states.map((state) => STATE_MEANING[state]),
  ].join(" ");
}

/** The sum behind a verdict of overdue data; null if it isn't one. */
function figures({ terms, reasons }: Judgement): string | null {
  const { ageMs, cadenceMs, cadenceSource, lateByLandingMs } = terms;
  const isOfAge = (["landing_overdue", "within_grace", "on_time"] as Reason["code"][]).includes(
    reasons[0].code,
  );
  if (!isOfAge || ageMs === null || cadenceMs === null || lateByLandingMs === null) return null;
  const expected = `It’s expected every ${span(cadenceMs)}${cadenceSource === "learned" ? " (learned)" : ""}`;
  const overdue = lateByLandingMs < 0 ? "" : `, so ${duration(lateByLandingMs)} overdue`;
  return `${expected} and is ${duration(ageMs)} old${overdue}.`;
}

/** Who acknowledged an endpoint's incident. */
export type OnIt = { name: string; isYou: boolean; sinceMs: number };

/**
 * What a person can do about an endpoint.
 * @param given.partnerName for whom to contact
 * @param given.onIt null: no one; "no-incident": there is none; "quiet": there is none, in a planned quiet time;
 *   "not-known": not known yet
 * @param given.promise whether promised data is missing, or at risk; null: neither
 * @param given.isFrozen it can't be checked now
 */
export function actionText(
  { word, judgement, row }: { word: Verdict; judgement: Judgement; row: SyncAttributes },
  given: {
    onIt: OnIt | null | "no-incident" | "quiet" | "not-known";
    promise: "missed" | "at_risk" | null;
    isFrozen: boolean;
  },
  when: When,
): string {
  if (given.isFrozen) return "Nothing for now. We’re still trying to check.";
  if (isProblem(word)) {
    if (given.onIt === "quiet")
      return "Nothing for now. It’s in planned quiet, so no incident will open.";
    return [onItText(given.onIt, when), waitText(judgement, row, when), `${contact(row)}.`]
      .filter(Boolean)
      .join(" ");
  }
  if (word === "unknown") return unknownText(judgement.reasons[0], row);
  if (given.promise !== null && word !== "paused")
    return `${PROMISED[given.promise]} ${contact(row)}.`;
  if (word === "due") return dueText(judgement, when);
  return word === "paused"
    ? "Nothing, if it’s meant to be off. Otherwise turn it on at the source."
    : "Nothing.";
}

const PROMISED = {
  missed: "The promised data hasn’t arrived yet.",
  at_risk: "The promised data may be late.",
};

function onItText(
  onIt: Exclude<Parameters<typeof actionText>[1]["onIt"], "quiet">,
  when: When,
): string {
  if (onIt === "not-known") return "";
  if (onIt === "no-incident") return "No incident is open yet.";
  if (onIt === null) return "No one is on it yet.";
  const since = datedMoment(onIt.sinceMs, when.nowMs, when.timeZone);
  return onIt.isYou
    ? `You’ve been on it since ${since}.`
    : `${onIt.name} has been on it since ${since}.`;
}

const ENDED: Readonly<Record<string, string>> = {
  failed: "The last run failed",
  timed_out: "The last run timed out",
  rate_limited: "The last run was rate limited",
};

function waitText({ overlays, terms }: Judgement, row: SyncAttributes, when: When): string {
  if (overlays.stuck) return "The current run looks stuck and may not finish.";
  if (overlays.syncing) return "A sync is running now, so wait until it finishes.";
  const ended = ENDED[row.last_sync_status ?? ""];
  const { nextMs } = terms;
  const missedMs = missedSyncMs(terms, when.nowMs);
  if (missedMs !== null)
    return `The attempt due ${atMoment(missedMs, when.nowMs, when.timeZone)} hasn’t started.`;
  if (nextMs === null || nextMs <= when.nowMs)
    return ended === undefined ? "" : `${ended}, and no time is set for the next attempt.`;
  const at = atMoment(nextMs, when.nowMs, when.timeZone);
  return ended === undefined
    ? `The next attempt is ${at}.`
    : `${ended}, so wait for the attempt ${at}.`;
}

const contact = ({ partner_name: partner }: SyncAttributes) =>
  `If no data arrives, contact ${partner} support`;

const CHECK_CLOCK = "Check the clock at the source.";
const UNKNOWN: Partial<Record<Reason["code"], string>> = {
  not_reported: "Check whether the integration was removed at the source.",
  no_cadence: "Nothing for now. We learn its cadence from its next syncs.",
  clock_unknown: CHECK_CLOCK,
  landing_in_future: CHECK_CLOCK,
  unrecognised_status: "Ask your administrator what this status means.",
};

function unknownText({ code }: Reason, row: SyncAttributes): string {
  return UNKNOWN[code] ?? `Wait for its first data. ${contact(row)}.`;
}

function dueText({ terms }: Judgement, { nowMs, timeZone }: When): string {
  const { graceMs, latenessMs, rests } = terms;
  if (graceMs === null || latenessMs === null) return "Nothing for now.";
  const lateMs = exceededMs(rests, nowMs, graceMs - latenessMs);
  return `Nothing for now. It’s late ${atMoment(lateMs, nowMs, timeZone)} if no data arrives by then.`;
}
