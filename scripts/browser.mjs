import { existsSync } from "node:fs";

/**
 * Around each of our pages Chromium makes pages of its own, which take several times as long, and it asks
 * the network. Only the last such list counts, so what Playwright leaves out is here again.
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

/** A browser for tests: it runs as root, and asks nobody on the network. */
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
 * What tests are run in: `CHROMIUM_PATH`, the headless shell, or any Chromium of this machine.
 * @returns {string | null} absolute path; null where only Playwright's own could be used
 */
export function findTestBrowser() {
  const named = process.env.CHROMIUM_PATH;
  return named ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : findBrowser());
}

/**
 * A Chromium of this machine, or null where only Playwright's own could be used.
 * `CHROMIUM_PATH` names one directly.
 * @returns {string | null} absolute path
 */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  return [named, ...PLACES].find((place) => place !== undefined && existsSync(place)) ?? null;
}
