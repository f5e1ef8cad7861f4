import type { RowPromise } from "@/lib/contracts/row-promise";
import { isPressing, shownState } from "@/lib/domain/deadlines/row-promise";
import { promiseText, type PromiseText } from "@/lib/domain/words/deadlines/promise-text";
import { moment } from "@/lib/domain/words/format";
import { subjectText, type ListedPromise, type Subject } from "./listed";
import * as words from "./words";

type Reader = { timeZone: string; isFrozen: boolean };

/** Where a promise stands now, in words. */
export type PromiseStatus = {
  /** Null: no feed's current day is one of it. */
  text: PromiseText | null;
  /** "2 of 12 feeds: " where they aren't all in the same state; otherwise empty. */
  some: string;
  /** "Next: Mon 06:00"; empty while a day is open. */
  next: string;
};

/** @param apiNowMs epoch milliseconds on the API's clock */
export function promiseStatus(
  { promise, current }: ListedPromise,
  apiNowMs: number,
  reader: Reader,
): PromiseStatus {
  const [first] = current;
  const { next } = promise;
  const nextText =
    next === null
      ? words.NO_MORE_DAYS
      : words.nextText(moment(Date.parse(next.due_at), apiNowMs, reader.timeZone));
  if (first === undefined) return { text: null, some: "", next: nextText };
  const state = shownState(first, apiNowMs);
  const alike = current.filter((one) => shownState(one, apiNowMs) === state).length;
  return {
    text: promiseText(first, apiNowMs, reader),
    some: alike === current.length ? "" : words.ofFeeds(alike, current.length),
    next: first.due_at === next?.due_at || state === "open" ? "" : nextText,
  };
}

/** The list's title. @param listed in its order; `company`: its name */
export function promiseHeadline(
  listed: readonly ListedPromise[],
  company: string,
  apiNowMs: number,
  reader: Reader,
): string {
  const pressing = listed.flatMap(({ current: [first], subject }) => {
    const state = first === undefined ? null : shownState(first, apiNowMs);
    // What can't be seen now isn't said to be at risk.
    const isKnown = state === "missed" || !reader.isFrozen;
    return first !== undefined && state !== null && isPressing(state) && isKnown
      ? [{ first, state, subject }]
      : [];
  });
  const [top] = pressing;
  return words.headline(listed.length, company, {
    missed: pressing.filter(({ state }) => state === "missed").length,
    atRisk: pressing.filter(({ state }) => state === "at_risk").length,
    first: top === undefined ? null : troubleText(top.subject, top.first, apiNowMs, reader),
  });
}

/** "Sage 300 commitments, by 15:00, in 40 m", "Procore daily_logs, by 07:00, 20 m late so far" */
function troubleText(
  subject: Subject,
  promise: RowPromise,
  apiNowMs: number,
  reader: Reader,
): string {
  const { by, stands } = promiseText(promise, apiNowMs, reader);
  const late = stands.replace(/^missed by (.+?)( so far)?$/, "$1 late$2");
  // The title says that it is at risk, or missed.
  const isSaid = late === stands;
  return `${subjectText(subject, words.ALL_FEEDS)}, ${by}${isSaid ? "" : `, ${late}`}`;
}
