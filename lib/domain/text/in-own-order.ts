/**
 * A name whose characters stand in the order in which they were given: without the marks that turn the rest
 * around, so that `planxcod.exe` never reads as a document, nor a sentence with a name in it backwards.
 */
export function inOwnOrder(name: string): string {
  return name.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, "");
}
