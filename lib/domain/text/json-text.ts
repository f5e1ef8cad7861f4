/**
 * A value as JSON with all invisible and control characters escaped, so that it can't be made to read as something
 * else.
 */
export function jsonText(value: unknown): string {
  return (JSON.stringify(value) ?? "").replaceAll(/\p{C}/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
