/** The words of companies as they were, which only a link to a moment loads. */
export const thenWords = {
  heading: "Then and now",
  loading: "Loading history…",
  notLoaded: "Couldn’t load all of the history.",
  only: (shown: number, all: number) => `Only ${shown} of ${all} companies are compared.`,
  table: "Then and now, by company",
  company: "Company",
  atThen: (time: string) => `Then, ${time}`,
  atNow: (time: string) => `Now, ${time}`,
  attention: (amount: number, total: number) =>
    `${amount === 0 ? "none" : amount} of ${total} ${amount === 1 ? "needs" : "need"} attention`,
  /** @param at a moment: "14:02" */
  lastCheck: (said: string, at: string) => `${said} (last check ${at})`,
  notKnown: "not known",
  back: "Back to live",
};
