/**
 * Common names of time zones: "EST", "JST", "Kathmandu time". Never an offset such as "GMT-5", which people don't use.
 * A `timeZone` is an IANA name; an unknown one throws a RangeError.
 */

/**
 * American English has names for the zones of the Americas, British English for those of Europe. Zones that both show
 * as an offset are named here, by that offset. An abbreviation with two meanings (IST, CST) is used for the more common
 * one; the other zone is named after its city.
 */
const LOCALES = ["en-US", "en-GB"] as const;

const SPOKEN: readonly (readonly [zones: string, names: Readonly<Record<string, string>>])[] = [
  ["America/St_Johns", { "GMT-3:30": "NST", "GMT-2:30": "NDT" }],
  ["America/Hermosillo America/Mazatlan America/Whitehorse America/Dawson", { "GMT-7": "MST" }],
  ["America/Sao_Paulo", { "GMT-3": "BRT" }],
  ["America/Argentina/Buenos_Aires America/Buenos_Aires", { "GMT-3": "ART" }],
  ["Europe/Guernsey Europe/Isle_of_Man Europe/Jersey", { "GMT+1": "BST" }],
  ["Europe/Moscow", { "GMT+3": "MSK" }],
  ["Africa/Johannesburg Africa/Maseru Africa/Mbabane", { "GMT+2": "SAST" }],
  ["Africa/Lagos", { "GMT+1": "WAT" }],
  ["Africa/Nairobi Africa/Addis_Ababa Africa/Dar_es_Salaam Africa/Kampala", { "GMT+3": "EAT" }],
  ["Africa/Harare Africa/Lusaka Africa/Maputo Africa/Kigali Africa/Gaborone", { "GMT+2": "CAT" }],
  ["Asia/Karachi", { "GMT+5": "PKT" }],
  ["Asia/Kolkata Asia/Calcutta", { "GMT+5:30": "IST" }],
  ["Asia/Jakarta", { "GMT+7": "WIB" }],
  ["Asia/Hong_Kong", { "GMT+8": "HKT" }],
  ["Asia/Singapore", { "GMT+8": "SGT" }],
  ["Asia/Tokyo", { "GMT+9": "JST" }],
  ["Asia/Seoul", { "GMT+9": "KST" }],
  ["Australia/Perth", { "GMT+8": "AWST" }],
  [
    "Australia/Adelaide Australia/Broken_Hill Australia/Darwin",
    { "GMT+9:30": "ACST", "GMT+10:30": "ACDT" },
  ],
  [
    "Australia/Sydney Australia/Melbourne Australia/Hobart Australia/Brisbane Australia/Lindeman",
    { "GMT+10": "AEST", "GMT+11": "AEDT" },
  ],
  ["Pacific/Auckland Antarctica/McMurdo", { "GMT+12": "NZST", "GMT+13": "NZDT" }],
];

/** Cities that the zone database or a browser still lists under a former name. */
const RENAMED: Readonly<Record<string, string>> = {
  Asmera: "Asmara",
  Calcutta: "Kolkata",
  DumontDUrville: "Dumont d’Urville",
  Easter: "Easter Island",
  Faeroe: "Faroe",
  Godthab: "Nuuk",
  Katmandu: "Kathmandu",
  Kiev: "Kyiv",
  Ponape: "Pohnpei",
  Rangoon: "Yangon",
  Saigon: "Ho Chi Minh City",
  Truk: "Chuuk",
};

/** Creating a formatter costs a thousand times as much as using it. */
const formatters = new Map<string, readonly Intl.DateTimeFormat[]>();

/** Zones change their clocks only at a quarter of an hour. */
const QUARTER_MS = 15 * 60_000;
const said = new Map<string, string>();
const MAX_CACHED = 2_000;

/** "EST", "CEST", "Kathmandu time"; empty for an instant outside the range of dates. */
export function zoneName(ms: number, timeZone: string): string {
  if (!(Math.abs(ms) <= 8.64e15)) return "";
  const key = `${Math.floor(ms / QUARTER_MS)} ${timeZone}`;
  const before = said.get(key);
  if (before !== undefined) return before;
  const name = nameOf(ms, timeZone);
  if (said.size >= MAX_CACHED) said.clear();
  said.set(key, name);
  return name;
}

function nameOf(ms: number, timeZone: string): string {
  const all = formattersOf(timeZone);
  const short = all.map((formatter) => shortName(formatter, ms));
  const named = short.find((name) => name !== "" && !/\d/.test(name));
  if (named !== undefined) return named;
  const zone = all[0]?.resolvedOptions().timeZone ?? timeZone;
  const [offset = ""] = short;
  const spoken = SPOKEN.find(([zones]) => zones.split(" ").includes(zone))?.[1][offset];
  if (spoken !== undefined) return spoken;
  const city = zoneCity(zone);
  // A zone that is only an offset, such as Etc/GMT+5, has no other name.
  return /\d/.test(city) ? offset.replace("GMT", "UTC") : `${city} time`;
}

/** The city that a zone is named after: "New York", "Kathmandu". Unchanged for a zone without one. */
export function zoneCity(timeZone: string): string {
  const last = timeZone.slice(timeZone.lastIndexOf("/") + 1);
  return RENAMED[last] ?? last.replaceAll("_", " ");
}

/** "Oslo time", "UTC" */
export function zoneTimeText(timeZone: string): string {
  return timeZone === "UTC" ? timeZone : `${zoneCity(timeZone)} time`;
}

function formattersOf(timeZone: string): readonly Intl.DateTimeFormat[] {
  const before = formatters.get(timeZone);
  if (before !== undefined) return before;
  const made = LOCALES.map(
    (locale) =>
      new Intl.DateTimeFormat(locale, { timeZone, hour: "numeric", timeZoneName: "short" }),
  );
  formatters.set(timeZone, made);
  return made;
}

function shortName(formatter: Intl.DateTimeFormat, ms: number): string {
  return formatter.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
}
