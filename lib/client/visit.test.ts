import { describe, expect, it } from "vitest";
import { createVisit, MIN_VISIT_MS } from "./visit";

function create() {
  const timers = new Set<() => void>();
  const looks: string[] = [];
  const visit = createVisit({
    later: (run, ms) => {
      expect(ms).toBe(MIN_VISIT_MS);
      timers.add(run);
      return () => timers.delete(run);
    },
    onViewed: () => looks.push("looked"),
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
  it("is recorded after ten seconds, and again at its end", () => {
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

  it("is not recorded if it was too short, and the next one starts from zero", () => {
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

  it("counts as a new one after a break", () => {
    const { visit, looks, pass } = create();
    visit.begin();
    pass();
    visit.end();
    visit.begin();
    visit.end();
    expect(looks).toHaveLength(2);
  });
});
