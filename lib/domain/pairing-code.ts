/** Letters and digits of a pairing code: none is mistaken for another, on a screen or read aloud. */
export const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
export const CODE_LENGTH = 8;

const GROUP_LENGTH = 4;

/**
 * Normalises a typed or pasted code: upper case, without separators.
 * @returns letters and digits of any length, including those that codes never contain
 */
export function typedCode(text: string): string {
  return text
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "");
}

/** A complete code within other text, such as the address in the QR code; its groups may be separated. */
const WITHIN_TEXT = new RegExp(`\\b([${CODE_ALPHABET}]{4})[ -]?([${CODE_ALPHABET}]{4})\\b`, "g");

/**
 * Extracts the code from text entered into a code field, which may be more than the code.
 * @returns a `typedCode` of at most eight characters
 */
export function codeIn(text: string): string {
  const code = typedCode(text);
  if (code.length <= CODE_LENGTH) return code;
  const whole = [...text.toUpperCase().matchAll(WITHIN_TEXT)].at(-1)?.[0];
  return whole === undefined ? code.slice(0, CODE_LENGTH) : typedCode(whole);
}

/** Whether a `typedCode` could be shown on a screen. */
export function isWholeCode(code: string): boolean {
  return code.length === CODE_LENGTH && strangeLetters(code) === "";
}

/** The characters that codes never contain. */
export function strangeLetters(code: string): string {
  return code.replaceAll(new RegExp(`[${CODE_ALPHABET}]`, "g"), "");
}

/** In groups as read aloud: "7KX4 2M9P". */
export function groupedCode(code: string): string {
  return [code.slice(0, GROUP_LENGTH), code.slice(GROUP_LENGTH)].filter(Boolean).join(" ");
}

/** Remaining lifetime of a code, "9:41"; rounded down, so that it never promises too much. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
