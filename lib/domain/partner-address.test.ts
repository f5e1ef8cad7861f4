import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeSegment } from "./text/decode-segment";
import { encodeSegment, endpointPath, partnerPath } from "./partner-address";

test.each([
  ["Procore", "Procore"],
  ["a/b", "a%2Fb"],
  ["Smith & Sons", "Smith%20%26%20Sons"],
  ["100%", "100%25"],
  ["<b>", "%3Cb%3E"],
  ["日本建設", "%E6%97%A5%E6%9C%AC%E5%BB%BA%E8%A8%AD"],
  [".", "~."],
  ["..", "~.."],
  ["...", "..."],
  ["~", "~~"],
  ["~x", "~~x"],
  ["~.", "~~."],
  ["a~b", "a~b"],
  ["", "~"],
  ["\ud800", "~ud800"],
])("encodes %j as %j and decodes it", (text, segment) => {
  expect(encodeSegment(text)).toBe(segment);
  expect(decodeSegment(segment)).toBe(text);
});

test("preserves any string in a real URL", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("~", ".", "u", "%", "/", "2", "e", "\ud800", "\udc00") }),
    fc.array(fc.nat({ max: 0xffff })).map((units) => String.fromCharCode(...units)),
  );
  fc.assert(
    fc.property(anyText, anyText, (partner, endpoint) => {
      const url = new URL(endpointPath("northgate", partner, endpoint), "https://plumbline.test");
      const segments = url.pathname.split("/");
      expect(segments).toHaveLength(5);
      expect(decodeSegment(segments[3] ?? "")).toBe(partner);
      expect(decodeSegment(segments[4] ?? "")).toBe(endpoint);
      expect(url.search + url.hash).toBe("");
    }),
    { numRuns: 2000 },
  );
});

test("has one encoding per text", () => {
  fc.assert(
    fc.property(fc.string(), (segment) => {
      const text = decodeSegment(encodeURIComponent(segment));
      fc.pre(text !== null);
      expect(decodeURIComponent(encodeSegment(text))).toBe(segment);
    }),
    { numRuns: 2000 },
  );
});

test.each(["%", "%E6%97", "~x", "~u", "~ud80", "~u0041", "", ".", ".."])(
  "rejects %j",
  (segment) => {
    expect(decodeSegment(segment)).toBeNull();
  },
);

test("puts a partner's address under its company", () => {
  expect(partnerPath("northgate", "Sage 300")).toBe("/northgate/partners/Sage%20300");
});
