import { remember } from "./preferences";

/** Light, dark or the system's theme: a preference of this browser, stored like the others. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = "theme";
/** The theme in a cookie; any unknown value means "system". */
export function themeOf(cookie: string | undefined): Theme {
  return THEMES.find((theme) => theme === cookie) ?? "system";
}

const themeListeners = new Set<() => void>();

/** Applies `theme` to the page immediately and remembers it. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  remember(THEME_COOKIE, theme);
  for (const listener of themeListeners) listener();
}

/** The page's current theme. */
export function shownTheme(): Theme {
  return themeOf(document.documentElement.dataset["theme"]);
}

/** @returns unsubscribes */
export function onTheme(listener: () => void): () => void {
  themeListeners.add(listener);
  return () => themeListeners.delete(listener);
}
