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

export const SIGN_OUT = "Sign out";

export const NOT_SIGNED_OUT = "Couldn’t sign you out. Try again.";
