import { describe, expect, test } from "vitest";
import { codeIn, groupedCode, isWholeCode, timeLeft, typedCode } from "./pairing-code";

describe("typedCode", () => {
  test.each([
    ["7kx4 2m9p", "7KX42M9P"],
    [" 7KX4-2M9P\n", "7KX42M9P"],
    ["７ＫＸ４　２Ｍ９Ｐ", "7KX42M9P"],
    ["7KX4\u20072M9P\u200b", "7KX42M9P"],
    ["", ""],
    ["<script>", "SCRIPT"],
  ])("reads %j as %j", (text, code) => expect(typedCode(text)).toBe(code));
});

describe("codeIn", () => {
  test.each([
    ["7kx4 2", "7KX42"],
    ["https://plumbline.example/settings/displays?code=7KX42M9P", "7KX42M9P"],
    ["On the screen: 7KX4-2M9P", "7KX42M9P"],
    ["7KX42M9P5", "7KX42M9P"],
  ])("extracts from %j the code %j", (text, code) => expect(codeIn(text)).toBe(code));
});

describe("isWholeCode", () => {
  test("accepts eight characters of the alphabet", () =>
    expect(isWholeCode("7KX42M9P")).toBe(true));
  test.each(["7KX42M9", "7KX42M9PP", "7KX42M9O", "7KX42M90", ""])("rejects %j", (code) =>
    expect(isWholeCode(code)).toBe(false),
  );
});

describe("groupedCode", () => {
  test("writes two groups of four, also for an incomplete code", () => {
    expect(groupedCode("7KX42M9P")).toBe("7KX4 2M9P");
    expect(groupedCode("7KX42")).toBe("7KX4 2");
    expect(groupedCode("7KX4")).toBe("7KX4");
    expect(groupedCode("")).toBe("");
  });
});

describe("timeLeft", () => {
  test("counts down minutes and seconds, and stops at zero", () => {
    expect(timeLeft(581_999)).toBe("9:41");
    expect(timeLeft(600_000)).toBe("10:00");
    expect(timeLeft(9_000)).toBe("0:09");
    expect(timeLeft(-1)).toBe("0:00");
  });
});
