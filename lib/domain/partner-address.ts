/**
 * Path segments for names and ids from the API, which can be any text.
 * A segment is the percent-encoded text, except for forms that start with a tilde: `~.` and `~..` for `.` and `..`
 * (which a browser would resolve), `~` for the empty text (whose segment would vanish), `~~` for a leading tilde, and
 * `~u` with four hexadecimal digits per UTF-16 unit for text with a lone surrogate, which has no UTF-8 and so no
 * percent-encoding.
 */

/** @param text any string: a partner's name or an endpoint's id */
export function encodeSegment(text: string): string {
  if (text === "" || text === "." || text === "..") return `~${text}`;
  if (/\p{Surrogate}/u.test(text)) return `~u${hexUnits(text)}`;
  return encodeURIComponent(text.startsWith("~") ? `~${text}` : text);
}

/** `/[company]/partners/[partner]` */
export function partnerPath(company: string, partnerName: string): string {
  return `/${company}/partners/${encodeSegment(partnerName)}`;
}

/** `/[company]/partners/[partner]/[endpoint]`; `endpointId` is the row's `id`. */
export function endpointPath(company: string, partnerName: string, endpointId: string): string {
  return `${partnerPath(company, partnerName)}/${encodeSegment(endpointId)}`;
}

function hexUnits(text: string): string {
  let hex = "";
  for (let at = 0; at < text.length; at += 1)
    hex += text.charCodeAt(at).toString(16).padStart(4, "0");
  return hex;
}
