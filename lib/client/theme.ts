import { remember } from "./preferences";

/** Light, dark or as the system is: a preference of this browser, kept as the others are. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = "theme";
/** The theme a cookie asks for; anything unknown means "as the system". */
export function themeOf(cookie: string | undefined): Theme {
  return THEMES.find((theme) => theme === cookie) ?? "system";
}

const themeListeners = new Set<() => void>();

/** Draws the page in `theme` at once and remembers it. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  remember(THEME_COOKIE, theme);
  for (const listener of themeListeners) listener();
}

/** The theme that the page is drawn in. */
export function shownTheme(): Theme {
  return themeOf(document.documentElement.dataset["theme"]);
}

/** @returns what stops it */
export function onTheme(listener: () => void): () => void {
  themeListeners.add(listener);
  return () => themeListeners.delete(listener);
}
