/**
 * Removes bidirectional control characters from a name, so that it can't reorder the text around it: `planxcod.exe`
 * must never read as a document.
 */
export function inOwnOrder(name: string): string {
  return name.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, "");
}
