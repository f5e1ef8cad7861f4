import { foldText } from "@/lib/domain/text/fold-text";
import { presentZoneName } from "./present-zone";
import { zoneCity, zoneName } from "./zone-name";

/** A time zone in a picker, with its search text. */
export type ZoneChoice = {
  /** IANA name. */
  zone: string;
  /** "New York" */
  city: string;
  /** "Eastern Time, EST", or as much of it as exists. */
  names: string;
  foldedCity: string;
  /** All other searchable names. */
  foldedOthers: string;
};

/** Common zones, the most likely first, and cities without a zone of their own. */
const WELL_KNOWN: readonly (readonly [zone: string, cities: string])[] = [
  ["America/New_York", "NYC Boston Washington Miami Atlanta Philadelphia Charlotte"],
  ["America/Chicago", "Dallas Houston Austin Minneapolis Nashville Saint Louis"],
  ["America/Denver", "Salt Lake City Albuquerque"],
  ["America/Los_Angeles", "LA San Francisco Seattle San Diego Las Vegas Portland"],
  ["America/Phoenix", "Tucson"],
  ["America/Toronto", "Ottawa Montreal"],
  ["Europe/London", "Manchester Edinburgh Birmingham"],
  ["Europe/Dublin", "Cork"],
  ["Europe/Berlin", "Munich Hamburg Frankfurt Cologne"],
  ["Europe/Paris", "Lyon Marseille"],
  ["Europe/Madrid", "Barcelona"],
  ["Europe/Rome", "Milan"],
  ["Europe/Amsterdam", "Rotterdam"],
  ["Europe/Oslo", "Bergen"],
  ["Europe/Stockholm", "Gothenburg"],
  ["Europe/Copenhagen", "Aarhus"],
  ["Asia/Dubai", "Abu Dhabi"],
  ["Asia/Kolkata", "Mumbai Delhi Bangalore Bengaluru Chennai Hyderabad India"],
  ["Asia/Singapore", ""],
  ["Asia/Hong_Kong", ""],
  ["Asia/Shanghai", "Beijing Shenzhen Guangzhou"],
  ["Asia/Tokyo", "Osaka"],
  ["Australia/Sydney", "Canberra"],
  ["Australia/Melbourne", ""],
  ["Pacific/Auckland", "Wellington"],
  ["America/Sao_Paulo", "Rio de Janeiro Brasilia"],
];
const CITIES: ReadonlyMap<string, string> = new Map(WELL_KNOWN);
const HALF_A_YEAR_MS = 182 * 86_400_000;

/**
 * Zones in the order of the picker: `first`, UTC, the common ones, then all others by city.
 * @param first IANA names, such as the person's own
 * @param all IANA names known to this runtime
 * @param nowMs decides the names shown; a zone is also found by its names half a year later
 */
export function zoneChoices(
  first: readonly string[],
  all: readonly string[],
  nowMs: number,
): ZoneChoice[] {
  const known = new Set(all.map(presentZoneName));
  const common = WELL_KNOWN.map(([zone]) => zone).filter((zone) => known.has(zone));
  const byCity = [...known].toSorted((a, b) => (zoneCity(a) < zoneCity(b) ? -1 : 1));
  const zones = new Set([...first.map(presentZoneName), "UTC", ...common, ...byCity]);
  return [...zones].map((zone) => choiceOf(zone, nowMs));
}

function choiceOf(zone: string, nowMs: number): ZoneChoice {
  const city = zoneCity(zone);
  const short = zoneName(nowMs, zone);
  const general = generalName(nowMs, zone, "longGeneric");
  // Skips names that are only an offset or repeat the city.
  const said = [general, short].filter((name) => name !== "" && !name.startsWith(city));
  const others = [
    ...said,
    zoneName(nowMs + HALF_A_YEAR_MS, zone),
    generalName(nowMs, zone, "shortGeneric"),
    zone.replaceAll(/[/_]/g, " "),
    CITIES.get(zone) ?? "",
  ];
  return {
    zone,
    city,
    names: said.join(", "),
    foldedCity: foldText(city),
    foldedOthers: foldText(others.join(" ")),
  };
}

/** "Eastern Time", "ET"; empty if there is only an offset. */
function generalName(ms: number, timeZone: string, timeZoneName: "longGeneric" | "shortGeneric") {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName }).formatToParts(ms);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return /\d/.test(name) ? "" : name;
}
