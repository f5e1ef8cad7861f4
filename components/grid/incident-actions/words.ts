/** Words of what can be done in a line of trouble. */
export const actWords = {
  take: "I’m on it",
  takeLabel: (what: string) => `I’m on it: ${what}`,
  tell: "Tell customer",
  tellLabel: (what: string) => `Tell customer: ${what}`,
  tellTitle: (customer: string, partner: string) => `${customer}: ${partner}`,
  close: "Close",
  telling: "Loading…",
  notTold: "Couldn’t load. Close this and try again.",
  noIncident: "no incident yet",
};
