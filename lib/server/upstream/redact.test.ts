import { describe, expect, it } from "vitest";
import { redact } from "./redact";

describe("redact", () => {
  it.each([
    ["the secret itself", "client secret hunter2/pass is wrong"],
    ["its URL-encoded form", "client_secret=hunter2%2Fpass"],
    ["its form in Basic authentication", `Basic ${btoa("hunter2/pass")}`],
  ])("removes %s", (_, text) => {
    const safe = redact(text, ["hunter2/pass"]);
    expect(safe).toContain("[redacted]");
    expect(safe).not.toMatch(/hunter2|aHVudGVy/);
  });

  it("removes unknown tokens", () => {
    expect(redact("got Bearer abc.def", [])).toBe("got Bearer [redacted]");
    expect(redact("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired", [])).toBe(
      "token [redacted] expired",
    );
  });

  it("removes line breaks and truncates to 300 characters", () => {
    expect(redact("one\r\ntwo\u0000", [])).toBe("one two ");
    expect(redact("word ".repeat(1_000), [])).toHaveLength(300);
  });
});
