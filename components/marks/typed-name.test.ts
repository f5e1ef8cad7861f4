import { describe, expect, test } from "vitest";
import { nameToType, spelledOut, typedSoFar } from "./typed-name";

describe("a typed name", () => {
  test("matches as far as it agrees from the start", () => {
    expect(typedSoFar("Harbour Tunnel lot 3, agreed", "Harbour Tunnel lot 3, agr")).toEqual({
      matching: 25,
      length: 28,
      isWhole: false,
    });
    expect(typedSoFar("abc", "xbc").matching).toBe(0);
  });

  test("is complete only without missing or extra characters, spaces included", () => {
    expect(typedSoFar("lot 3 ", "lot 3").isWhole).toBe(false);
    expect(typedSoFar("lot 3", "lot 3 ").isWhole).toBe(false);
    expect(typedSoFar("lot 3", "Lot 3").isWhole).toBe(false);
    expect(typedSoFar("lot 3", "lot 3").isWhole).toBe(true);
  });

  test("may compose accents in either way", () => {
    expect(typedSoFar("A\u030Angstro\u0308m", "Ångström")).toEqual({
      matching: 8,
      length: 8,
      isWhole: true,
    });
  });

  test("is counted in code points, not surrogates", () => {
    expect(typedSoFar("🏗🏗", "🏗")).toEqual({ matching: 1, length: 2, isWhole: false });
  });
});

test("spells out invisible characters, and nothing else", () => {
  expect(spelledOut("plan\u202Excod.exe")).toBe("plan\\u{202E}xcod.exe");
  expect(spelledOut("مشروع البرج 🏗")).toBeNull();
});

describe("the text to type", () => {
  test("is the name as a one-line field can hold it", () => {
    expect(nameToType({ id: 7, name: "Tower\r\nB" })).toBe("TowerB");
    expect(typedSoFar("TowerB", "TowerB").isWhole).toBe(true);
  });

  test("contains nothing that a keyboard can't type", () => {
    expect(nameToType({ id: 7, name: "plan\u202Excod.exe" })).toBe("planxcod.exe");
    expect(typedSoFar("plan\u202Excod.exe", "planxcod.exe").isWhole).toBe(true);
    expect(typedSoFar("plan\u202Excod.exe", "planexe.docx").isWhole).toBe(false);
  });

  test("is the id when the name is invisible, so that an empty field never matches", () => {
    expect(nameToType({ id: 7, name: "" })).toBe("7");
    expect(nameToType({ id: 7, name: " \n" })).toBe("7");
    expect(nameToType({ id: 7, name: "\u200B\u202E" })).toBe("7");
  });
});
