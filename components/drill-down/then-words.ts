import type { Verdict } from "@/lib/domain/sync";

/** What the sender of a link saw, beside now. */
export const thenAndNow = {
  heading: "Then and now",
  loading: "Loading history…",
  /** Follows the headline. */
  notLoaded: "Couldn’t load the history.",
  /** @param from moment of the last check before */
  unseen: (from: string) => `We couldn’t check then; Plumbline showed data from ${from}.`,
  table: "Then and now, by endpoint",
  endpoint: "Endpoint",
  atThen: (time: string) => `Then, ${time}`,
  atNow: (time: string) => `Now, ${time}`,
  change: "Change",
  notLoadedYet: "not loaded yet",
  notKnown: "not known",
  was: (word: Verdict) => `was ${word}`,
  overdue: (duration: string) => `${duration} overdue`,
  note: "“Then” comes from our record and doesn’t change. “Now” updates live while this page is open.",
  backToLive: "Back to live",
};
