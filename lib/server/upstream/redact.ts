const MAX_LENGTH = 300;

/**
 * Makes words of an upstream fit for the log: secrets become `[redacted]`, control characters blanks,
 * and it is cut to 300 characters. Never for people, redacted or not.
 * @param secrets exact values that must not stand in it
 */
export function redact(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) {
    for (const form of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64"),
    ]) {
      if (form !== "") safe = safe.replaceAll(form, "[redacted]");
    }
  }
  return (
    safe
      // Tokens and keys that we do not know: JWTs, the values of Authorization headers, anything long without a blank.
      .replaceAll(/\b(Bearer|Basic)\s+\S+/gi, "$1 [redacted]")
      .replaceAll(/[\w+/=.~-]{32,}/g, "[redacted]")
      .replaceAll(/\p{Cc}+/gu, " ")
      .slice(0, MAX_LENGTH)
  );
}
