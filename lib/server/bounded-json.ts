/** How much a JSON text may hold. */
export type JsonBounds = {
  bytes: number;
  /** Arrays and objects inside each other: `[]` is 1 deep. */
  depth: number;
  /** Commas and opening brackets outside strings: about one for each value that the text holds. */
  parts: number;
};

/** A text that is not JSON, or more of it than we parse. Its message never quotes the text. */
export class JsonRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "JsonRefused";
  }
}

/**
 * Parses JSON that a stranger wrote. What would be expensive is refused before it is parsed: 8 MB of `[[[[`
 * or of `{},{},` block the process for seconds and take hundreds of megabytes, whatever is done with it later.
 * @param text UTF-8
 * @throws JsonRefused
 */
export function parseBoundedJson(text: Buffer, bounds: JsonBounds): unknown {
  const reason = whyRefused(text, bounds);
  if (reason !== null) throw new JsonRefused(reason);
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    // The parser's own words quote the text.
    throw new JsonRefused("is not JSON");
  }
}

/**
 * Why a text is not even parsed: one pass over its bytes, up to the first bound that it breaks.
 * Of a text that is not JSON only the valid beginning is told right, and a parser reads no further.
 * @param text UTF-8, whose bytes below 0x80 are never part of another character
 * @returns null when it is within all bounds; else the end of a sentence that begins with "the text"
 */
export function whyRefused(text: Uint8Array, bounds: JsonBounds): string | null {
  if (text.length > bounds.bytes) return `is larger than ${bounds.bytes} bytes`;
  let depth = 0;
  let parts = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (inString) {
      // What follows a backslash ends no string, be it a quote or another backslash.
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inString = false;
      continue;
    }
    if (byte === QUOTE) inString = true;
    else if (byte === COMMA) parts += 1;
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
      parts += 1;
      depth += 1;
      if (depth > bounds.depth) return `is nested deeper than ${bounds.depth} levels`;
    } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth -= 1;
    if (parts > bounds.parts) return `holds more than ${bounds.parts} values`;
  }
  return null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
