import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText } from "./json-text";

test("escapes control characters and invisible characters", () => {
  expect(jsonText("plan\u202Excod.exe")).toBe('"plan\\u202excod.exe"');
  expect(jsonText({ "a\u0000": "zero\u200Bwidth\u{E0001}" })).toBe(
    '{"a\\u0000":"zero\\u200bwidth\\udb40\\udc01"}',
  );
  expect(jsonText(["Østfold", "図面", "🏗", null, 1.5])).toBe('["Østfold","図面","🏗",null,1.5]');
});

test("remains equivalent JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
