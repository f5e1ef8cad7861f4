/** Words of the explanation of a verdict. */
export const explainWords = {
  /** @param time with its zone */
  at: (time: string) => `at ${time}`,
  means: "What it means",
  promise: "What was promised",
  action: "What to do",
  tell: "What to tell the customer",
  all: "All eight verdicts",
  back: "Back",
  close: "Esc",
};

/** @param shown the verdict as a line shows it: "Failing, stuck" */
export const whatItMeans = (shown: string) => `${shown}: what it means`;
