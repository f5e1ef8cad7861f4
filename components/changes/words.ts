import { count, counted, span } from "@/lib/domain/words/format";
import type { countChanges } from "@/lib/domain/incidents/changes";
import type { Since } from "@/components/changes/since";

export const WHAT_CHANGED = "What changed";
export const LOADING = "Loading what changed…";
export const REFUSED = "Choose a past time within the history we keep.";

/** Before the moment: "Since you last looked, Fri 17:40". */
export const sinceLooked = (moment: string) => `Since you last looked, ${moment}`;
export const sinceMoment = (moment: string) => `Since ${moment}`;
/** Above a filtered list. */
export const ofAll = (said: string) => `${said} (all customers and partners)`;
export const sinceNever = "In the past 24 hours";

type Counts = ReturnType<typeof countChanges> & {
  not_observed_seconds: number;
  /** Open incidents, whenever they started. */
  open_count: number;
};

/**
 * "3 incidents began, 2 recovered, 7 still open, 1 got worse, not checked for 9 m": those that
 * recovered may be others than those that began.
 * @param isPartly something else wasn't observed, so "nothing changed" can't be claimed
 */
export function changesText(
  { not_observed_seconds: unseen, open_count: open, ...counts }: Counts,
  isPartly = unseen > 0,
): string {
  const said = [
    counts.began === 0 ? "" : `${counted(counts.began, "incident")} began`,
    part(counts.recovered, "recovered"),
    part(counts.ended_otherwise, "ended for other reasons"),
    part(counts.worse, "got worse"),
    part(counts.better, "got better"),
    part(counts.became_unknown, "became unknown"),
    part(counts.removed, "removed"),
    otherChanges(counts.changed_otherwise),
  ].filter((one) => one !== "");
  const notObserved = unseen === 0 ? [] : [notObservedFor(unseen)];
  if (said.length === 0) said.push(isPartly ? "no changes seen" : "nothing changed");
  const ofIncidents = [counts.began, counts.recovered, counts.ended_otherwise];
  const stillOpen = part(open, "still open");
  // After the incidents; without any, after the first part.
  const at = Math.max(1, ofIncidents.filter((amount) => amount > 0).length);
  if (stillOpen !== "") said.splice(at, 0, stillOpen);
  return [...said, ...notObserved].join(", ");
}

const part = (amount: number, what: string) => (amount === 0 ? "" : `${count(amount)} ${what}`);
const otherChanges = (amount: number) => (amount === 0 ? "" : counted(amount, "other change"));

const notObservedFor = (seconds: number) => `not checked for ${span(seconds * 1000)}`;

/** Of all companies: the number with changes, and the number not observed throughout. */
export function companiesText(changed: number, unseen: number): string {
  const where = changed === 0 ? "" : ` at ${counted(changed, "customer")}`;
  return unseen === 0 ? where : `${where}; ${counted(unseen, "customer")} not fully checked`;
}

export const pickWords = {
  label: "Since",
  other: "Since this time",
  share: "what changed",
  board: "Overview at that time",
};
export const SINCE_LABEL: Readonly<Record<Since, string>> = {
  looked: "Last looked",
  yesterday: "17:00 yesterday",
  day: "24 h",
  week: "7 d",
  other: "Other",
};

export const moreText = (amount: number) => `Show ${count(amount)} more`;

export const listWords = {
  what: "What",
  partner: "Partner",
  began: "Began",
  ended: "Ended",
  evidence: "Acknowledged by / evidence",
  now: "now",
  company: "Customer",
  changes: "Changes",
  open: "Open incidents",
  openFor: (time: string) => `open ${time}`,
  beganSection: (amount: number) => `${counted(amount, "incident")} began`,
  alsoEnded: (open: number, ended: number) =>
    ended === 0
      ? ""
      : open === 0
        ? "all have ended (below)"
        : `${count(open)} still open; ${count(ended)} ${ended === 1 ? "has" : "have"} ended (below)`,
  endedSection: (amount: number) => `${count(amount)} ended`,
  endings: (recovered: number, otherwise: number) =>
    [part(recovered, "recovered"), part(otherwise, "ended for other reasons")]
      .filter((one) => one !== "")
      .join(", "),
  worseSection: (amount: number) => `${count(amount)} got worse`,
  betterSection: (amount: number) => `${count(amount)} got better`,
  otherSection: (amount: number) => otherChanges(amount),
  removed: "Removed",
  endpoints: "feeds, then and at the last check",
  at: (moment: string) => `at ${moment}`,
  tooOften: "changed too often to show",
  unseen: (seconds: number) =>
    `Not checked for ${span(seconds * 1000)}. We can’t say what happened then.`,
  openNow: (amount: number) => `${counted(amount, "incident")} open now`,
  unchanged: (amount: number) =>
    amount === 1
      ? "1 other customer is unchanged."
      : `${count(amount)} other customers are unchanged.`,
  to: "to",
};

export const NOT_LOADED = "Couldn’t load what changed. Retrying automatically.";
