import { expect, test } from "vitest";
import { isPreviewId, isShareToken, newPreviewId, newShareToken } from "./share-token";

const SECRET = "a secret of the tests only, 32 bytes or more";

test("a token holds 128 random bits and is ours by its signature only", () => {
  const tokens = Array.from({ length: 200 }, () => newShareToken(SECRET));
  expect(new Set(tokens).size).toBe(200);
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{33}$/);
    expect(isShareToken(token, SECRET)).toBe(true);
    expect(isShareToken(token, "another secret")).toBe(false);
  }
});

test("a token that was changed in any place is none", () => {
  const token = newShareToken(SECRET);
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === "A" ? "B" : "A";
    expect(isShareToken(`${token.slice(0, at)}${other}${token.slice(at + 1)}`, SECRET)).toBe(false);
  }
  for (const odd of [
    "",
    "A",
    `${token}A`,
    token.slice(1),
    `${token}=`,
    ` ${token}`,
    "\0".repeat(33),
  ]) {
    expect(isShareToken(odd, SECRET)).toBe(false);
  }
});

test("a preview's name opens nothing that a token opens", () => {
  expect(isPreviewId(newPreviewId())).toBe(true);
  expect(isPreviewId(newShareToken(SECRET))).toBe(false);
  expect(isShareToken(newPreviewId(), SECRET)).toBe(false);
});
