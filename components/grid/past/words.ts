import { counted } from "@/lib/domain/words/format";

export const HISTORY_LOADING = "Loading history…";

export const HISTORY_NOT_LOADED = "Couldn’t load the history.";

export const boardThen = {
  /** @param time with its zone: "Fri 20 Nov, 14:02 CET" */
  heading: (time: string) => `Then, ${time}`,
  /** For an unknown moment. */
  past: "Then",
  title: (heading: string, company: string) => `${heading} · ${company}`,
  unreadable: "This link has no valid time.",
  ahead: "That time is in the future.",
  /** @param at "at 14:02": the moment shown, inside a gap */
  unseen: (at: string) => `This is what Plumbline showed ${at}, when we couldn’t check.`,
  /** @param from start of the record */
  recordedFrom: (from: string) => `Our history begins ${from}.`,
  /** @param feeds whose promises were changed since */
  promisesUnknown: (feeds: number) =>
    `We don’t know what was promised for ${counted(feeds, "feed")} then: ${feeds === 1 ? "its promise was" : "their promises were"} changed later.`,
  moment: "Time",
  retry: "Try again",
  back: "Back to live",
};
