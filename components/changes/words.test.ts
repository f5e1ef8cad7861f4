import { describe, expect, it } from "vitest";
import { changesText, companiesText } from "./words";

const NOTHING = {
  began: 0,
  recovered: 0,
  ended_otherwise: 0,
  worse: 0,
  better: 0,
  became_unknown: 0,
  removed: 0,
  changed_otherwise: 0,
  not_observed_seconds: 0,
  open_count: 0,
};

describe("changesText", () => {
  it("lists what there is", () => {
    const counts = { ...NOTHING, began: 3, recovered: 2, worse: 1, not_observed_seconds: 540 };
    expect(changesText(counts)).toBe(
      "3 incidents began, 2 recovered, 1 got worse, not checked for 9 m",
    );
    expect(changesText({ ...NOTHING, ended_otherwise: 1, better: 2 })).toBe(
      "1 ended for other reasons, 2 got better",
    );
  });

  it("includes the number still open, so that as many recoveries as openings don't look like an all-clear", () => {
    const counts = { ...NOTHING, began: 34, recovered: 34, worse: 2, open_count: 7 };
    expect(changesText(counts)).toBe("34 incidents began, 34 recovered, 7 still open, 2 got worse");
    expect(changesText({ ...NOTHING, began: 1, open_count: 1 })).toBe(
      "1 incident began, 1 still open",
    );
    expect(changesText({ ...NOTHING, open_count: 7 })).toBe("nothing changed, 7 still open");
  });

  it("lists what can't be judged any more, is gone, or changed in another way", () => {
    const counts = { ...NOTHING, became_unknown: 60, removed: 5, changed_otherwise: 4 };
    expect(changesText(counts)).toBe("60 became unknown, 5 removed, 4 other changes");
  });

  it("claims that nothing changed only when all of it was observed", () => {
    expect(changesText(NOTHING)).toBe("nothing changed");
    expect(changesText({ ...NOTHING, not_observed_seconds: 1 })).toBe(
      "no changes seen, not checked for 1 s",
    );
    expect(changesText(NOTHING, true)).toBe("no changes seen");
  });
});

it("names the companies in companiesText, and those not checked throughout", () => {
  expect(companiesText(0, 0)).toBe("");
  expect(companiesText(1, 0)).toBe(" at 1 customer");
  expect(companiesText(6, 2)).toBe(" at 6 customers; 2 customers not fully checked");
  expect(companiesText(0, 1)).toBe("; 1 customer not fully checked");
});
