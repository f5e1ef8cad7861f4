/** What can be done from the search without leaving the page. */
export const ACTIONS = [
  { id: "copy-link", name: "Copy link", others: "share url address" },
  { id: "copy-moment", name: "Copy link to this moment", others: "share url then snapshot" },
  { id: "theme-light", name: "Light theme", others: "bright colours colors appearance" },
  { id: "theme-dark", name: "Dark theme", others: "night colours colors appearance" },
  { id: "theme-system", name: "System theme", others: "automatic colours colors appearance" },
  { id: "clock-local", name: "Show times in your time zone", others: "local clock" },
  { id: "clock-utc", name: "Show times in UTC", others: "time zone clock gmt" },
] as const;

export type ActionId = (typeof ACTIONS)[number]["id"];

/** What is said once an action is done. */
export const DONE: Readonly<Record<ActionId, string>> = {
  "copy-link": "Link copied",
  "copy-moment": "Link to this moment copied",
  "theme-light": "Theme: light",
  "theme-dark": "Theme: dark",
  "theme-system": "Theme: system",
  "clock-local": "Times are in your time zone",
  "clock-utc": "Times are in UTC",
};

export const COPY_REFUSED = "Couldn’t copy: blocked by your browser";
