import type { ReactNode } from "react";
import { count } from "@/lib/domain/words/format";

export const DISPLAYS = "Displays";
export const DISPLAYS_INTRO = "Wall displays show what you choose here. They’re read-only.";

/** For people who may not manage displays. */
export const noAccess = {
  title: "No access to displays",
  sentence: "Administrators pair displays and choose what they show.",
};

// Form.

export const formTitle = {
  pair: "Pair a display",
  pairAgain: (name: ReactNode) => <>Pair {name} again</>,
  change: (name: ReactNode) => <>Edit {name}</>,
};

export function pairHint(address: ReactNode): ReactNode {
  return <>Open {address} on the display and enter the code it shows.</>;
}

export const codeWords = {
  label: "Pairing code",
  example: "3882 KDTP",
  wrongLength: "Codes have eight letters and digits.",
  impossible: (letters: readonly string[]) =>
    `Codes never contain ${letters.join(" or ")}. Check the display.`,
};

export const fieldWords = {
  name: "Name",
  nameExample: "Room 3",
  place: "Location (optional)",
  placeExample: "2nd floor, east",
  replaces: "Replaces",
  replacesNone: "None (new display)",
  layout: "Layout",
  auto: "Automatic",
  landscape: "Landscape",
  portrait: "Portrait",
  theme: "Theme",
  dark: "Dark",
  light: "Light",
  zone: "Time zone",
  end: "Duration",
  never: "Until unpaired",
  days30: "30 days",
  days365: "1 year",
  day: "Until a date",
  kept: (until: string) => `Unchanged: until ${until}`,
  lastDay: "Last day",
  showsPeople: "Show who is on each problem",
  shows: "Shows",
  allCompanies: "All companies, including future ones",
};

export const lacks = {
  name: "Enter a name.",
  company: "Choose at least one company.",
  day: "Choose a last day in the future, at most two years from now.",
  end: "The end date is too far ahead. Choose a shorter duration.",
};

export const formButtons = { cancel: "Cancel", save: "Save", pair: "Pair display" };

// Outcomes.

export const done = {
  changed: (name: string) => `${name} is updated. The change shows within a minute.`,
  paired: (name: string) => `${name} is paired. It shows the wall in a few seconds.`,
  reloads: (name: string) => `${name} reloads within a minute.`,
  notReloaded: (name: string, why: string) => `Couldn’t reload ${name}. ${why}`,
  unpaired: (name: string) => `${name} is unpaired. The display will show this within a minute.`,
};

// List.

export function displaysTitle(amount: number): string {
  return amount === 0 ? DISPLAYS : amount === 1 ? "1 display" : `${count(amount)} displays`;
}

/** @param since time of the last response */
export function notRefreshed(since: string): string {
  return `Couldn’t refresh. As of ${since}.`;
}

/** @param clause why a display needs attention */
export function silence(name: string, clause: string): string {
  return `\u2068${name}\u2069 ${clause}.`;
}

export function moreSilences(amount: number): string {
  return `And ${count(amount)} more.`;
}

export const noDisplays = {
  title: "No displays yet",
  sentence: (address: string) =>
    `Open ${address} in a TV’s browser. It shows a code; enter it above.`,
  enter: "Enter the code",
};

export const listHead = {
  display: "Display",
  shows: "Shows",
  status: "Status",
  lastUpdate: "Last update",
  dataAge: "Data age",
  version: "Version",
  actions: "Actions",
};

export const row = {
  allCompanies: "All companies",
  reloadPending: (at: string) => `reload requested ${at}, pending`,
  waiting: (name: string) => `Waiting for ${name} to connect…`,
  neverUpdated: "never",
  dataAge: (age: string) => `${age} old`,
  current: "Current",
  outdated: "Outdated",
  versions: (display: string, server: string) => `Display: ${display}, server: ${server}`,
};

export const actions = {
  label: (name: string) => `Actions for ${name}`,
  change: "Edit",
  reload: "Reload",
  pairAgain: "Pair again",
  unpair: "Unpair",
};

export const unpaired = {
  summary: (amount: number) => `${count(amount)} unpaired`,
  label: "Unpaired displays",
};

export const unpairDialog = {
  title: (name: ReactNode) => <>Unpair “{name}”?</>,
  place: (place: ReactNode) => <>Location: {place}.</>,
  sentence:
    "It loses access within seconds and will show this within a minute. To use it again, pair it again.",
  proof: { act: "unpair a display", untouched: "It’s still paired." },
  keep: "Keep paired",
  unpair: (name: ReactNode) => <>Unpair {name}</>,
};
