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
  const name = words.map(spokenWord).join(" ");
  const first = String.fromCodePoint(name.codePointAt(0) ?? 0x20);
  return first.toUpperCase() + name.slice(first.length);
}

function spokenWord(word: string): string {
  const lower = word.toLowerCase();
  if (ACRONYMS.has(lower)) return lower.toUpperCase();
  if (lower.endsWith("s") && ACRONYMS.has(lower.slice(0, -1)))
    return `${lower.slice(0, -1).toUpperCase()}s`;
  return word;
}

/** Whether a spoken name takes "are": "Daily logs", "RFIs", not "WBS", "Progress" or "Status". */
export function isPluralName(name: string): boolean {
  return /[^sui]s$/u.test(name);
}
