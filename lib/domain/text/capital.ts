/** Capitalises the first letter. */
export function capital(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  return text === "" ? "" : first.toUpperCase() + text.slice(first.length);
}
