import { describe, expect, test } from "vitest";
import { nameToType, spelledOut, typedSoFar } from "./typed-name";

describe("a name that is typed", () => {
  test("is counted as far as it agrees from the beginning", () => {
    expect(typedSoFar("Harbour Tunnel lot 3, agreed", "Harbour Tunnel lot 3, agr")).toEqual({
      matching: 25,
      length: 28,
      isWhole: false,
    });
    expect(typedSoFar("abc", "xbc").matching).toBe(0);
  });

  test("is whole only when nothing is missing and nothing is too much, blanks included", () => {
    expect(typedSoFar("lot 3 ", "lot 3").isWhole).toBe(false);
    expect(typedSoFar("lot 3", "lot 3 ").isWhole).toBe(false);
    expect(typedSoFar("lot 3", "Lot 3").isWhole).toBe(false);
    expect(typedSoFar("lot 3", "lot 3").isWhole).toBe(true);
  });

  test("may write an accent in either way", () => {
    expect(typedSoFar("A\u030Angstro\u0308m", "Ångström")).toEqual({
      matching: 8,
      length: 8,
      isWhole: true,
    });
  });

  test("counts characters, not halves of them", () => {
    expect(typedSoFar("🏗🏗", "🏗")).toEqual({ matching: 1, length: 2, isWhole: false });
  });
});

test("characters without a shape are spelled out, and nothing else is", () => {
  expect(spelledOut("plan\u202Excod.exe")).toBe("plan\\u{202E}xcod.exe");
  expect(spelledOut("مشروع البرج 🏗")).toBeNull();
});

describe("what has to be typed", () => {
  test("is the name as a field of one line can hold it", () => {
    expect(nameToType({ id: 7, name: "Tower\r\nB" })).toBe("TowerB");
    expect(typedSoFar("TowerB", "TowerB").isWhole).toBe(true);
  });

  test("has nothing in it that no keyboard has", () => {
    expect(nameToType({ id: 7, name: "plan\u202Excod.exe" })).toBe("planxcod.exe");
    expect(typedSoFar("plan\u202Excod.exe", "planxcod.exe").isWhole).toBe(true);
    expect(typedSoFar("plan\u202Excod.exe", "planexe.docx").isWhole).toBe(false);
  });

  test("is the id when the name shows nothing, so that no empty field is ever right", () => {
    expect(nameToType({ id: 7, name: "" })).toBe("7");
    expect(nameToType({ id: 7, name: " \n" })).toBe("7");
    expect(nameToType({ id: 7, name: "\u200B\u202E" })).toBe("7");
  });
});
