import type { PromiseState } from "@/lib/domain/deadlines/deadline";
import { shownState, type ShownPromise } from "@/lib/domain/deadlines/row-promise";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { duration, moment, runDuration } from "@/lib/domain/words/format";

/** The promise of a feed, as the JSON has it. Instants are ISO 8601 on the API's clock. */
export type SpokenPromise = ShownPromise & {
  /** Start of the attempt that counts; null: none is known. */
  attempt_at: string | null;
  /** How long it usually takes; null: unknown. */
  usually_seconds: number | null;
  /** From `due_at` to the first data seen; null: in time, or none seen yet. */
  late_seconds: number | null;
  /** Earlier data may lie hidden in a time that we couldn't check. */
  late_at_most: boolean;
};

/** A promise in words: "by 15:00, in 40 m", "at risk", "next attempt 14:55 usually takes 12 m". */
export type PromiseText = {
  state: PromiseState;
  by: string;
  /** Empty while it is open. */
  stands: string;
  /** Evidence; empty for none. */
  because: string;
};

type Reading = {
  /** IANA name of the reader's zone. */
  timeZone: string;
  /** The feed can't be seen now, so that an open promise can't be judged. */
  isFrozen: boolean;
  /** The feed is paused, so that no data is expected while the promise is open. */
  isPaused?: boolean;
};

/**
 * Where a feed's promise stands.
 * @param apiNowMs epoch milliseconds on the API's clock
 */
export function promiseText(
  promise: SpokenPromise,
  apiNowMs: number,
  { timeZone, isFrozen, isPaused = false }: Reading,
): PromiseText {
  const { late_seconds: late } = promise;
  const state = shownState(promise, apiNowMs);
  const dueMs = Date.parse(promise.due_at);
  const by = `by ${moment(dueMs, apiNowMs, timeZone)}`;
  switch (state) {
    case "met":
      return { state, by, stands: "kept", because: "" };
    case "missed":
      return {
        state,
        by,
        stands:
          late === null
            ? isFrozen
              ? "missed"
              : `missed by ${duration(apiNowMs - dueMs)} so far`
            : missedText(late, promise.late_at_most),
        because: "",
      };
    case "not_observed":
      return { state, by, stands: "not checked", because: "" };
    case "excused":
      return { state, by, stands: "excused", because: "" };
    case "open":
    case "at_risk":
    case "being_checked": {
      const when = `${by}, ${distance(dueMs - apiNowMs)}`;
      if (isFrozen)
        return { state: "open", by: when, stands: "", because: "we can’t see it right now" };
      if (isPaused && state !== "being_checked")
        return { state: "open", by, stands: "excused while paused", because: "" };
      if (state === "being_checked")
        return { state, by: when, stands: "being checked", because: "" };
      return {
        state,
        by: when,
        stands: state === "at_risk" ? "at risk" : "",
        because: attemptText(promise, apiNowMs, timeZone),
      };
    }
  }
}

/**
 * The same as it was at a past instant, in words of what was known then: "by 15:00, 40 m later, no new data yet".
 * Schedules of then aren't recorded, so it is never at risk and has no evidence.
 * @param atMs that instant, on the API's clock
 */
export function promiseThenText(
  promise: SpokenPromise,
  atMs: number,
  given: Omit<Reading, "isFrozen">,
): PromiseText {
  const { timeZone, isPaused = false } = given;
  const text = promiseText(promise, atMs, { ...given, isFrozen: false });
  const dueMs = Date.parse(promise.due_at);
  const by = `by ${moment(dueMs, atMs, timeZone)}`;
  switch (text.state) {
    case "open":
    case "at_risk": {
      if (isPaused) return text;
      const later =
        dueMs - atMs < MINUTE_MS ? "under 1 m later" : `${duration(dueMs - atMs)} later`;
      return { state: "open", by: `${by}, ${later}`, stands: "no new data yet", because: "" };
    }
    case "being_checked":
      return { ...text, by, stands: "being checked then", because: "" };
    case "missed":
      return promise.late_seconds === null
        ? { ...text, stands: "missed, no new data by then" }
        : text;
    case "met":
    case "not_observed":
    case "excused":
      return text;
  }
}

/**
 * Where a feed's promise stands, or in a view of the past stood.
 * @param atMs what the page shows, epoch milliseconds on the API's clock
 */
export function shownPromiseText(
  promise: SpokenPromise,
  atMs: number,
  { isPast, ...given }: Reading & { isPast: boolean },
): PromiseText {
  return isPast ? promiseThenText(promise, atMs, given) : promiseText(promise, atMs, given);
}

/** "by 15:00, in 40 m, at risk: next attempt 14:55 usually takes 12 m" */
export function promiseSentence(text: PromiseText): string {
  const said = promiseShort(text);
  return text.because === "" ? said : `${said}: ${text.because}`;
}

/** The same without its evidence: "by 15:00, in 40 m, at risk". */
export function promiseShort({ by, stands }: Pick<PromiseText, "by" | "stands">): string {
  return stands === "" ? by : `${by}, ${stands}`;
}

/** The same in words that stay true while a page isn't updated: "by 15:00, at risk". */
export function stillPromiseText(promise: SpokenPromise, apiNowMs: number, given: Reading): string {
  const by = `by ${moment(Date.parse(promise.due_at), apiNowMs, given.timeZone)}`;
  const { state, stands } = promiseText(promise, apiNowMs, given);
  if (state === "missed" && promise.late_seconds === null)
    return given.isFrozen ? `${by}, missed` : `${by}, missed; no new data yet`;
  return promiseShort({ by, stands });
}

/** "missed by 20 m", "missed by at most 2 h 10 m" */
export function missedText(lateSeconds: number, isAtMost: boolean): string {
  return `missed ${byText(lateSeconds, isAtMost)}`;
}

/** "by 20 m", "by at most 2 h 10 m" */
export function byText(lateSeconds: number, isAtMost: boolean): string {
  return `by ${isAtMost ? "at most " : ""}${duration(lateSeconds * 1000)}`;
}

/** "in 40 m", "in under 1 m", "5 m ago" */
function distance(aheadMs: number): string {
  if (aheadMs >= MINUTE_MS) return `in ${duration(aheadMs)}`;
  return aheadMs >= 0 ? "in under 1 m" : `${duration(-aheadMs)} ago`;
}

function attemptText(
  { state, attempt_at: attempt, usually_seconds: usually }: SpokenPromise,
  apiNowMs: number,
  timeZone: string,
): string {
  if (attempt === null) return state === "at_risk" ? "no attempt is scheduled" : "";
  const ms = Date.parse(attempt);
  const at = moment(ms, apiNowMs, timeZone);
  const what = ms > apiNowMs ? `next attempt ${at}` : `attempt of ${at}`;
  if (usually === null) return `can’t tell whether the ${what} ends in time`;
  return `${what} usually takes ${runDuration(usually * 1000).replace(/ 00 s$/, "")}`;
}
