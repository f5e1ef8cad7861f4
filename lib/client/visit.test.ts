import { describe, expect, it } from "vitest";
import { createVisit, LOOK_MS } from "./visit";

function create() {
  const timers = new Set<() => void>();
  const looks: string[] = [];
  const visit = createVisit({
    later: (run, ms) => {
      expect(ms).toBe(LOOK_MS);
      timers.add(run);
      return () => timers.delete(run);
    },
    onLooked: () => looks.push("looked"),
  });
  const pass = () => {
    for (const run of timers) {
      timers.delete(run);
      run();
    }
  };
  return { visit, looks, timers, pass };
}

describe("a visit", () => {
  it("counts after ten seconds, and once more at its end", () => {
    const { visit, looks, pass } = create();
    visit.begin();
    visit.begin();
    expect(looks).toHaveLength(0);
    pass();
    expect(looks).toHaveLength(1);
    visit.end();
    expect(looks).toHaveLength(2);
    visit.end();
    expect(looks).toHaveLength(2);
  });

  it("that was too short doesn't count, and the next one begins from nought", () => {
    const { visit, looks, timers, pass } = create();
    visit.begin();
    visit.end();
    expect(timers.size).toBe(0);
    visit.begin();
    expect(timers.size).toBe(1);
    visit.end();
    pass();
    expect(looks).toHaveLength(0);
  });

  it("after a break is another one", () => {
    const { visit, looks, pass } = create();
    visit.begin();
    pass();
    visit.end();
    visit.begin();
    visit.end();
    expect(looks).toHaveLength(2);
  });
});
