/**
 * Path segments for names and ids that the API gives, of which nothing may be assumed.
 *
 * A segment is the percent-encoded text, but for four forms that begin with a tilde:
 * `~.` and `~..` for `.` and `..` (a browser would walk the path), `~` for the empty text (the segment
 * would vanish), `~~` for a leading tilde, and `~u` with four hexadecimal digits per UTF-16 unit for
 * text with half a surrogate pair, which has no UTF-8 and so no percent-encoding.
 */

const HEX_UNITS = /^(?:[0-9a-f]{4})+$/;

/** @param text any string: a partner's name or an endpoint's id */
export function encodeSegment(text: string): string {
  if (text === "" || text === "." || text === "..") return `~${text}`;
  if (/\p{Surrogate}/u.test(text)) return `~u${hexUnits(text)}`;
  return encodeURIComponent(text.startsWith("~") ? `~${text}` : text);
}

/**
 * @param segment as it stands in the URL, still percent-encoded
 * @returns the text; null when `encodeSegment` writes no such segment (a broken `%`, an unknown tilde form)
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
  // Only text that has no other address has this one.
  return /\p{Surrogate}/u.test(named) ? named : null;
}

/** `/[company]/partners/[partner]` */
export function partnerPath(company: string, partnerName: string): string {
  return `/${company}/partners/${encodeSegment(partnerName)}`;
}

/** `/[company]/partners/[partner]/[endpoint]`, `endpointId` being the row's `id`. */
export function endpointPath(company: string, partnerName: string, endpointId: string): string {
  return `${partnerPath(company, partnerName)}/${encodeSegment(endpointId)}`;
}

function percentDecoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function hexUnits(text: string): string {
  let hex = "";
  for (let at = 0; at < text.length; at += 1)
    hex += text.charCodeAt(at).toString(16).padStart(4, "0");
  return hex;
}

function fromHexUnits(hex: string): string {
  let text = "";
  for (let at = 0; at < hex.length; at += 4)
    text += String.fromCharCode(Number.parseInt(hex.slice(at, at + 4), 16));
  return text;
}
