/** The first match wins, because browsers also name those they are compatible with. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|OPiOS|Opera)\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/^(?=.*?\bVersion\/\d).*\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Longer than any real user agent. */
const LONGEST = 1_000;

/**
 * Browser and system, such as "Firefox on Windows"; empty if not recognised.
 * @param userAgent the header, which is untrusted; null: there was none
 */
export function browserWords(userAgent: string | null): string {
  const said = (userAgent ?? "").slice(0, LONGEST);
  const nameIn = (known: readonly (readonly [RegExp, string])[]) =>
    known.find(([pattern]) => pattern.test(said))?.[1] ?? "";
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)];
  if (browser === "" || system === "") return browser || system;
  return `${browser} on ${system}`;
}
