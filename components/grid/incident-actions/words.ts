/** Words of what can be done in a line of trouble. */
export const actWords = {
  take: "I’m on it",
  takeLabel: (what: string) => `I’m on it: ${what}`,
  tell: "Tell customer",
  tellLabel: (what: string) => `Tell customer: ${what}`,
  /** @param at "13:05" */
  told: (at: string) => `Told ${at}`,
  toldLabel: (what: string, told: string) => `${told}. Tell customer again: ${what}`,
  tellTitle: (customer: string, partner: string) => `${customer}: ${partner}`,
  close: "Close",
  telling: "Loading…",
  notTold: "Couldn’t load. Close this and try again.",
  noIncident: "no incident yet",
  /** No incident opens for it. */
  quiet: "in planned quiet",
};
