import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { ownPath } from "./own-path";

const OWN = "https://sync.example.com";

describe("the return address after signing in", () => {
  test.each([
    ["/northgate?verdict=late&q=%C3%A6#x", "/northgate?verdict=late&q=%C3%A6#x"],
    [`${OWN}/harbour/partners/A%2FB`, "/harbour/partners/A%2FB"],
    ["northgate", "/northgate"],
    ["/%2F/evil.example", "/%2F/evil.example"],
  ])("accepts %j", (given, path) => {
    expect(ownPath(given, OWN)).toBe(path);
  });

  test.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "http:evil.example",
    "http://sync.example.com/",
    "https://sync.example.com:444/",
    "https://sync.example.com@evil.example/",
    "https://sync.example.com.evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "\t//evil.example",
    "/\t/evil.example",
    "/\n\\evil.example",
    `${OWN}//evil.example`,
    "/..//evil.example",
    "http://[",
  ])("replaces %j by the front page", (given) => {
    expect(ownPath(given, OWN)).toBe("/");
  });

  test("stays on our origin in a browser, whatever the input", () => {
    const piece = constantFrom(
      ...Array.from("/\\:@?#.%\t\n "),
      "//",
      "https:",
      "http:",
      "evil.example",
      "sync.example.com",
      "%2f",
      "%5c",
      "..",
      "javascript:",
    );
    const nasty = array(oneof(piece, string({ unit: "binary" })), { maxLength: 8 });
    assert(
      property(nasty, (pieces) => {
        const path = ownPath(pieces.join(""), OWN);
        expect(path).toMatch(/^\/(?![/\\])/);
        expect(new URL(path, `${OWN}/signin`).origin).toBe(OWN);
      }),
      { numRuns: 2000 },
    );
  });
});
