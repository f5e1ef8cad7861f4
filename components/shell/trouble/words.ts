/** What is said above a page about what is seen. Every page of a company loads it: what comes later may not come. */

/** While what is seen is current, but not recorded. */
export const RECORDING_STOPPED = {
  disk_full: {
    lead: "Plumbline isn’t recording: its disk is nearly full.",
    sentence: (since: string) =>
      `What you see is current, but history has a gap since ${since}, and files can’t be deleted. An administrator needs to free disk space.`,
  },
  database_away: {
    lead: "Plumbline isn’t recording: its database isn’t responding.",
    sentence: (since: string) =>
      `What you see is the last good data, with its age. History has a gap since ${since}, and files can’t be deleted. Retrying automatically.`,
  },
};

/** On the pages of a company that is connected no more. */
export const companyLeft = {
  /** @param when a moment: "20:33", "Sat 20:33"; null: a moment ago */
  lead: (name: string, when: string | null) =>
    when === null
      ? `Plumbline no longer reads \u2068${name}\u2069: it just left the connections.`
      : `Plumbline no longer reads \u2068${name}\u2069: it left the connections ${/^\d/.test(when) ? "at" : "on"} ${when}.`,
  sentence: "What you see is its record.",
};
