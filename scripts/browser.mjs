import { existsSync } from "node:fs";

/**
 * Chromium features that create internal pages beside each of ours, which take several times as long, or use the
 * network. Only the last such list counts, so Playwright's own list is included.
 */
const FEATURES_LEFT_OUT = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AimEnabled",
  "PreconnectToSearch",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "LensOverlay",
  "MediaRouter",
  "HttpsUpgrades",
  "PaintHolding",
  "DestroyProfileOnBrowserClose",
];

/** For test browsers: run as root, without network requests of the browser itself. */
export const BROWSER_ARGS = [
  `--disable-features=${FEATURES_LEFT_OUT.join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Debian's Chromium without a window system: a fifth less work for the same tests. */
export const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";

/**
 * The browser for tests: `CHROMIUM_PATH`, the headless shell, or any Chromium of this machine.
 * @returns {string | null} absolute path; null if only Playwright's own is available
 */
export function findTestBrowser() {
  const named = process.env.CHROMIUM_PATH;
  return named ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : findBrowser());
}

/**
 * A Chromium of this machine; `CHROMIUM_PATH` sets it directly.
 * @returns {string | null} absolute path; null if only Playwright's own is available
 */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  return [named, ...PLACES].find((place) => place !== undefined && existsSync(place)) ?? null;
}
