import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { JsonRefused, parseBoundedJson, whyRefused, type JsonBounds } from "./bounded-json";

const WIDE: JsonBounds = { bytes: 1_000_000, depth: 1_000, parts: 100_000 };
const bytes = (text: string) => Buffer.from(text);
const refused = (text: string, bounds: Partial<JsonBounds>) =>
  whyRefused(bytes(text), { ...WIDE, ...bounds });

/** The two counts of a text, computed from the parsed value. */
function cost(value: unknown): { depth: number; parts: number } {
  if (typeof value !== "object" || value === null) return { depth: 0, parts: 0 };
  const inner = Object.values(value).map(cost);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    parts: inner.reduce((sum, { parts }) => sum + parts, 1 + Math.max(0, inner.length - 1)),
  };
}

/** Strings and keys that contain JSON syntax. */
const trickyString = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom("[", "]", "{", "}", ",", ":", '"', "\\", "\n", "é", "中", "😀", "\ud800"),
  }),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    trickyString,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("tree"), { maxLength: 6 }),
    fc.dictionary(trickyString, tie("tree"), { maxKeys: 6 }),
  ),
}));
const written = fc
  .tuple(tree, fc.constantFrom(undefined, 1, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe("a text within the bounds", () => {
  it("is parsed, also exactly at the bounds", () => {
    fc.assert(
      fc.property(written, (text) => {
        const value: unknown = JSON.parse(text);
        const bounds = { bytes: Buffer.byteLength(text), ...cost(value) };
        expect(parseBoundedJson(bytes(text), bounds)).toEqual(value);
      }),
    );
  });

  it("may hold anything in its strings", () => {
    const value = { '[[["\\': '{"a":[[[,,,,', "\\": "\\\\\"'[", "": "\u2028}" };
    expect(parseBoundedJson(bytes(JSON.stringify(value)), { ...WIDE, depth: 1, parts: 3 })).toEqual(
      value,
    );
  });
});

describe("a text beyond the bounds", () => {
  it("is rejected when it exceeds any bound by one", () => {
    fc.assert(
      fc.property(written, (text) => {
        const { depth, parts } = cost(JSON.parse(text));
        expect(refused(text, { bytes: Buffer.byteLength(text) - 1 })).toMatch(/larger/);
        fc.pre(depth > 0);
        expect(refused(text, { depth: depth - 1 })).toMatch(/deeper/);
        expect(refused(text, { parts: parts - 1 })).toMatch(/more than/);
      }),
    );
  });

  it.each([
    ["arrays in arrays", "[".repeat(50)],
    ["objects in objects", '{"a":'.repeat(50)],
    ["both by turns", '[{"a":'.repeat(25)],
  ])("is rejected by depth, even if incomplete: %s", (_, text) => {
    expect(refused(text, { depth: 32 })).toBe("is nested deeper than 32 levels");
  });

  it.each([
    ["elements", `[${"0,".repeat(99)}0]`],
    ["empty objects", `[${"{},".repeat(50)}{}]`],
    ["members", `{${'"a":0,'.repeat(99)}"a":0}`],
    ["arrays", "[]".repeat(100)],
    ["nothing but commas", ",".repeat(100)],
  ])("is rejected by count: %s", (_, text) => {
    expect(refused(text, { parts: 99 })).toBe("holds more than 99 values");
  });

  it("is not parsed", () => {
    const parse = vi.spyOn(JSON, "parse");
    expect(() => parseBoundedJson(bytes("[[]]"), { ...WIDE, depth: 1 })).toThrow(JsonRefused);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});

describe("a text that is not JSON", () => {
  it.each(["", " ", "{", "]]]]", '"', '"\\', "[1,]", '{"secret-word" 1}', "\uFEFF{}"])(
    "is rejected without being quoted: %j",
    (text) => {
      expect(() => parseBoundedJson(bytes(text), WIDE)).toThrow(new JsonRefused("is not JSON"));
    },
  );

  it("is parsed like the decoded text if a character is incomplete", () => {
    // 0xC3 starts a two-byte character; the decoder replaces only this byte.
    const text = Buffer.concat([bytes('["'), Buffer.of(0xc3), bytes('",[]]')]);
    expect(parseBoundedJson(text, { ...WIDE, depth: 2, parts: 3 })).toEqual(["\ufffd", []]);
  });

  it("is parsed or rejected with our own message for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        const text = Buffer.from(noise);
        let expected: unknown = JsonRefused;
        try {
          expected = JSON.parse(text.toString("utf8"));
        } catch {
          expect(() => parseBoundedJson(text, WIDE)).toThrow("is not JSON");
          return;
        }
        expect(parseBoundedJson(text, WIDE)).toEqual(expected);
      }),
    );
  });
});
