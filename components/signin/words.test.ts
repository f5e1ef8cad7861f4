import { expect, test } from "vitest";
import { problems } from "./words";

test("offers a recovery code when wrong codes are limited for longer than wrong passwords ever are", () => {
  expect(problems.limited(14 * 3600, true)).toBe(
    "Too many wrong codes. Use a recovery code, or try again in 14 h 00 m.",
  );
  expect(problems.limited(900, true)).toBe("Too many attempts. Try again in 15 m.");
  expect(problems.limited(900, false)).toBe("Too many attempts. Try again in 15 m.");
  expect(problems.limited(undefined, true)).toBe("Too many attempts. Try again later.");
});
