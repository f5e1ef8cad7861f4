import type { Confidence } from "@/lib/domain/sync";
import { count, duration } from "@/lib/domain/words/format";

/** How far an answer can be trusted, in sentences for assistants. */

/**
 * Of one company.
 * @param source.asOfMs its last complete check; null: none
 * @param nowMs both epoch milliseconds on our clock
 */
export function companyTrust(
  { confidence, asOfMs }: { confidence: Confidence; asOfMs: number | null },
  nowMs: number,
): string {
  if (asOfMs === null) return "Not checked yet: nothing is known of this company.";
  const age = duration(Math.max(0, nowMs - asOfMs));
  switch (confidence) {
    case "live":
      return `Current: the last complete check was ${age} ago.`;
    case "delayed":
      return `Delayed: the last complete check was ${age} ago, and something may have changed since.`;
    case "blind":
      return `Not current: we can’t see this company. The last complete check was ${age} ago, and what is said here is from then.`;
  }
  return confidence satisfies never;
}

/**
 * Numbers of companies; `delayed` are among those that aren’t `unseen`, and `unchecked` among those that are: we have no
 * check of them.
 */
type Numbers = { companies: number; unseen: number; delayed?: number; unchecked?: number };

const NO_COMPANY_VISIBLE = "No company is visible with this token, so nothing is known.";
const NOT_COVERED = "Nothing here covers the others.";
/** What an answer has of companies that we can't or couldn't see. */
export type OfUnseen = "nothing" | "last seen";

/** Of several companies. */
export function companiesTrust(given: Numbers, ofUnseen: OfUnseen): string {
  const { companies, unseen, delayed = 0 } = given;
  if (companies === 0) return NO_COMPANY_VISIBLE;
  if (unseen >= companies)
    return `Not current: we can’t see ${anyOf(companies)}.${ofUnseen === "nothing" ? "" : ` ${lastStates(given, NOW)}`}`;
  if (unseen === 0) return `${delayed === 0 ? "Current" : "Delayed"}: we see ${seen(given)}.`;
  return `Incomplete: we see ${seen(given)}. ${ofUnseen === "nothing" ? NOT_COVERED : lastStates(given, NOW)}`;
}

/** Of what was recorded of several companies at an instant: which of them we saw then. */
export function companiesThenTrust(given: Numbers, ofUnseen: OfUnseen): string {
  const { companies, unseen } = given;
  if (companies === 0) return NO_COMPANY_VISIBLE;
  if (unseen >= companies)
    return `We couldn’t see ${anyOf(companies)} at that time.${ofUnseen === "nothing" ? "" : ` ${lastStates(given, THEN)}`}`;
  const then = `As recorded at that time, when we saw ${seen(given)}.`;
  return unseen === 0
    ? then
    : `${then} ${ofUnseen === "nothing" ? NOT_COVERED : lastStates(given, THEN)}`;
}

/** @property none "it was never checked", of companies of which we have no check */
type LastWords = { check: string; none: (which: string, isOne: boolean) => string };
const NOW: LastWords = {
  check: "last check",
  none: (which, isOne) => `${which} ${isOne ? "was" : "were"} never checked`,
};
/** What isn't recorded may have been deleted with old history. */
const THEN: LastWords = {
  check: "last check before",
  none: (which, isOne) => `${which} ${isOne ? "has" : "have"} no check recorded by then`,
};

/** What an answer has of the companies that aren't seen, where it lists what we last saw. */
function lastStates(
  { companies, unseen, unchecked = 0 }: Numbers,
  { check, none }: LastWords,
): string {
  const isAll = unseen >= companies;
  const isOne = unseen === 1;
  if (unchecked >= unseen) {
    const which = isAll ? (isOne ? "It" : "They") : isOne ? "The other" : "The others";
    return `${none(which, isOne)}.`;
  }
  const last = isAll
    ? `What is said here is from the ${check}`
    : `What is said of the others is from their ${check}`;
  if (unchecked === 0) return `${last}.`;
  return `${last}; ${none(`${count(unchecked)} of them`, unchecked === 1)}.`;
}

/** "any of the 8 companies" */
function anyOf(companies: number): string {
  return companies === 1 ? "this company" : `any of the ${count(companies)} companies`;
}

/** "7 of 8 companies, 1 of them with a delay" */
function seen({ companies, unseen, delayed = 0 }: Numbers): string {
  const which =
    unseen > 0
      ? `${count(companies - unseen)} of ${count(companies)} companies`
      : companies === 1
        ? "the company"
        : `all ${count(companies)} companies`;
  if (delayed === 0) return which;
  return `${which}, ${companies === 1 ? "" : `${count(delayed)} of them `}with a delay`;
}

/** Of what was recorded at an instant. */
export function thenTrust(confidence: Confidence): string {
  switch (confidence) {
    case "live":
      return "As recorded at that time, when our checks were current.";
    case "delayed":
      return "As recorded at that time, when our checks were delayed.";
    case "blind":
      return "We couldn’t see this company at that time: only its last known state is given.";
  }
  return confidence satisfies never;
}

/**
 * Of a month's report.
 * @param report.checked share of the time that we could check, percent, rounded to a decimal; null: no time has passed
 * @param report.onTime on time, in percent of the checked time; null: none was checked
 */
export function reportTrust({
  closed,
  checked,
  onTime,
}: {
  closed: boolean;
  checked: number | null;
  onTime: number | null;
}): string {
  const month = closed
    ? "The month is closed: its report doesn’t change any more."
    : "The month isn’t closed: its report may still change.";
  if (checked === null || onTime === null) return `${month} None of its time was checked.`;
  return checked === 0
    ? `${month} Less than 0.1% of its time was checked.`
    : `${month} We could check ${checked.toFixed(1)}% of its time.`;
}
