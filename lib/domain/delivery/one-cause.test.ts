import fc from "fast-check";
import { expect, test } from "vitest";
import { foldFleet } from "@/lib/domain/fleet-incidents/fold";
import type { CompanyIncident } from "@/lib/domain/fleet-incidents/fleet-incident";
import { TROUBLES, type Trouble } from "@/lib/domain/incidents/incident";
import { MINUTE_MS, SECOND_MS } from "@/lib/domain/time/units";
import { groupOf, threadOf, type WrittenMessage } from "./cause";
import type { CompanyFacts, IncidentPart } from "./incident-parts";
import { timelineOf, type IncidentTimeline } from "./incident-timeline";
import { planCompany } from "./plan";
import { causeOfFleet, planFleet, type RecordedFleet } from "./plan-fleet";
import type { Carried, Changes, Group, Written } from "./plan-group";
import { planLimited } from "./plan-limited";
import { afterQuiet } from "./quiet-hours";
import { EVERYTHING, quietDaily } from "./rule-fixture";
import type { PlannedRule, Rule } from "./rule";

const WAIT_MS = 30 * SECOND_MS;
const END_MS = 400 * MINUTE_MS;
const COMPANIES = ["a", "b", "c", "d", "e"];
const NO_CARE = { ownerId: null, ownerSinceMs: null, standIns: [] };

/** An incident as it will have been in the end; instants are epoch milliseconds. */
type Story = CompanyIncident & {
  partner: string;
  closedMs: number;
  isLimited: boolean;
  /** Null: it stays as it was when it was opened. */
  worseMs: number | null;
  /** When its company was disconnected, and connected again at once; null: it wasn't. */
  disconnectedMs: number | null;
};

/** When a company has no connection, or can't be read. */
type Away = { company: string; fromMs: number; untilMs: number };

/** A destination: the companies that it may be told of, its rule, and when some have no connection, or can't be read. */
type To = {
  visible: readonly string[];
  rules: readonly PlannedRule[];
  changes: Changes;
  away: readonly Away[];
  unread: readonly Away[];
};
type Sent = { what: "opening" | "ending"; of: string; dueMs: number; within: string | null };
/** A change of a group: incidents that it opens, or that were opened before. */
type Change = { dueMs: number; of: string[] };

/** What is recorded of an incident by an instant. */
function timelineBy(story: Story, nowMs: number): IncidentTimeline {
  const event = (atMs: number, kind: string, to?: Trouble) => ({
    seq: 0,
    atMs,
    kind,
    endpointId: "1",
    byId: null,
    text: null,
    detail: to === undefined ? {} : { to },
  });
  const events = [
    event(story.openedMs, "opened", "late"),
    ...(story.worseMs === null ? [] : [event(story.worseMs, "worsened", "failing")]),
    event(story.closedMs, "ended"),
  ].filter(({ atMs }) => atMs <= nowMs);
  const { id, partner, openedMs } = story;
  return timelineOf({ id, partner, openedMs, ownerId: null }, events, 0);
}

/** The fleet incidents of a partner, by the fold. */
function fleetsOf(
  partner: string,
  stories: readonly Story[],
  away: readonly Away[],
): RecordedFleet[] {
  const leavesMs = ({ company, openedMs }: Story) =>
    away.flatMap((one) =>
      one.company === company && one.fromMs > openedMs ? one.fromMs : Infinity,
    );
  const has = new Map(
    COMPANIES.map((company) => [company, [{ fromMs: -Infinity, untilMs: Infinity }]]),
  );
  let count = 0;
  const { open, ended } = foldFleet(
    null,
    {
      fromMs: -1,
      untilMs: END_MS,
      incidents: stories
        .filter((one) => one.partner === partner)
        .map((one) => ({
          ...one,
          closedMs: Math.min(one.closedMs, one.disconnectedMs ?? Infinity, ...leavesMs(one)),
        })),
      blind: new Map(),
      has,
    },
    () => `${partner} ${(count += 1)}`,
  );
  return [...ended, ...(open === null ? [] : [{ ...open, closedMs: null }])];
}

/** A fleet incident as recorded by an instant; null: it isn't yet. */
function fleetBy(fleet: RecordedFleet, nowMs: number): RecordedFleet | null {
  if (fleet.openedMs > nowMs) return null;
  const by = (ms: number | null) => (ms !== null && ms <= nowMs ? ms : null);
  const members = fleet.members
    .filter(({ joinedMs }) => joinedMs <= nowMs)
    .map((member) => ({ ...member, leftMs: by(member.leftMs) }));
  return { ...fleet, closedMs: by(fleet.closedMs), members };
}

/** Sends to a destination what is due at each look. */
function send(
  to: To,
  stories: readonly Story[],
  looksMs: readonly number[],
): { sent: Sent[]; changes: Change[] } {
  const fleets = ["Procore", "Sage"].flatMap((partner) => fleetsOf(partner, stories, to.away));
  const sent: Sent[] = [];
  const told: Change[] = [];
  const written = new Map<string, Map<number, Written>>();
  const messageOf = (what: Sent["what"], of: string): WrittenMessage | null =>
    sent.find((one) => one.what === what && one.of === of) ?? null;
  for (const nowMs of looksMs) {
    const isAmong = (all: readonly Away[]) => (slug: string) =>
      all.some(
        ({ company, fromMs, untilMs }) => slug === company && fromMs <= nowMs && nowMs < untilMs,
      );
    const isAway = isAmong(to.away);
    const connected = to.visible.filter((slug) => !isAway(slug));
    const unread = new Set(connected.filter(isAmong(to.unread)));
    const read = connected.filter((slug) => !unread.has(slug));
    const facts = new Map(read.map((company) => [company, factsBy(company, nowMs)]));
    const given = { ...to, unread, waitMs: WAIT_MS, nowMs };
    const carried = new Map<string, Map<number, Carried>>();
    const carry = (company: string, by: ReadonlyMap<number, Carried>) =>
      carried.set(company, new Map([...(carried.get(company) ?? []), ...by]));
    const groups: { key: string; group: Group<IncidentPart> }[] = [];
    for (const fleet of fleets.flatMap((one) => fleetBy(one, nowMs) ?? [])) {
      const key = causeOfFleet(fleet);
      const planned = planFleet(fleet, facts, { ...given, written: written.get(key) ?? new Map() });
      for (const [company, by] of planned.carried) carry(company, by);
      groups.push(...planned.groups.map((group) => ({ key, group })));
    }
    for (const [company, own] of facts) {
      const limited = stories.filter((one) => one.isLimited && one.company === company);
      const known = limited.filter(({ openedMs }) => openedMs <= nowMs);
      const key = `${company}/limited`;
      const elsewhere = new Set(carried.get(company)?.keys());
      const planned = planLimited(own, new Map(known.map(({ id, beganMs }) => [id, beganMs])), {
        ...given,
        written: written.get(key) ?? new Map(),
        isElsewhere: (id) => elsewhere.has(id),
      });
      carry(company, planned.carried);
      groups.push(...planned.groups.map((group) => ({ key, group })));
    }
    const opened = new Map<string, number>();
    for (const { group } of groups)
      for (const { opens, dueMs } of group.messages)
        for (const { id } of opens) opened.set(id, dueMs);
    for (const [company, own] of facts)
      individually(company, own, carried.get(company), opened, nowMs);
    for (const { key, group } of groups) together(key, group);
  }
  return { sent, changes: told };

  function factsBy(company: string, nowMs: number): CompanyFacts {
    const own = stories.filter((one) => one.company === company && one.openedMs <= nowMs);
    return {
      company,
      care: NO_CARE,
      gaps: [],
      incidents: new Map(own.map((story) => [story.id, timelineBy(story, nowMs)])),
      shiftMs: 0,
      nowMs,
      longerWaits: new Map(),
      written: new Map(
        own.map(({ id }) => [
          id,
          {
            opening: messageOf("opening", `${company} ${id}`),
            ending: messageOf("ending", `${company} ${id}`),
          },
        ]),
      ),
    };
  }

  function individually(
    company: string,
    facts: CompanyFacts,
    carried: ReadonlyMap<number, Carried> = new Map(),
    opened: ReadonlyMap<string, number>,
    nowMs: number,
  ): void {
    const openings = [...facts.incidents.keys()].flatMap((id): [number, number][] => {
      const of = `${company} ${id}`;
      const dueMs = messageOf("opening", of)?.dueMs ?? opened.get(of);
      return dueMs === undefined ? [] : [[id, dueMs]];
    });
    const { due: planned } = planCompany({
      company,
      care: NO_CARE,
      timelines: [...facts.incidents.values()],
      rules: to.rules,
      follows: "worse",
      followsFromMs: -Infinity,
      blindnesses: [],
      gaps: [],
      untilMs: nowMs,
      nowMs,
      waitMs: WAIT_MS,
      longerWaits: new Map(),
      openings: new Map(openings),
      opening: new Set(
        [...facts.incidents.keys()].filter(
          (id) =>
            messageOf("opening", `${company} ${id}`) === null && opened.has(`${company} ${id}`),
        ),
      ),
      followed: new Map(),
      carried,
    });
    for (const one of planned) {
      if (one.tells !== "opened" && one.tells !== "ended") continue;
      const what = one.tells === "opened" ? "opening" : "ending";
      const of = `${company} ${one.timeline.incidentId}`;
      if (messageOf(what, of) === null) sent.push({ what, of, dueMs: one.dueMs, within: null });
    }
  }

  function together(key: string, { openedMs, messages, parts }: Group<IncidentPart>): void {
    const cause = key.replace(/^.*\//, "");
    for (const { tells, dueMs, opens, ends } of messages) {
      const within = `${threadOf(cause, openedMs)}:${tells}`;
      expect(groupOf(within)).toEqual({ cause, openedMs });
      const own = written.get(key) ?? new Map<number, Written>();
      written.set(key, own);
      own.set(openedMs, {
        lastMs: dueMs,
        isChangeTold: own.get(openedMs)?.isChangeTold === true || tells === "changed",
        isOver: tells === "ended",
      });
      for (const { id } of opens) sent.push({ what: "opening", of: id, dueMs, within });
      const known = parts.filter(({ id }) => messageOf("opening", id) !== null);
      if (tells === "changed") told.push({ dueMs, of: known.map(({ id }) => id) });
      for (const { id } of ends) sent.push({ what: "ending", of: id, dueMs, within });
    }
  }
}

const stories = fc
  .array(
    fc.record({
      company: fc.constantFrom(...COMPANIES),
      partner: fc.constantFrom("Procore", "Procore", "Sage"),
      opensAt: fc.integer({ min: 0, max: 80 }),
      lasts: fc.integer({ min: 1, max: 100 }),
      isLimited: fc.boolean(),
      worsens: fc.option(fc.integer({ min: 1, max: 60 })),
      disconnects: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 1 }),
    }),
    { maxLength: 12 },
  )
  .map((all) => {
    const found: Story[] = [];
    for (const { company, partner, opensAt, lasts, isLimited, ...given } of all.toSorted(
      (a, b) => a.opensAt - b.opensAt,
    )) {
      const openedMs = (opensAt * MINUTE_MS) / 2;
      const closedMs = openedMs + (lasts * MINUTE_MS) / 2;
      // A partner of a company has one incident at a time.
      const isFree = found.every(
        (one) => one.company !== company || one.partner !== partner || one.closedMs < openedMs,
      );
      if (!isFree) continue;
      const within = (half: number | null) => {
        const atMs = half === null ? null : openedMs + (half * MINUTE_MS) / 2;
        return atMs !== null && atMs < closedMs ? atMs : null;
      };
      found.push({
        company,
        partner,
        id: found.filter((one) => one.company === company).length + 1,
        beganMs: openedMs - 2 * MINUTE_MS,
        openedMs,
        closedMs,
        isLimited,
        worseMs: within(given.worsens),
        disconnectedMs: within(given.disconnects),
      });
    }
    return found;
  });

const destination = fc.record({
  visible: fc.subarray(COMPANIES, { minLength: 1 }),
  covered: fc.option(fc.subarray(COMPANIES, { minLength: 1 })),
  verdict: fc.constantFrom(...TROUBLES),
  afterMinutes: fc.constantFrom(0, 0, 2, 10),
  changes: fc.constantFrom<Changes[]>("one", "edits"),
  quiet: fc.constantFrom(
    null,
    quietDaily("00:05", "00:20"),
    quietDaily("00:17", "00:50"),
    quietDaily("00:40", "01:33"),
  ),
});
const absences = fc.array(
  fc
    .record({
      company: fc.constantFrom(...COMPANIES),
      from: fc.integer({ min: 1, max: 80 }),
      lasts: fc.integer({ min: 1, max: 100 }),
    })
    .map(({ company, from, lasts }): Away => {
      const fromMs = (from * MINUTE_MS) / 2;
      return { company, fromMs, untilMs: fromMs + (lasts * MINUTE_MS) / 2 };
    }),
  { maxLength: 1 },
);
/** Seconds between looks, again and again: some are late. */
const looks = fc.array(fc.constantFrom(30, 60, 120, 600), { minLength: 1, maxLength: 6 });

test("in any history of several companies each opening that was sent has one ending, nothing overtakes, quiet hours are quiet, and no one is told of a hidden company", () => {
  fc.assert(
    fc.property(
      stories,
      destination,
      looks,
      absences,
      absences,
      (all, given, steps, away, unread) => {
        const { visible, covered, verdict, afterMinutes, changes, quiet } = given;
        const companies: Rule["companies"] = covered ?? "all";
        const whole = { ...EVERYTHING, companies, from_verdict: verdict, quiet };
        const rule = { ...whole, after_minutes: afterMinutes };
        const rules = [{ ...rule, name: "Rule", sinceMs: -Infinity, onlyFor: null }];
        const looksMs: number[] = [];
        let nowMs = 0;
        while (nowMs < 110 * MINUTE_MS)
          for (const seconds of steps) looksMs.push((nowMs += seconds * SECOND_MS));
        const found = send({ visible, rules, changes, away, unread }, all, [...looksMs, END_MS]);
        const { sent } = found;
        const of = (what: Sent["what"]) => sent.filter((one) => one.what === what);
        const openings = of("opening").map((one) => one.of);
        expect(openings).toHaveLength(new Set(openings).size);
        expect(
          of("ending")
            .map((one) => one.of)
            .toSorted(),
        ).toEqual(openings.toSorted());
        for (const opening of of("opening")) {
          const ending = sent.findIndex((one) => one.what === "ending" && one.of === opening.of);
          expect(ending).toBeGreaterThan(sent.indexOf(opening));
        }
        const isQuiet = ({ dueMs }: { dueMs: number }) => afterQuiet(dueMs, rules) !== dueMs;
        expect([...sent, ...found.changes].filter(isQuiet)).toEqual([]);
        const isNonsense = ({ dueMs, of: known }: Change) =>
          !all.some(
            ({ company, id, closedMs }) => closedMs > dueMs && known.includes(`${company} ${id}`),
          );
        expect(found.changes.filter(isNonsense)).toEqual([]);
        const hidden = new Set(
          COMPANIES.filter((one) => !visible.includes(one) || covered?.includes(one) === false),
        );
        expect(sent.filter((one) => hidden.has(one.of.slice(0, 1)))).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

/** An incident from the first minute on. */
const story = (company: string, closedMinutes: number): Story => ({
  company,
  partner: "Procore",
  id: 1,
  beganMs: 0,
  openedMs: 0,
  closedMs: closedMinutes * MINUTE_MS,
  isLimited: false,
  worseMs: null,
  disconnectedMs: null,
});

/** The endings that are sent, with when they were due, in minutes. */
function endingsOf(
  all: readonly Story[],
  { away = [], unread = [] }: { away?: readonly Away[]; unread?: readonly Away[] },
): [string, number][] {
  const rules = [{ ...EVERYTHING, name: "Rule", sinceMs: -Infinity, onlyFor: null }];
  const looksMs = Array.from({ length: 400 }, (_, minute) => minute * MINUTE_MS);
  const to = { visible: COMPANIES, rules, changes: "one", away, unread } as const;
  const { sent } = send(to, all, looksMs);
  return sent.flatMap(({ what, of, dueMs }): [string, number][] =>
    what === "ending" ? [[of, dueMs / MINUTE_MS]] : [],
  );
}

test("the ends of a partner's incidents aren't held up by a company that was disconnected and connected again", () => {
  const lasting = { ...story("a", 390), disconnectedMs: 5 * MINUTE_MS };
  expect(endingsOf([lasting, story("b", 100), story("c", 110)], {})).toEqual([
    ["b 1", 100],
    ["c 1", 110],
    ["a 1", 390],
  ]);
});

test("an end is told later if its company has no connection when the message about its partner ends", () => {
  const away = [{ company: "a", fromMs: 50 * MINUTE_MS, untilMs: 150 * MINUTE_MS }];
  expect(endingsOf([story("a", 30), story("b", 100), story("c", 110)], { away })).toEqual([
    ["b 1", 100],
    ["c 1", 110],
    ["a 1", 30],
  ]);
});

test("a partner's incidents aren't told to be over while a company can't be read that may still have one", () => {
  const unread = [{ company: "a", fromMs: 50 * MINUTE_MS, untilMs: 150 * MINUTE_MS }];
  const others = [story("b", 100), story("c", 110)];
  const endedAt = (minutes: number) => ["a", "b", "c"].map((company) => [`${company} 1`, minutes]);
  expect(endingsOf([story("a", 160), ...others], { unread })).toEqual(endedAt(160));
  expect(endingsOf([story("a", 60), ...others], { unread })).toEqual(endedAt(110));
});

test("an ending follows the opening that a message about several includes, if both are due at once", () => {
  const rule = { ...EVERYTHING, from_verdict: "failing" as const, after_minutes: 10 };
  const all = [
    { ...story("a", 40), worseMs: MINUTE_MS },
    { ...story("b", 41), worseMs: 12 * MINUTE_MS },
    story("c", 5),
  ];
  const to: To = {
    visible: ["a", "b"],
    rules: [{ ...rule, name: "Rule", sinceMs: -Infinity, onlyFor: null }],
    changes: "one",
    away: [{ company: "b", fromMs: 30 * MINUTE_MS, untilMs: 39 * MINUTE_MS }],
    unread: [],
  };
  const looksMs = [10, 20, 38, 50, 60].map((minute) => minute * MINUTE_MS);
  const { sent } = send(to, all, looksMs);
  expect(sent.map(({ what, of }) => `${what} ${of}`)).toEqual([
    "opening a 1",
    "opening b 1",
    "ending a 1",
    "ending b 1",
  ]);
});
