/**
 * Texts of the banners above a page. Loaded with every page of a company: code loaded later may
 * fail in trouble.
 */

/** While the data shown is current, but not recorded. */
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
  database_read_only: {
    lead: "Plumbline isn’t recording: its database is read-only.",
    sentence: (since: string) =>
      `What you see is the last good data, with its age. History has a gap since ${since}, and files can’t be deleted. An administrator needs to make it writable again.`,
  },
  write_failed: {
    lead: "Plumbline can’t record what it reads here.",
    sentence: (since: string) =>
      `What you see is current, but history has a gap since ${since}, and no incident begins or ends. Retrying automatically; the server’s log tells an administrator why.`,
  },
};

/** On pages of a company that is no longer connected. */
export const companyLeft = {
  /** @param when a moment: "20:33", "Sat 20:33"; null: a moment ago */
  lead: (name: string, when: string | null) =>
    when === null
      ? `\u2068${name}\u2069 was just disconnected.`
      : `\u2068${name}\u2069 was disconnected ${/^\d/.test(when) ? "at" : "on"} ${when}.`,
  history: "You’re seeing its history.",
  noHistory: "No check of it succeeded, so it has no history.",
};
