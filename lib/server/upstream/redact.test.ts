import { describe, expect, it } from "vitest";
import { redact } from "./redact";

describe("words of an upstream in the log", () => {
  it.each([
    ["the secret itself", "client secret hunter2/pass is wrong"],
    ["its URL-encoded form", "client_secret=hunter2%2Fpass"],
    ["its form in Basic authentication", `Basic ${btoa("hunter2/pass")}`],
  ])("do not hold %s", (_, text) => {
    const safe = redact(text, ["hunter2/pass"]);
    expect(safe).toContain("[redacted]");
    expect(safe).not.toMatch(/hunter2|aHVudGVy/);
  });

  it("do not hold tokens that we never knew", () => {
    expect(redact("got Bearer abc.def", [])).toBe("got Bearer [redacted]");
    expect(redact("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired", [])).toBe(
      "token [redacted] expired",
    );
  });

  it("hold no line breaks and are no longer than 300 characters", () => {
    expect(redact("one\r\ntwo\u0000", [])).toBe("one two ");
    expect(redact("word ".repeat(1_000), [])).toHaveLength(300);
  });
});
