import { expect, test } from "vitest";
import { usualDuration } from "./words";

test("describes durations of completed runs, and counts the others separately", () => {
  expect(
    usualDuration(41, 43, [
      ["failed", 0],
      ["rate_limited", 12],
      ["timed_out", 1],
    ]),
  ).toBe(
    "half of completed runs took up to 41 s, 95% up to 43 s; not counted: 12 rate limited, 1 timed out",
  );
  expect(usualDuration(41, 43, [])).toBe("half of completed runs took up to 41 s, 95% up to 43 s");
  expect(usualDuration(null, null, [["failed", 3]])).toBe(
    "no completed runs in this range; not counted: 3 failed",
  );
});
