/** The words of the overview as it was: loaded with it, which the overview does not load at first. */

export const boardThen = {
  /** @param time with its zone: "Fri 20 Nov, 14:02 CET" */
  heading: (time: string) => `Then, ${time}`,
  /** Where the moment is not known. */
  past: "Then",
  title: (heading: string, company: string) => `${heading} · ${company}`,
  unreadable: "This address has no time that we can read. Choose another, or go back to live.",
  ahead: "This time hasn’t come yet. Choose an earlier one, or go back to live.",
  /** @param at "at 14:02": the moment that is shown, at which no one could check */
  unseen: (at: string) => `This is what Plumbline showed ${at}, when we couldn’t check.`,
  /** @param from moment at which the record begins */
  recordedFrom: (from: string) => `Our record begins ${from}.`,
  moment: "Time",
  retry: "Try again",
  back: "Back to live",
};
