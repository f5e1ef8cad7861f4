/** Letters and digits of a pairing code: none is mistaken for another, on a screen or read aloud. */
export const CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
export const CODE_LENGTH = 8;

const GROUP_LENGTH = 4;

/**
 * A code as somebody typed or pasted it: small letters are large ones, whatever stands between the
 * characters is left out.
 * @returns letters and digits only, of any length; also those that no code holds
 */
export function typedCode(text: string): string {
  return text
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "");
}

/** A whole code within other text, such as the address behind the QR code: its groups, apart or not. */
const WITHIN_TEXT = new RegExp(`\\b([${CODE_ALPHABET}]{4})[ -]?([${CODE_ALPHABET}]{4})\\b`, "g");

/**
 * What to take of a text that was put into the field of a code, which may be more than the code.
 * @returns a `typedCode` of at most eight characters
 */
export function codeIn(text: string): string {
  const code = typedCode(text);
  if (code.length <= CODE_LENGTH) return code;
  const whole = [...text.toUpperCase().matchAll(WITHIN_TEXT)].at(-1)?.[0];
  return whole === undefined ? code.slice(0, CODE_LENGTH) : typedCode(whole);
}

/** Whether a `typedCode` could stand on a screen. */
export function isWholeCode(code: string): boolean {
  return code.length === CODE_LENGTH && strangeLetters(code) === "";
}

/** The characters that no code holds. */
export function strangeLetters(code: string): string {
  return code.replaceAll(new RegExp(`[${CODE_ALPHABET}]`, "g"), "");
}

/** In the groups in which it is read aloud: "7KX4 2M9P". */
export function groupedCode(code: string): string {
  return [code.slice(0, GROUP_LENGTH), code.slice(GROUP_LENGTH)].filter(Boolean).join(" ");
}

/** How long a code still lives, "9:41"; rounded down, so that it is never promised for longer. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
