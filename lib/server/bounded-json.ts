/** Limits on a JSON text. */
export type JsonBounds = {
  bytes: number;
  /** Nesting of arrays and objects: `[]` has depth 1. */
  depth: number;
  /** Commas and opening brackets outside strings: about the number of values. */
  parts: number;
};

/** The text isn't JSON, or exceeds the limits. The message never quotes the text. */
export class JsonRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = "JsonRefused";
  }
}

/**
 * Parses untrusted JSON. Texts that are expensive to parse are rejected first: 8 MB of `[[[[` or of `{},{},` would block
 * the process for seconds and take hundreds of megabytes.
 * @param text UTF-8
 * @throws JsonRefused
 */
export function parseBoundedJson(text: Buffer, bounds: JsonBounds): unknown {
  const reason = whyRefused(text, bounds);
  if (reason !== null) throw new JsonRefused(reason);
  try {
    return JSON.parse(text.toString("utf8"));
  } catch {
    // The parser's error message quotes the text.
    throw new JsonRefused("is not JSON");
  }
}

/**
 * Which limit a text exceeds, from one pass over its bytes. For invalid JSON the counts are correct only up to the first
 * syntax error, beyond which no parser reads either.
 * @param text UTF-8, in which bytes below 0x80 are never part of another character
 * @returns null: within all limits; otherwise the rest of a sentence that starts with "the text"
 */
export function whyRefused(text: Uint8Array, bounds: JsonBounds): string | null {
  if (text.length > bounds.bytes) return `is larger than ${bounds.bytes} bytes`;
  let depth = 0;
  let parts = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (inString) {
      // Skips the escaped byte, which may be a quote or another backslash.
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
