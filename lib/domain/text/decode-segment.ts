const HEX_UNITS = /^(?:[0-9a-f]{4})+$/;

/**
 * @param segment from the URL, still percent-encoded
 * @returns the text; null for a segment that `encodeSegment` (partner-address.ts) never produces (a broken `%`, an
 *   unknown tilde form)
 */
export function decodeSegment(segment: string): string | null {
  const text = percentDecoded(segment);
  if (text === null || text === "" || text === "." || text === "..") return null;
  if (!text.startsWith("~")) return text;
  const rest = text.slice(1);
  if (rest === "" || rest === "." || rest === ".." || rest.startsWith("~")) return rest;
  const units = rest.slice(1);
  if (!rest.startsWith("u") || !HEX_UNITS.test(units)) return null;
  const named = fromHexUnits(units);
  // Tilde names are only valid for text that has no other encoding.
  return /\p{Surrogate}/u.test(named) ? named : null;
}

function percentDecoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function fromHexUnits(hex: string): string {
  let text = "";
  for (let at = 0; at < hex.length; at += 4)
    text += String.fromCharCode(Number.parseInt(hex.slice(at, at + 4), 16));
  return text;
}
