import { comparison } from "@/lib/domain/words/then-and-now";

/** What the sender of a link saw, compared with now. */
export const thenAndNow = {
  ...comparison,
  heading: "Then and now",
  loading: "Loading history…",
  /** After the headline. */
  notLoaded: "Couldn’t load the history.",
  /** @param at "at 14:02": the moment of the link, inside a gap */
  unseen: (at: string) => `This is what Plumbline showed ${at}, when we couldn’t check.`,
  table: "Then and now, by feed",
  notLoadedYet: "not loaded yet",
  note: "“Then” comes from our history and doesn’t change. “Now” updates live while this page is open.",
  backToLive: "Back to live",
};
