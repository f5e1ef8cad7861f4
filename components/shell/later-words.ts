/** The words of what the overview does not load at first: other pages' own parts, and what opens over a page. */

/** Of unacknowledged incidents, read out after the bell's name. */
export const NONE = "none";

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

/** Leads from the banner to what follows. */
export const EXPLAIN = "What this means";

// Over a page.

export const explanation = {
  title: EXPLAIN,
  close: "Close",
  sentences: [
    "You’re seeing our last complete check, with its age. Nothing here is newer than that.",
    "While a check is delayed, fresh endpoints are shown hollow. If it takes too long, all verdicts are frozen, hatched and shown in the past tense. We’re retrying automatically; you don’t need to do anything.",
  ],
};

export const zonePicker = {
  label: "Find a time zone",
  placeholder: "City or time zone, such as Boston or EST",
  none: "No time zone matches. Try a larger city nearby.",
};

// The person's menu.

export const THEME = "Theme";
export const THEMES = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];
export const ZONE = "Time zone";
export const CLOCKS = [
  { value: "local", label: "Your time zone" },
  { value: "utc", label: "UTC" },
];
export const SETTINGS = "Settings";
export const SIGN_OUT = "Sign out";
export const NOT_SIGNED_OUT = "Couldn’t sign you out. Try again.";
