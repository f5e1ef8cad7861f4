import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createShareTokenCheck, isPreviewId, newPreviewId, newShareToken } from "./share-token";

const SECRET = "a secret of the tests only, 32 bytes or more";
const isShareToken = createShareTokenCheck([SECRET]);

test("generates distinct tokens that verify only with the signing secret", () => {
  const tokens = Array.from({ length: 200 }, () => newShareToken(SECRET));
  expect(new Set(tokens).size).toBe(200);
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{33}$/);
    expect(isShareToken(token)).toBe(true);
    expect(createShareTokenCheck(["another secret"])(token)).toBe(false);
  }
});

test("rejects a token with any character changed, and malformed ones", () => {
  const token = newShareToken(SECRET);
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === "A" ? "B" : "A";
    expect(isShareToken(`${token.slice(0, at)}${other}${token.slice(at + 1)}`)).toBe(false);
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
    expect(isShareToken(odd)).toBe(false);
  }
});

test("tells tokens of share links and of calendars apart", () => {
  const calendar = newShareToken(SECRET, "calendar");
  expect(createShareTokenCheck([SECRET], "calendar")(calendar)).toBe(true);
  expect(isShareToken(calendar)).toBe(false);
  expect(createShareTokenCheck([SECRET], "calendar")(newShareToken(SECRET))).toBe(false);
});

test("doesn't accept a preview id as a token, nor a token as a preview id", () => {
  expect(isPreviewId(newPreviewId())).toBe(true);
  expect(isPreviewId(newShareToken(SECRET))).toBe(false);
  expect(isShareToken(newPreviewId())).toBe(false);
});

test("accepts a token signed with an earlier secret while that secret is configured", () => {
  const token = newShareToken(SECRET);
  expect(createShareTokenCheck(["a new secret", SECRET])(token)).toBe(true);
  expect(createShareTokenCheck(["a new secret"])(token)).toBe(false);
});

test("accepts an older token, signed with the secret itself instead of a derived key", () => {
  const random = newPreviewId();
  const signature = createHmac("sha256", SECRET).update(`share link ${random}`).digest();
  expect(isShareToken(`${random}${signature.subarray(0, 8).toString("base64url")}`)).toBe(true);
});
