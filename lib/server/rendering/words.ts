import { comparison } from "@/lib/domain/words/then-and-now";

/** Texts in a link preview's picture. */
export const pictureWords = {
  asOf: "As of",
  /** For a name that our fonts don't cover. */
  thisPartner: "This partner",
  open: "Open the link to see more",
  old: (age: string) => `${age} old`,
  overdue: comparison.overdue,
  more: (count: number) => `and ${count} more`,
};
