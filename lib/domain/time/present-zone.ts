/**
 * Current IANA names of time zones. Runtimes still use some outdated names, such as Europe/Kiev, and stored names may
 * come from such a runtime.
 */

/** From IANA's `backward` file: the current name, then earlier ones. */
const EARLIER_NAMES = `
Africa/Asmara Africa/Asmera
America/Adak America/Atka US/Aleutian
America/Anchorage US/Alaska
America/Argentina/Buenos_Aires America/Buenos_Aires
America/Argentina/Catamarca America/Catamarca
America/Argentina/Cordoba America/Cordoba America/Rosario
America/Argentina/Jujuy America/Jujuy
America/Argentina/Mendoza America/Mendoza
America/Atikokan America/Coral_Harbour
America/Chicago US/Central
America/Denver US/Mountain
America/Detroit US/Michigan
America/Edmonton Canada/Mountain
America/Halifax Canada/Atlantic
America/Indiana/Indianapolis America/Indianapolis America/Fort_Wayne US/East-Indiana
America/Indiana/Knox America/Knox_IN US/Indiana-Starke
America/Kentucky/Louisville America/Louisville
America/Los_Angeles US/Pacific
America/New_York US/Eastern
America/Nuuk America/Godthab
America/Phoenix US/Arizona
America/Regina Canada/Saskatchewan
America/St_Johns Canada/Newfoundland
America/Tijuana America/Ensenada
America/Toronto Canada/Eastern
America/Vancouver Canada/Pacific
America/Whitehorse Canada/Yukon
America/Winnipeg Canada/Central
Asia/Ashgabat Asia/Ashkhabad
Asia/Dhaka Asia/Dacca
Asia/Ho_Chi_Minh Asia/Saigon
Asia/Jerusalem Asia/Tel_Aviv
Asia/Kathmandu Asia/Katmandu
Asia/Kolkata Asia/Calcutta
Asia/Macau Asia/Macao
Asia/Makassar Asia/Ujung_Pandang
Asia/Shanghai Asia/Chungking Asia/Chongqing
Asia/Thimphu Asia/Thimbu
Asia/Ulaanbaatar Asia/Ulan_Bator Asia/Choibalsan
Asia/Yangon Asia/Rangoon
Atlantic/Faroe Atlantic/Faeroe
Europe/Kyiv Europe/Kiev Europe/Uzhgorod Europe/Zaporozhye
Pacific/Chuuk Pacific/Truk
Pacific/Honolulu US/Hawaii
Pacific/Kanton Pacific/Enderbury
Pacific/Pago_Pago Pacific/Samoa US/Samoa
Pacific/Pohnpei Pacific/Ponape
UTC Etc/UTC Etc/UCT Etc/Universal Etc/Zulu
`;

const TODAY: ReadonlyMap<string, string> = new Map(
  EARLIER_NAMES.trim()
    .split("\n")
    .flatMap((line) => {
      const [today = "", ...earlier] = line.split(" ");
      return earlier.map((name): [string, string] => [name, today]);
    }),
);

/** Current names by any name in lower case; null: not needed so far. */
let byLowerCase: ReadonlyMap<string, string> | null = null;

/** The current IANA name of a zone, given in any case; unchanged if it isn't a zone. */
export function presentZoneName(name: string): string {
  const today = TODAY.get(name);
  if (today !== undefined) return today;
  byLowerCase ??= new Map(
    [...Intl.supportedValuesOf("timeZone"), ...[...TODAY].flat()].map((one) => [
      one.toLowerCase(),
      TODAY.get(one) ?? one,
    ]),
  );
  return byLowerCase.get(name.toLowerCase()) ?? name;
}

/** Names in an area that hold no place but offsets and rules. */
const NO_PLACE = /^(?:Etc|SystemV)\//i;

/** Whether a zone's name is UTC or of a place, "Region/City": "Etc/GMT+5", "EST" and "+05:00" are offsets. */
export function isOfPlace(name: string): boolean {
  return name.toUpperCase() === "UTC" || (/^[A-Z]+\//i.test(name) && !NO_PLACE.test(name));
}

/** The current name of a zone given in any case or by any alias; null if this runtime doesn't know it. */
export function zoneNamed(text: string): string | null {
  try {
    return presentZoneName(
      new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone,
    );
  } catch {
    return null;
  }
}

/** Names, in lower case, that were found to be zones. */
const zonesFound = new Set<string>();

/** Whether this runtime knows a zone. Asked once for each, because asking is slow and an import names one in each line. */
export function isZone(name: string): boolean {
  const key = name.toLowerCase();
  const isKnown = zonesFound.has(key) || zoneNamed(name) !== null;
  if (isKnown) zonesFound.add(key);
  return isKnown;
}
