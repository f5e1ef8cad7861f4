const MAX_LENGTH = 300;

/**
 * Prepares upstream text for logs: replaces secrets by `[redacted]` and control characters by blanks, and
 * truncates to 300 characters. Never show the result to users.
 * @param secrets exact values to remove
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
      // Unknown tokens and keys: JWTs, values of Authorization headers, any long text without blanks.
      .replaceAll(/\b(Bearer|Basic)\s+\S+/gi, "$1 [redacted]")
      .replaceAll(/[\w+/=.~-]{32,}/g, "[redacted]")
      .replaceAll(/\p{Cc}+/gu, " ")
      .slice(0, MAX_LENGTH)
  );
}
