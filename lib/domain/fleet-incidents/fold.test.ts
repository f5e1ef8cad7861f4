import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Period } from "@/lib/domain/history";
import { MINUTE_MS } from "@/lib/domain/time/units";
import {
  mayOpen,
  type CompanyIncident,
  type EndedFleetIncident,
  type OpenFleetIncident,
  type PartnerRecord,
} from "./fleet-incident";
import { foldFleet } from "./fold";

const START_MS = Date.parse("2026-11-19T12:00:00Z");
const at = (minute: number) => START_MS + minute * MINUTE_MS;
const minuteOf = (ms: number) => (ms - START_MS) / MINUTE_MS;

type History = Pick<PartnerRecord, "incidents" | "blind" | "has">;

const NEVER: ReadonlyMap<string, readonly Period[]> = new Map();

/** Folds a history in periods that end at the given minutes; the state goes through JSON, as after a restart. */
function folded({ incidents, blind, has }: History, cuts: readonly number[]) {
  let open = null as OpenFleetIncident | null;
  const ended: EndedFleetIncident[] = [];
  let lastId = 0;
  let fromMs = at(-1);
  const newId = () => String((lastId += 1));
  const ends = [...new Set(cuts)].toSorted((a, b) => a - b).map(at);
  for (const untilMs of ends) {
    const earlier = new Set(
      ended.flatMap(({ members }) => members.map(({ company, id }) => `${company} ${id}`)),
    );
    // Only what is recorded by then.
    const known = incidents.flatMap((one): CompanyIncident[] =>
      one.openedMs > untilMs || earlier.has(`${one.company} ${one.id}`)
        ? []
        : [
            {
              ...one,
              closedMs: one.closedMs !== null && one.closedMs > untilMs ? null : one.closedMs,
            },
          ],
    );
    const before = JSON.parse(JSON.stringify(open)) as OpenFleetIncident | null;
    const record = { fromMs, untilMs, incidents: known, blind };
    const having = mayOpen(before, known) ? has : NEVER;
    const after = foldFleet(before, { ...record, has: having }, newId);
    open = after.open;
    ended.push(...after.ended);
    fromMs = untilMs;
  }
  return { open, ended };
}

const byName = ([a]: readonly unknown[], [b]: readonly unknown[]) =>
  String(a) < String(b) ? -1 : 1;

/** A fold's outcome in minutes, independent of ids. */
function told({ open, ended }: ReturnType<typeof folded>) {
  return [...ended, ...(open === null ? [] : [{ ...open, closedMs: null }])].map((one) => ({
    opened: minuteOf(one.openedMs),
    closed: one.closedMs === null ? null : minuteOf(one.closedMs),
    members: one.members
      .map(({ company, id, joinedMs, leftMs }) => [
        `${company}${id}`,
        minuteOf(joinedMs),
        leftMs === null ? null : minuteOf(leftMs),
      ])
      .toSorted(byName),
  }));
}

const period = (from: number, until: number): Period => ({
  fromMs: at(from),
  untilMs: at(until),
});
const always = (...companies: readonly string[]): Map<string, readonly Period[]> =>
  new Map(companies.map((company) => [company, [period(-1000, 10_000)]]));
/** `b1`: company and number; its trouble began a minute before it opened, unless given. */
function incident(
  name: string,
  opened: number,
  closed: number | null = null,
  began = opened - 1,
): CompanyIncident {
  return {
    company: name.slice(0, 1),
    id: Number(name.slice(1)),
    beganMs: at(began),
    openedMs: at(opened),
    closedMs: closed === null ? null : at(closed),
  };
}
const history = (incidents: readonly CompanyIncident[], given: Partial<History> = {}): History => ({
  incidents,
  blind: NEVER,
  has: NEVER,
  ...given,
});
const only = (given: History, until = 1000) => told(folded(given, [until]));
const opened = (given: History, until?: number) => only(given, until).map((one) => one.opened);

describe("opening", () => {
  test("needs three companies", () => {
    expect(opened(history([incident("a1", 0), incident("b1", 5)]))).toEqual([]);
    expect(opened(history([incident("a1", 0), incident("b1", 5), incident("c1", 9)]))).toEqual([9]);
    expect(opened(history([incident("a1", 0), incident("a2", 5), incident("c1", 9)]))).toEqual([]);
  });

  test("needs trouble that began within 30 minutes", () => {
    const last = (began: number) =>
      history([incident("a1", 1, null, 0), incident("b1", 5), incident("c1", 40, null, began)]);
    expect(opened(last(30))).toEqual([40]);
    expect(opened(last(31))).toEqual([]);
  });

  test("takes the window with most companies, and of equal ones the earlier", () => {
    const early = [incident("a1", 1), incident("b1", 2)];
    const late = [incident("c1", 60), incident("d1", 61)];
    const middle = incident("e1", 62, null, 30);
    expect(only(history([...early, ...late, middle]))).toMatchObject([
      { opened: 62, members: [["a1"], ["b1"], ["e1"]].map(([name]) => [name, 62, null]) },
    ]);
    const more = incident("f1", 62, null, 59);
    const [found] = only(history([...early, ...late, more, { ...middle, beganMs: at(45) }]));
    expect(found?.members.map(([name]) => name)).toEqual(["c1", "d1", "e1", "f1"]);
  });

  test("needs a fifth of the companies that have the partner and that we see", () => {
    const three = [incident("a1", 1), incident("b1", 2), incident("c1", 3)];
    const has = (others: string) => always(..."abc".split(""), ...others.split(""));
    expect(opened(history(three, { has: has("defghijklmno") }))).toEqual([3]);
    expect(opened(history(three, { has: has("defghijklmnop") }))).toEqual([]);
    const blind = new Map([["p", [period(-9, 400)]]]);
    expect(opened(history(three, { has: has("defghijklmnop"), blind }))).toEqual([3]);
    const paused = new Map([...has("defghijklmno"), ["p", [period(-9, 7)]]]);
    expect(opened(history(three, { has: paused }))).toEqual([7]);
  });

  test("doesn't count a company that we are blind to, which joins when it is seen again", () => {
    const four = ["a1", "b1", "c1", "d1"].map((name, minute) => incident(name, minute));
    const blind = new Map([["b", [period(1.5, 90)]]]);
    expect(only(history(four, { blind }))).toEqual([
      {
        opened: 3,
        closed: null,
        members: [
          ["a1", 3, null],
          ["b1", 90, null],
          ["c1", 3, null],
          ["d1", 3, null],
        ],
      },
    ]);
    expect(opened(history(four.slice(0, 3), { blind }))).toEqual([90]);
  });

  test("leaves incidents alone that were open before and began outside, also where we were blind", () => {
    const three = [incident("c1", 60), incident("d1", 61), incident("e1", 62)];
    const before = [incident("a1", 1), incident("b1", 2)];
    const blind = new Map([["b", [period(50, 90)]]]);
    const [found] = only(history([...before, ...three], { blind }));
    expect(found?.members.map(([name]) => name)).toEqual(["c1", "d1", "e1"]);
  });
});

const THREE = [incident("a1", 1), incident("b1", 2), incident("c1", 3)];

describe("joining and leaving", () => {
  test("a later one joins, whenever its trouble began, and trouble that returns joins again", () => {
    const later = incident("d1", 200, 210, -500);
    expect(only(history([...THREE, later, incident("d2", 300)]))).toMatchObject([
      {
        members: [
          ...["a1", "b1", "c1"].map((name) => [name, 3, null]),
          ["d1", 200, 210],
          ["d2", 300, null],
        ],
      },
    ]);
  });

  test("each leaves with its own ending, and the last one ends it", () => {
    const own = [incident("a1", 1, 50), incident("b1", 2, 60), incident("c1", 3, 70)];
    expect(only(history(own))).toMatchObject([
      {
        closed: 70,
        members: [
          ["a1", 3, 50],
          ["b1", 3, 60],
          ["c1", 3, 70],
        ],
      },
    ]);
  });

  test("a share that shrinks doesn't end it", () => {
    const has = new Map([
      ...always(..."abc".split("")),
      ..."defghijklmnopqrstuvw".split("").map((one) => [one, [period(20, 9000)]] as const),
    ]);
    expect(only(history(THREE, { has }))).toMatchObject([{ opened: 3, closed: null }]);
  });
});

describe("going on alone", () => {
  const left = (last: number | null) => [
    incident("a1", 1, 50),
    incident("b1", 2, 60),
    incident("c1", 3, last),
  ];

  test("the last one or two go on alone after an hour without joining or leaving", () => {
    expect(only(history(left(null)), 119)).toMatchObject([{ closed: null }]);
    expect(only(history(left(null)))).toMatchObject([{ closed: 120 }]);
    expect(only(history([...left(null), incident("d1", 80)]))).toMatchObject([{ closed: 140 }]);
    expect(only(history([...left(null), incident("d1", 80), incident("e1", 90)]))).toMatchObject([
      { closed: null },
    ]);
    expect(only(history(left(119)))).toMatchObject([{ closed: 119 }]);
  });

  test("time in which we didn't see them doesn't count, and it can't end while one is blind", () => {
    const seen = (...periods: readonly Period[]) =>
      only(history(left(null), { blind: new Map([["c", periods]]) })).map(({ closed }) => closed);
    expect(seen(period(70, 75))).toEqual([125]);
    expect(seen(period(100, 2000))).toEqual([null]);
    expect(seen(period(120, 300))).toEqual([300]);
  });

  test("time by which our clock was set forward doesn't count", () => {
    const record = { ...history(left(null)), fromMs: at(-1), untilMs: at(70) };
    const fold = (open: OpenFleetIncident | null, fromMs: number, minute: number, shift: number) =>
      foldFleet(
        open,
        {
          ...record,
          fromMs,
          untilMs: at(minute),
          shifts: new Map(["a", "b", "c"].map((one) => [one, shift * MINUTE_MS])),
        },
        () => "1",
      );
    const { open } = fold(null, at(-1), 70, 0);
    expect(open).toMatchObject({ changedMs: at(60) });
    // The clock of each API falls behind ours by an hour at once.
    expect(fold(open, at(70), 179, -60)).toMatchObject({ open: { id: "1" }, ended: [] });
    expect(fold(open, at(70), 180, -60).ended).toMatchObject([{ closedMs: at(180) }]);
    // Set back, it changes nothing.
    expect(fold(open, at(70), 120, 60).ended).toMatchObject([{ closedMs: at(120) }]);
  });

  test("those don't count again until they end", () => {
    const later = [incident("d1", 200), incident("e1", 201)];
    expect(opened(history([...left(null), ...later]))).toEqual([3]);
    const again = incident("c2", 202);
    expect(opened(history([...left(190), ...later, again]))).toEqual([3, 202]);
  });
});

test("an observation that was recorded late counts from then on, with its own time", () => {
  const [a, b, c] = [incident("a1", 1), incident("b1", 2), incident("c1", 3)];
  const record = { fromMs: at(-1), untilMs: at(10), ...history([a, c]) };
  const newId = () => "1";
  expect(foldFleet(null, record, newId)).toEqual({ open: null, ended: [] });
  const next = { ...record, fromMs: at(10), untilMs: at(12) };
  const { open } = foldFleet(null, { ...next, ...history([a, b, c]) }, newId);
  expect(told({ open, ended: [] })).toEqual(told(folded(history([a, b, c]), [12])));
  const late = [a, { ...b, closedMs: at(9) }, c];
  const after = foldFleet(
    open,
    { ...next, fromMs: at(12), untilMs: at(13), ...history(late) },
    newId,
  );
  expect(after.open?.members.map(({ leftMs }) => leftMs)).toEqual([null, at(9), null]);
});

test("one that is recorded late, and ends a time in which we saw nothing, opens with its own time", () => {
  const three = history([incident("a1", 1), incident("b1", 2), incident("c1", 8)]);
  const blind = (untilMs: number) => new Map([["a", [{ fromMs: at(5), untilMs }]]]);
  const before = { ...three, fromMs: at(-1), untilMs: at(12), blind: blind(Infinity) };
  expect(foldFleet(null, before, () => "1")).toEqual({ open: null, ended: [] });
  // It was made at 10, and is on record only now.
  const next = { ...three, fromMs: at(12), untilMs: at(14), blind: blind(at(10)) };
  const { open } = foldFleet(null, next, () => "1");
  expect(told({ open, ended: [] })).toEqual(told(folded({ ...three, blind: blind(at(10)) }, [14])));
  expect(open?.openedMs).toBe(at(10));
});

test("of several that are recorded late at once, it opens with the first that makes it one", () => {
  const [a, b, c, d] = [incident("a1", 1), incident("b1", 2), incident("c1", 5), incident("d1", 7)];
  const all = history([a, b, c, d]);
  const first = { ...all, fromMs: at(-1), untilMs: at(8), incidents: [a, b] };
  expect(foldFleet(null, first, () => "1").open).toBeNull();
  const { open } = foldFleet(null, { ...all, fromMs: at(8), untilMs: at(9) }, () => "1");
  expect(told({ open, ended: [] })).toEqual(told(folded(all, [9])));
});

/** Minutes of the random histories. */
const LAST = 240;
const COMPANIES = "abcdefg".split("");

/** Alternating lengths of being seen and blind, and of having the partner and not, in minutes. */
const lengths = (most: number) => fc.array(fc.integer({ min: 1, max: most }), { maxLength: 6 });
const periodsOf = (parts: readonly number[]): [number, number][] => {
  const found: [number, number][] = [];
  let minute = 0;
  for (const [index, length] of parts.entries()) {
    if (index % 2 === 1) found.push([minute, minute + length]);
    minute += length;
  }
  return found;
};
const isIn = (periods: readonly [number, number][], minute: number) =>
  periods.some(([from, until]) => from <= minute && minute < until);

type Plain = {
  company: string;
  blind: [number, number][];
  has: [number, number][];
  incidents: { id: number; began: number; opened: number; closed: number | null }[];
};

/** A company's history. Incidents open and end while it is seen, one after the other. */
const company = (name: string) =>
  fc
    .record({
      blind: fc.oneof(fc.constant([]), lengths(90)),
      has: lengths(150),
      troubles: fc.array(
        fc.record({
          wait: fc.oneof(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: 120 })),
          age: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
          length: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(LAST)),
        }),
        { maxLength: 4 },
      ),
    })
    .map(({ blind, has, troubles }): Plain => {
      const unseen = periodsOf(blind);
      const seenFrom = (minute: number) => {
        let seen = minute;
        while (isIn(unseen, seen)) seen += 1;
        return seen;
      };
      let last = 0;
      const incidents = troubles.map(({ wait, age, length }, index) => {
        const from = seenFrom(last + wait);
        const closed = seenFrom(from + length);
        last = closed;
        return {
          id: index + 1,
          began: from - age,
          opened: from,
          closed: closed > LAST ? null : closed,
        };
      });
      return {
        company: name,
        blind: unseen,
        has: [[-10, 5], ...periodsOf([3, ...has])],
        incidents,
      };
    });
const histories = fc.tuple(...COMPANIES.map(company));

function historyOf(companies: readonly Plain[]): History {
  const periods = (of: "blind" | "has") =>
    new Map(
      companies.map((one) => [one.company, one[of].map(([from, until]) => period(from, until))]),
    );
  return {
    blind: periods("blind"),
    has: periods("has"),
    incidents: companies.flatMap((one) =>
      one.incidents
        .filter(({ opened: minute }) => minute <= LAST)
        .map(({ id, began, opened: minute, closed }) =>
          incident(`${one.company}${id}`, minute, closed, began),
        ),
    ),
  };
}

type Told = ReturnType<typeof told>[number];

/**
 * The same rule, minute by minute over the whole history, with no state but the fleet incidents themselves: each
 * minute asks the history.
 */
function bruteForce(companies: readonly Plain[]): Told[] {
  type Fleet = {
    opened: number;
    closed: number | null;
    from: number;
    members: Map<string, [number, number | null]>;
  };
  const fleets: Fleet[] = [];
  const all = companies.flatMap((one) =>
    one.incidents.map((own) => ({ ...own, of: one, name: `${one.company}${own.id}` })),
  );
  const isEver = (name: string) => fleets.some(({ members }) => members.has(name));
  const isSeen = (one: Plain, minute: number, turn = "z") =>
    // Seen again with the company's own observation.
    !isIn(one.blind, minute) &&
    (one.company <= turn || one.blind.every(([, until]) => until !== minute));
  const isPast = (of: Plain, when: number, minute: number, turn: string) =>
    when < minute || (when === minute && of.company <= turn);
  const openAt = (minute: number, turn: string) =>
    all.filter(
      ({ of, opened: from, closed }) =>
        isPast(of, from, minute, turn) && (closed === null || !isPast(of, closed, minute, turn)),
    );
  const tryToOpen = (minute: number, turn: string) => {
    const free = openAt(minute, turn).filter(
      ({ name, of }) => !isEver(name) && isSeen(of, minute, turn),
    );
    if (free.length < 3) return;
    const windows = free
      .map(({ began }) => ({
        from: began,
        own: free.filter((one) => one.began >= began && one.began - began <= 30),
      }))
      .map((window) => ({ ...window, size: new Set(window.own.map(({ of }) => of)).size }));
    const [best] = windows.toSorted((a, b) => b.size - a.size || a.from - b.from);
    if (best === undefined || best.size < 3) return;
    const has = companies.filter(
      (one) =>
        isSeen(one, minute, turn) &&
        (isIn(one.has, minute) || best.own.some(({ of }) => of === one)),
    );
    if (best.size / has.length < 0.2) return;
    const members = new Map(best.own.map(({ name }) => [name, [minute, null] as [number, null]]));
    fleets.push({ opened: minute, closed: null, from: best.from, members });
  };

  for (let minute = 0; minute <= LAST; minute += 1) {
    for (const one of companies) {
      const fleet = fleets.find(({ closed }) => closed === null);
      if (fleet !== undefined) {
        for (const { name, of, closed } of all)
          if (of === one && closed === minute && fleet.members.has(name))
            fleet.members.set(name, [fleet.members.get(name)?.[0] ?? -1, minute]);
        for (const { name, of, opened: from, began } of openAt(minute, one.company))
          if (of === one && isSeen(one, minute) && !isEver(name)) {
            const isLater = from === minute;
            const isInside = began >= fleet.from && began <= fleet.from + 30;
            if (isLater || isInside) fleet.members.set(name, [minute, null]);
          }
        if ([...fleet.members.values()].every(([, until]) => until !== null)) fleet.closed = minute;
      }
      if (fleets.every(({ closed }) => closed !== null)) tryToOpen(minute, one.company);
    }
    const fleet = fleets.find(({ closed }) => closed === null);
    if (fleet === undefined) continue;
    const names = [...fleet.members].flatMap(([name, [, until]]) => (until === null ? [name] : []));
    const rest = companies.filter((one) => names.some((name) => name.startsWith(one.company)));
    const turns = [...fleet.members.values()].flatMap(([from, until]) => [from, until ?? from]);
    if (rest.length > 2) continue;
    let calm = 0;
    for (let past = Math.max(...turns); past < minute; past += 1)
      if (rest.every((other) => isSeen(other, past))) calm += 1;
    if (calm >= 60 && rest.every((other) => isSeen(other, minute))) {
      fleet.closed = minute;
      tryToOpen(minute, "z");
    }
  }
  return fleets.map(({ opened: from, closed, members }) => ({
    opened: from,
    closed,
    members: [...members].map(([name, [joined, until]]) => [name, joined, until]).toSorted(byName),
  }));
}

describe("of random histories of seven companies", () => {
  test("the fold agrees with the rule applied minute by minute", () => {
    const seen = { none: 0, some: 0, ended: 0, alone: 0, late: 0 };
    fc.assert(
      fc.property(histories, (companies) => {
        const found = only(historyOf(companies), LAST);
        expect(found).toEqual(bruteForce(companies));
        seen[found.length === 0 ? "none" : "some"] += 1;
        if (found.some(({ closed }) => closed !== null)) seen.ended += 1;
        if (
          found.some(
            ({ closed, members }) => closed !== null && members.some(([, , left]) => left === null),
          )
        )
          seen.alone += 1;
        if (found.some((one) => one.members.some(([, joined]) => joined !== one.opened)))
          seen.late += 1;
      }),
      { numRuns: 1_000 },
    );
    // The histories reach every part of the rule.
    for (const times of Object.values(seen)) expect(times).toBeGreaterThan(10);
  });

  test("it doesn't depend on how the record is cut, on restarts, or on the order of the input", () => {
    const cuts = fc.array(fc.integer({ min: 0, max: LAST }), { maxLength: 30 });
    fc.assert(
      fc.property(histories, cuts, (companies, ends) => {
        const given = historyOf(companies);
        const whole = told(folded(given, [LAST]));
        expect(told(folded(given, [...ends, LAST]))).toEqual(whole);
        const backwards = {
          incidents: given.incidents.toReversed(),
          blind: new Map([...given.blind].toReversed()),
          has: new Map([...given.has].toReversed()),
        };
        expect(told(folded(backwards, [...ends, LAST]))).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  test("an incident is in one fleet incident at most, none ends while a company in it is blind, and one is open", () => {
    fc.assert(
      fc.property(histories, (companies) => {
        const found = only(historyOf(companies), LAST);
        const names = found.flatMap(({ members }) => members.map(([name]) => name));
        expect(new Set(names).size).toBe(names.length);
        for (const { closed, members } of found) {
          if (closed === null) continue;
          const rest = members.filter(([, , left]) => left === null);
          expect(rest.length).toBeLessThanOrEqual(2);
          for (const [name] of rest) {
            const of = companies.find((one) => String(name).startsWith(one.company));
            expect(isIn(of?.blind ?? [], closed)).toBe(false);
          }
        }
        const inOrder = found.toSorted((a, b) => a.opened - b.opened);
        for (const [index, one] of inOrder.entries()) {
          const next = inOrder[index + 1];
          if (next !== undefined) expect(one.closed ?? Infinity).toBeLessThanOrEqual(next.opened);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("whether one may open is never denied where one does", () => {
    fc.assert(
      fc.property(histories, (companies) => {
        const given = historyOf(companies);
        const isDenied = !mayOpen(null, given.incidents);
        expect(isDenied && only(given, LAST).length > 0).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
