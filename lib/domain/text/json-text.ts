/**
 * A value as JSON in which each character without a shape of its own, or that changes how others stand, is written as
 * its number: what is shown as received can't be made to read as something else.
 */
export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? "").replaceAll(/\p{C}/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
