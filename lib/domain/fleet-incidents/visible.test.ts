import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  fleetAt,
  troubleSteps,
  visibleFleet,
  type FleetTruth,
  type MemberIncident,
} from "./visible";

/** An incident that joined when the fleet incident opened, at 100, unless given. */
const member = (company: string, given: Partial<MemberIncident> = {}): MemberIncident => ({
  company,
  id: 1,
  partner: "Procore",
  beganMs: 50,
  openedMs: 90,
  endedMs: null,
  ending: null,
  joinedMs: 100,
  leftMs: null,
  ...given,
});
const left = (at: number, ending: MemberIncident["ending"] = "recovered") => ({
  endedMs: at - 5,
  ending,
  leftMs: at,
});
const OPEN: FleetTruth = { openedMs: 100, closedMs: null };
const see = (members: readonly MemberIncident[], truth = OPEN) =>
  visibleFleet(truth, members, false);

describe("what a person sees of a fleet incident", () => {
  test("is nothing with fewer than two visible companies", () => {
    expect(see([])).toBeNull();
    expect(see([member("a"), member("a", { id: 2 })])).toBeNull();
    expect(see([member("a"), member("b")])).not.toBeNull();
  });

  test("opened with the last of the visible companies that opened it", () => {
    const two = [member("a", { openedMs: 80, beganMs: 20 }), member("b", { openedMs: 85 })];
    expect(see(two)).toMatchObject({ beganMs: 20, openedMs: 85, endedMs: null, ending: null });
    expect(visibleFleet(OPEN, two, true)?.openedMs).toBe(100);
  });

  test("opened with the second one, if fewer than two of those that opened it are visible", () => {
    const later = [member("b", { joinedMs: 130 }), member("c", { joinedMs: 150 })];
    expect(see([member("a"), ...later])?.openedMs).toBe(130);
    expect(see(later)?.openedMs).toBe(150);
  });

  test("is over once all visible companies have left, with the last of their endings", () => {
    const both = [member("a", left(200)), member("b", left(300))];
    expect(see(both)).toMatchObject({
      endedMs: 295,
      ending: "recovered",
      ended: { recovered: 2 },
      companies: [
        { company: "a", state: "ended", endedMs: 195, ending: "recovered" },
        { company: "b", state: "ended", endedMs: 295, ending: "recovered" },
      ],
    });
    expect(see([...both, member("a", { id: 2, joinedMs: 310 })])).toMatchObject({
      endedMs: null,
      ending: null,
      ended: { recovered: 1 },
      companies: [
        { company: "a", incidentId: 2, state: "open" },
        { company: "b", state: "ended" },
      ],
    });
  });

  test("recovered only if all of them did, by the last incident of each", () => {
    const paused = member("a", left(200, "paused"));
    expect(see([paused, member("b", left(300, "paused"))])?.ending).toBe("paused");
    expect(see([paused, member("b", left(300))])).toMatchObject({
      ending: "mixed",
      ended: { paused: 1, recovered: 1 },
    });
    const again = member("a", { id: 2, joinedMs: 210, ...left(300) });
    expect(see([paused, again, member("b", left(300))])).toMatchObject({
      ending: "recovered",
      ended: { recovered: 2 },
    });
  });

  test("says which went on alone, and how those ended later", () => {
    const truth = { ...OPEN, closedMs: 400 };
    const rest = member("b", { endedMs: 700, ending: "recovered" });
    expect(see([member("a", left(200)), rest], truth)).toMatchObject({
      endedMs: 195,
      ending: "mixed",
      ended: { recovered: 1, alone: 1 },
      companies: [{ state: "ended" }, { state: "alone", endedMs: 700, ending: "recovered" }],
    });
    const alone = [member("a", { openedMs: 80 }), member("b", { openedMs: 85 })];
    expect(see(alone, truth)).toMatchObject({ endedMs: 85, ending: "mixed", ended: { alone: 2 } });
  });

  test("has the partner's name as most of the visible companies write it", () => {
    const [composed, other] = ["Caf\u00e9", "Cafe\u0301"];
    const written = (company: string, partner: string) => member(company, { partner });
    const all = [written("a", composed), written("b", other), written("c", other)];
    expect(see(all)?.partner).toBe(other);
    expect(see(all.slice(0, 2))?.partner).toBe(other < composed ? other : composed);
  });

  test("a company is in it while one of its incidents is, however its partner's name is composed", () => {
    const two = [member("a"), member("a", { id: 2, joinedMs: 150, ...left(200) })];
    expect(see([...two, member("b")])?.companies[0]).toMatchObject({
      incidentId: 1,
      state: "open",
    });
  });

  test("doesn't depend on the times of hidden companies", () => {
    const instant = fc.integer({ min: 0, max: 1_000 });
    const members = fc.array(
      fc.record({
        company: fc.constantFrom("a", "b", "c"),
        isFounder: fc.boolean(),
        beganMs: instant,
        openedMs: instant,
        joinedMs: fc.integer({ min: 2_000, max: 3_000 }),
        leftMs: fc.option(fc.integer({ min: 4_000, max: 5_000 })),
      }),
      { maxLength: 8 },
    );
    // A hidden company decides when it opens and ends.
    const times = fc.tuple(
      fc.integer({ min: 1_000, max: 1_999 }),
      fc.integer({ min: 6_000, max: 9_000 }),
    );
    fc.assert(
      fc.property(members, times, times, fc.boolean(), (given, one, other, isClosed) => {
        const [first, second] = [one, other].map(([opened, closed]) =>
          see(
            given.map(({ isFounder, ...own }, index) =>
              member(own.company, {
                ...own,
                id: index + 1,
                joinedMs: isFounder ? opened : own.joinedMs,
                ...(own.leftMs !== null && left(own.leftMs)),
              }),
            ),
            { openedMs: opened, closedMs: isClosed ? closed : null },
          ),
        );
        expect(first).toEqual(second);
      }),
      { numRuns: 500 },
    );
  });
});

test("an earlier moment has what was known then", () => {
  const truth = { ...OPEN, closedMs: 400 };
  const members = [
    member("a", left(200)),
    member("b", { endedMs: 700, ending: "recovered" }),
    member("c", { joinedMs: 150, ...left(300) }),
  ];
  const at = (atMs: number) => {
    const then = fleetAt(truth, members, atMs);
    return then === null ? null : visibleFleet(then.truth, then.members, false);
  };
  expect(at(99)).toBeNull();
  expect(at(100)?.companies.map(({ company, state }) => [company, state])).toEqual([
    ["a", "open"],
    ["b", "open"],
  ]);
  expect(at(250)).toMatchObject({ endedMs: null, ended: { recovered: 1 } });
  expect(at(500)).toMatchObject({ endedMs: 295, ended: { recovered: 2, alone: 1 } });
  expect(at(500)?.companies[1]).toMatchObject({ state: "alone", endedMs: null });
  expect(at(900)?.companies[1]).toMatchObject({ state: "alone", endedMs: 700 });
});

describe("how many companies were in trouble over time", () => {
  test("follows when the trouble of each began and ended", () => {
    expect(
      troubleSteps([
        member("a", { beganMs: 50, ...left(205) }),
        member("b", { beganMs: 60 }),
        member("a", { id: 2, beganMs: 300 }),
      ]),
    ).toEqual([
      { atMs: 50, companies: 1 },
      { atMs: 60, companies: 2 },
      { atMs: 200, companies: 1 },
      { atMs: 300, companies: 2 },
    ]);
  });

  test("counts a company with two incidents at once as one", () => {
    const both = [
      member("a", { beganMs: 50, ...left(105) }),
      member("a", { id: 2, beganMs: 60, ...left(205) }),
    ];
    expect(troubleSteps(both).at(-1)).toEqual({ atMs: 200, companies: 0 });
    expect(Math.max(...troubleSteps(both).map(({ companies }) => companies))).toBe(1);
  });

  test("ends with those that are still in trouble", () => {
    const members = fc.array(
      fc.record({
        company: fc.constantFrom("a", "b", "c"),
        beganMs: fc.integer({ min: 0, max: 100 }),
        endedMs: fc.option(fc.integer({ min: 0, max: 200 })),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(members, (given) => {
        const all = given.map(({ company, ...own }, id) => member(company, { id, ...own }));
        const open = new Set(all.flatMap((one) => (one.endedMs === null ? one.company : [])));
        const steps = troubleSteps(all);
        expect(steps.at(-1)?.companies).toBe(open.size);
        expect(steps.every(({ atMs }, at) => at === 0 || atMs > (steps[at - 1]?.atMs ?? 0))).toBe(
          true,
        );
      }),
    );
  });
});
