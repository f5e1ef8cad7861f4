import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lookOf } from "./look-alike";

const LETTERS = fc.constantFrom(...Array.from("aArRnNmM01oOiIlL-_ ТеéĐçαΩ中."));

describe("names that look alike", () => {
  test.each([
    ["case", "Tower A.XER", "tower a.xer"],
    ["spaces", " Tower  A .xer", "TowerA.xer"],
    ["an invisible character", "Tower\u200B A.xer", "Tower A.xer"],
    ["a variation selector", "Tower A\uFE0F.xer", "Tower A.xer"],
    ["a bidirectional character", "programme\u202Excod.exe.mpp", "programmexcod.exe.mpp"],
    ["letter width", "Ｔｏｗｅｒ A.xer", "Tower A.xer"],
    ["composition", "A\u0308rger.xer", "Ärger.xer"],
    ["a Cyrillic letter", "Tоwer А.xer", "Tower A.xer"],
    ["a Greek letter", "Τower Α.xer", "Tower A.xer"],
    ["a digit", "Phase 1O.xer", "Phase l0.xer"],
    ["two letters for one", "Modern.xer", "Modem.xer"],
    ["a dash", "Tower–A.xer", "Tower-A.xer"],
  ])("differ in %s", (_, one, other) => {
    expect(one).not.toBe(other);
    expect(lookOf(one)).toBe(lookOf(other));
  });

  test.each([
    ["Tower A, rev 2.xer", "Tower A, rev 3.xer"],
    ["Tower A.xer", "Tower B.xer"],
    ["Cafe.xer", "Café.xer"],
    ["Tower A.xer", "Tower A.xml"],
    ["工程表 第7版.xml", "工程表 第8版.xml"],
  ])("don't include %s and %s", (one, other) => {
    expect(lookOf(one)).not.toBe(lookOf(other));
  });

  test("spaces and case never make a difference", () => {
    fc.assert(
      fc.property(fc.string({ unit: LETTERS }), fc.nat(), (name, at) => {
        const letters = Array.from(name);
        letters.splice(at % (letters.length + 1), 0, " ");
        expect(lookOf(letters.join(""))).toBe(lookOf(name));
        expect(lookOf(name.toUpperCase())).toBe(lookOf(name));
      }),
    );
  });
});
