import { capital } from "@/lib/domain/text/capital";

/** Acronyms of the trade, written in capitals. */
const ACRONYMS: ReadonlySet<string> = new Set(
  "ap api ar asi bim boq cco co crm csi dwg eac erp gl hr hse id ifc itp jha kpi ncr pci pco pdf po qa qc rfc rfi rfp rfq sds sov swms tbt url vo wbs wip".split(
    " ",
  ),
);

/**
 * The spoken form of a key: `daily_logs` is "Daily logs", `rfis` is "RFIs", `gl_entries` is "GL entries". Always
 * capitalised, because it is a name.
 */
export function spokenName(key: string): string {
  const words = key.split(/[\s_-]+/u).filter(Boolean);
  if (words.length === 0) return key;
  return capital(words.map(spokenWord).join(" "));
}

function spokenWord(word: string): string {
  const lower = word.toLowerCase();
  if (ACRONYMS.has(lower)) return lower.toUpperCase();
  if (lower.endsWith("s") && ACRONYMS.has(lower.slice(0, -1)))
    return `${lower.slice(0, -1).toUpperCase()}s`;
  return word;
}

/**
 * One of what a spoken name counts, before "sync": "RFI", "Daily log", "Business process"; a name
 * that counts nothing stays.
 */
export function singularName(name: string): string {
  if (!isPluralName(name) || /(?:series|species)$/iu.test(name)) return name;
  if (/[^aeiou]ies$/u.test(name)) return name.replace(/ies$/u, "y");
  return name.replace(/(?<=ss|x|ch|sh|tus)es$|s$/u, "");
}

/** Letters whose names begin with a vowel sound: "an RFI", but "a PCI". */
const VOWEL_LETTERS = /^[AEFHILMNORSX]/u;

/** "A" or "An", as a name is spoken; acronyms by their letters. */
export function articleOf(name: string): "A" | "An" {
  const isAcronym = /^\p{Lu}{2}/u.test(name);
  if (isAcronym) return VOWEL_LETTERS.test(name) ? "An" : "A";
  return /^(?:[aei]|o(?!ne)|u(?!ni|s|t)|hour)/iu.test(name) ? "An" : "A";
}

/** Whether a spoken name takes "are": "Daily logs", "RFIs", not "WBS", "Progress" or "Status". */
export function isPluralName(name: string): boolean {
  return /[^sui]s$/u.test(name);
}
