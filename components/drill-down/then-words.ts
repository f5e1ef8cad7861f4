import type { Verdict } from "@/lib/domain/sync";

/** What the sender of a link saw, beside now. */
export const thenAndNow = {
  heading: "Then and now",
  loading: "Loading history…",
  /** Follows the headline. */
  notLoaded: "Couldn’t load the history.",
  /** @param at "at 14:02": the moment of the link, at which no one could check */
  unseen: (at: string) => `This is what Plumbline showed ${at}, when we couldn’t check.`,
  table: "Then and now, by endpoint",
  endpoint: "Endpoint",
  atThen: (time: string) => `Then, ${time}`,
  /** Where no one could check then. */
  atThenLast: (time: string) => `Then, last check ${time}`,
  atNow: (time: string) => `Now, ${time}`,
  /** Once we are blind: what stands there is of the last check. */
  atLast: (time: string) => `Last check, ${time}`,
  change: "Change",
  notLoadedYet: "not loaded yet",
  notKnown: "not known",
  notKnownNow: "not known now",
  was: (word: Verdict) => `was ${word}`,
  overdue: (duration: string) => `${duration} overdue`,
  note: "“Then” comes from our record and doesn’t change. “Now” updates live while this page is open.",
  backToLive: "Back to live",
};
