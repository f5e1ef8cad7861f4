import { expect, test } from "vitest";
import { usWords } from "./words";

test("how many feeds' last run was rate limited can't be read as a number of runs", () => {
  const said = (limited: number, all: number) => usWords.limited(limited, all);
  expect(said(0, 1)).toBe("Not reached by the last run");
  expect(said(1, 1)).toBe("Reached by the last run");
  expect(said(0, 3)).toBe("Not reached by the last run of any of 3 feeds");
  expect(said(2, 3)).toBe("Reached by the last run of 2 of 3 feeds");
  expect(said(0, 0)).toBe("Nothing to judge by now");
});
