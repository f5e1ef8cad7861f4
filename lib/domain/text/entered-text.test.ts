import { describe, expect, it } from "vitest";
import { enteredLine, enteredText } from "./entered-text";

describe("text that was entered", () => {
  it("is trimmed, and keeps its lines, joiners and emoji", () => {
    expect(enteredText("  Ada\nLovelace 👩‍🚀 می‌خواهم ")).toBe("Ada\nLovelace 👩‍🚀 می‌خواهم");
  });

  it("has no null characters, and none that reorder the text around it", () => {
    expect(enteredText("\0plan\u202excod\u2069.exe\0")).toBe("planxcod.exe");
  });

  it.each([
    ["blanks", " \t\n"],
    ["zero-width spaces", "\u200b\u200b"],
    ["a null character", "\0"],
    ["a Hangul filler", "\u3164"],
    ["a variation selector", "\ufe0f"],
    ["a byte order mark", "\ufeff"],
  ])("is empty if it is only %s", (_, text) => {
    expect(enteredText(text)).toBe("");
  });
});

describe("a line that was entered", () => {
  it("has no line breaks, tabs or other control characters", () => {
    expect(enteredLine("  Ada\r\n\tLovelace\u0007 \u0085 👩‍🚀 ")).toBe("Ada Lovelace 👩‍🚀");
  });
});
