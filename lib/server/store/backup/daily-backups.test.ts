import { describe, expect, it } from "vitest";
import { isDue } from "./daily-backups";

/** In the server's time zone, whatever it is. */
const at = (day: number, hour: number, minute = 0) =>
  new Date(2026, 4, day, hour, minute).getTime();

describe("isDue", () => {
  it("is true once, in the hour from three", () => {
    const since = at(1, 12);
    expect(isDue(at(2, 2, 59), null, since)).toBe(false);
    expect(isDue(at(2, 3), null, since)).toBe(true);
    expect(isDue(at(2, 3, 59), at(1, 3), since)).toBe(true);
    expect(isDue(at(2, 3, 1), at(2, 3), since)).toBe(false);
    expect(isDue(at(2, 4), at(1, 3), since)).toBe(false);
    expect(isDue(at(3, 2), at(2, 3), since)).toBe(false);
    expect(isDue(at(3, 3), at(2, 3), since)).toBe(true);
  });

  it("is true by day after a missed night, unless there could not have been a backup yet", () => {
    expect(isDue(at(2, 9), at(1, 3), at(1, 0))).toBe(true);
    expect(isDue(at(2, 9), null, at(1, 3))).toBe(true);
    expect(isDue(at(2, 9), null, at(2, 8))).toBe(false);
    expect(isDue(at(2, 9), at(1, 12), at(1, 0))).toBe(false);
  });

  it("is true at night even if the clock was set back before all known times", () => {
    expect(isDue(at(2, 9), null, at(20, 8))).toBe(false);
    expect(isDue(at(2, 3), null, at(20, 8))).toBe(true);
  });
});
