import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { newTotpSecret, stepOfCode, totpUri } from "./totp";

/** The ASCII secret of RFC 6238, Appendix B, in base32. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const STEP_MS = 30_000;

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("accepts the code of RFC 6238 at %i s", (seconds, code) => {
  expect(stepOfCode(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test("accepts codes of one step before and after, and no others", () => {
  const nowMs = Date.parse("2026-11-25T12:00:10Z");
  const step = Math.floor(nowMs / STEP_MS);
  const app = new TOTP({ secret: RFC_SECRET });
  const found = [-2, -1, 0, 1, 2].map((ahead) =>
    stepOfCode(RFC_SECRET, app.generate({ timestamp: nowMs + ahead * STEP_MS }), nowMs),
  );
  expect(found).toEqual([null, step - 1, step, step + 1, null]);
});

test.each(["", "28708", "2870820", "abcdef", "28708２"])("rejects %j", (code) => {
  expect(stepOfCode(RFC_SECRET, code, 59_000)).toBeNull();
});

test("generates a different secret of 160 bits each time", () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
});

test("names the product and the account in the URI that apps scan", () => {
  expect(totpUri(RFC_SECRET, "ana+test@example.com")).toBe(
    `otpauth://totp/Plumbline:ana%2Btest%40example.com?issuer=Plumbline&secret=${RFC_SECRET}&algorithm=SHA1&digits=6&period=30`,
  );
});
