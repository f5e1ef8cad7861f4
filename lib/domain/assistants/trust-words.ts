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

/** Of several companies. @param given numbers of companies; `delayed` are among those that aren’t `unseen` */
export function companiesTrust({
  companies,
  unseen,
  delayed = 0,
}: {
  companies: number;
  unseen: number;
  delayed?: number;
}): string {
  if (companies === 0) return "No company is visible with this token, so nothing is known.";
  if (unseen >= companies)
    return companies === 1
      ? "Not current: we can’t see this company."
      : `Not current: we can’t see any of the ${count(companies)} companies.`;
  const seen = companies === 1 ? "the company" : `all ${count(companies)} companies`;
  const late =
    delayed === 0
      ? ""
      : companies === 1
        ? ", with a delay"
        : `, ${count(delayed)} of them with a delay`;
  if (unseen === 0) return `${delayed === 0 ? "Current" : "Delayed"}: we see ${seen}${late}.`;
  return `Incomplete: we see ${count(companies - unseen)} of ${count(companies)} companies${late}. Nothing here covers the others.`;
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
