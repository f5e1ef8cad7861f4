/** The words of what the overview does not load at first: other pages' own parts, and what opens over a page. */
import { EXPLAIN } from "./words";

/** Of unacknowledged incidents, read out after the bell's name. */
export const NONE = "none";

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
