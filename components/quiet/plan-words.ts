import type { Expectation } from "@/lib/contracts/quiet";
import { moment } from "@/lib/domain/words/format";
import { DAY_LABEL } from "@/lib/domain/time/calendar-names";
import { zoneTimeText } from "@/lib/domain/time/zone-name";
import { PLAN } from "./words";

export const quietWords = {
  heading: "Planned quiet times",
  note: "No incidents will open during these times. Verdicts don’t change.",
  none: "None planned. Plan one for when no data is expected.",
  noneFor: "None planned. Members and above can plan one for when no data is expected.",
  notLoaded: "Planned quiet times couldn’t be loaded. Retrying automatically.",
  what: "What",
  when: "When",
  reason: "Reason",
  by: "Planned by",
  actions: "Actions",
};

/** Ending one that has begun, or cancelling one that hasn't. */
export const endWords = {
  end: {
    action: "End now",
    title: (what: string) => `End the quiet time now: ${what}?`,
    effect: (one: Expectation) =>
      `Incidents can open again right away.${one.weekly === null ? "" : " It doesn’t repeat any more."}`,
    act: "End quiet time",
    failed: "Couldn’t end it. Try again.",
  },
  cancel: {
    action: "Cancel",
    title: (what: string) => `Cancel the quiet time: ${what}?`,
    effect: () => "It won’t start, so incidents open as usual.",
    act: "Cancel quiet time",
    failed: "Couldn’t cancel it. Try again.",
  },
  keep: "Keep quiet time",
  /** "Fri 22:00 to Mon 06:00, planned by Ana: ERP upgrade" @param when from `whenText` */
  of: (one: Expectation, when: string) =>
    `${when}, planned by ${one.made_by.is_you ? "you" : one.made_by.name}: ${one.reason}`,
};

export const planWords = {
  title: PLAN,
  sentence: "No incidents will open during this time. Overdue data is still shown.",
  what: "Applies to",
  reason: "Reason",
  how: "How often",
  once: "Once",
  weekly: "Every week",
  from: "From",
  until: "Until",
  days: "Starts on",
  /** The start is in the past. */
  startsNow: "It starts now: time that has passed can’t be made quiet.",
  zone: (timeZone: string) => `Times are ${zoneTimeText(timeZone)}.`,
  untilEnded: "Ends the next day if the end is before the start. Repeats until ended.",
  noReason: "Say why no data is expected.",
  noDay: "Choose a day.",
  noEnd: "The end must be after the start, and in the future.",
  submit: "Plan",
  cancel: "Cancel",
};

/** Why planning failed. @param status of the response; 0: none */
export function planRefusal(status: number): string {
  if (status === 409) return "There are too many planned quiet times. End one first.";
  if (status === 400) return "These times can’t be planned. It must end within a year.";
  return status === 0
    ? "No answer from Plumbline. Check the list before you try again."
    : "Nothing was planned. Try again.";
}

/** "Until Mon 06:00", "Fri 22:00 to Mon 06:00": the current quiet time, or the next one. */
export function whenText({ quiet }: Expectation, apiNowMs: number, timeZone: string): string {
  if (quiet === null) return "Over";
  const at = (iso: string) => moment(Date.parse(iso), apiNowMs, timeZone);
  const isNow = hasBegun(quiet, apiNowMs);
  if (quiet.until === null) return isNow ? "Until it’s ended" : `From ${at(quiet.from)}`;
  return isNow ? `Until ${at(quiet.until)}` : `${at(quiet.from)} to ${at(quiet.until)}`;
}

/** @param apiNowMs on the API's clock, epoch milliseconds */
export const hasBegun = (quiet: Expectation["quiet"], apiNowMs: number): boolean =>
  quiet !== null && Date.parse(quiet.from) <= apiNowMs;

/** "Every Sat, Sun, 00:00 to 24:00 Berlin time"; empty for a one-time one. */
export function weeklyText({ weekly }: Expectation): string {
  if (weekly === null) return "";
  const days =
    weekly.days.length === 7 ? "day" : weekly.days.map((day) => DAY_LABEL[day]).join(", ");
  return `Every ${days}, ${weekly.from} to ${weekly.until} ${zoneTimeText(weekly.time_zone)}`;
}
