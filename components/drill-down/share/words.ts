/** The button's text, apart from its menu's because every page loads it. */
export const SHARE = "Share";

/** Handing over a page: to a colleague, to the customer, to people without an account. */
export const shareMenu = {
  colleague: "With a colleague",
  /** @param time "14:20 CET" */
  colleagueHint: (time: string) =>
    `A link to this moment. They sign in and see ${time} beside now.`,
  copyForChat: "Copy for chat",
  copyLink: "Copy link only",
  customer: "With the customer",
  customerHint: "A paragraph to paste. It says only what the data shows.",
  stranger: "With someone without an account",
  strangerHint: (partner: string, company: string) =>
    `A read-only page: ${partner} at ${company} and nothing else. No names, notes or call counts.`,
  strangerIncidentHint: (partner: string, company: string) =>
    `A read-only page: this incident of ${partner} at ${company} and nothing else. No names, notes or call counts.`,
  create: "Create a share link…",
  expires: "expires in 7 days; you can revoke it",
};
