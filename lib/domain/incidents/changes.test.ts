import { describe, expect, it } from "vitest";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { countChanges, isOtherChange, worseBy } from "./changes";

const change = (from: Verdict, to: Verdict, id = "e") => ({ endpoint_id: id, from, to });
const incident = (ending: string | null, ...ids: string[]) => ({
  ending,
  members: ids.map((endpoint_id) => ({ endpoint_id })),
});

describe("worseBy", () => {
  it.each([
    ["late", "failing"],
    ["stale", "failing"],
    ["late", "stale"],
    ["fresh", "late"],
    ["due", "failing"],
  ] as const)("%s to %s is worse, and the reverse better", (from, to) => {
    expect(worseBy({ from, to })).toBeGreaterThan(0);
    expect(worseBy({ from: to, to: from })).toBeLessThan(0);
  });

  it("returns 0 if the verdicts can't be compared", () => {
    for (const other of VERDICTS)
      for (const silent of ["unknown", "webhook", "paused"] as const) {
        expect(worseBy({ from: other, to: silent })).toBe(0);
        expect(worseBy({ from: silent, to: other })).toBe(0);
      }
    expect(worseBy({ from: "due", to: "fresh" })).toBe(0);
  });
});

describe("isOtherChange", () => {
  it("is true for every change that is neither worse nor better, except between fresh and due", () => {
    for (const from of VERDICTS) {
      expect(isOtherChange({ from, to: null })).toBe(true);
      for (const to of VERDICTS) {
        const isReported = worseBy({ from, to }) !== 0 || isOtherChange({ from, to });
        const isSame = from === to || [from, to].every((word) => ["fresh", "due"].includes(word));
        expect(isReported, `${from} to ${to}`).toBe(!isSame);
      }
    }
  });
});

describe("countChanges", () => {
  it("counts only recoveries as recovered, and no endpoint twice", () => {
    const counts = countChanges({
      began: [incident(null, "a"), incident("recovered", "b")],
      ended: [incident("recovered", "b"), incident("mixed", "c"), incident("paused", "d")],
      worse: [change("fresh", "failing", "a"), change("late", "stale", "x")],
      better: [change("failing", "fresh", "b"), change("stale", "late", "y")],
      otherwise: [
        change("fresh", "unknown", "b"),
        { endpoint_id: "z", from: "fresh", to: null },
        change("fresh", "paused", "w"),
      ],
    });
    expect(counts).toEqual({
      began: 2,
      recovered: 1,
      ended_otherwise: 2,
      worse: 1,
      better: 1,
      became_unknown: 1,
      removed: 1,
      changed_otherwise: 1,
    });
  });
});
