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

/** Numbers of companies; `delayed` are among those that aren’t `unseen`. */
type Numbers = { companies: number; unseen: number; delayed?: number };

const NO_COMPANY_VISIBLE = "No company is visible with this token, so nothing is known.";
/** What an answer has of companies that we can't or couldn't see. */
export type OfUnseen = "nothing" | "last seen";

const OF_OTHERS: Readonly<Record<OfUnseen, string>> = {
  nothing: "Nothing here covers the others.",
  "last seen": "What is said of the others is from their last check.",
};
const LAST_SEEN_ONLY = " What is said here is from the last check.";

/** Of several companies. */
export function companiesTrust(given: Numbers, ofUnseen: OfUnseen): string {
  const { companies, unseen, delayed = 0 } = given;
  if (companies === 0) return NO_COMPANY_VISIBLE;
  if (unseen >= companies)
    return `Not current: we can’t see ${anyOf(companies)}.${ofUnseen === "nothing" ? "" : LAST_SEEN_ONLY}`;
  if (unseen === 0) return `${delayed === 0 ? "Current" : "Delayed"}: we see ${seen(given)}.`;
  return `Incomplete: we see ${seen(given)}. ${OF_OTHERS[ofUnseen]}`;
}

const OTHERS_THEN: Readonly<Record<OfUnseen, string>> = {
  ...OF_OTHERS,
  "last seen": "What is said of the others is from their last check before.",
};
const LAST_THEN_ONLY = " What is said here is from the last check before.";

/** Of what was recorded of several companies at an instant: which of them we saw then. */
export function companiesThenTrust(given: Numbers, ofUnseen: OfUnseen): string {
  const { companies, unseen } = given;
  if (companies === 0) return NO_COMPANY_VISIBLE;
  if (unseen >= companies)
    return `We couldn’t see ${anyOf(companies)} at that time.${ofUnseen === "nothing" ? "" : LAST_THEN_ONLY}`;
  const then = `As recorded at that time, when we saw ${seen(given)}.`;
  return unseen === 0 ? then : `${then} ${OTHERS_THEN[ofUnseen]}`;
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
 * @param report.checked share of the time that we could check, percent; null: none
 */
export function reportTrust({
  closed,
  checked,
}: {
  closed: boolean;
  checked: number | null;
}): string {
  const month = closed
    ? "The month is closed: its report doesn’t change any more."
    : "The month isn’t closed: its report may still change.";
  return checked === null || checked === 0
    ? `${month} None of its time was checked.`
    : `${month} We could check ${checked.toFixed(1)}% of its time.`;
}
