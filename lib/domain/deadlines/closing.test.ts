import fc from "fast-check";
import { expect, test } from "vitest";
import type { Period } from "@/lib/domain/history";
import { everyWeek } from "@/lib/domain/quiet/planned-quiet";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { dayStartMs } from "@/lib/domain/time/day";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { deadlineDays, type DeadlineDay } from "./calendar";
import { closeDaysOf, type ClosedDay } from "./closing";
import type { Deadline, DayOutcome } from "./deadline";
import { anyRule, deadline, FIRST_DAYS } from "./deadline-fixture";
import type { FeedFacts } from "./holding";
import { closesFromMs, type EnteredQuiet, type SeenLanding } from "./outcome";

/** One complete check, and what it showed. */
type Check = { atMs: number; landedMs: number | null; facts: FeedFacts };
type World = {
  one: Deadline;
  checks: readonly Check[];
  quiet: readonly EnteredQuiet[];
  within: Period;
};

/** Checks further apart than this leave a gap. */
const GAP_MS = 50 * MINUTE_MS;
const CADENCES = [30 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS];

const world: fc.Arbitrary<World> = fc
  .record({
    rule: anyRule,
    startMs: fc.constantFrom(...FIRST_DAYS),
    cadenceMs: fc.constantFrom(...CADENCES),
    seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
    hasQuiet: fc.boolean(),
  })
  .map(({ rule, startMs, cadenceMs, seed, hasQuiet }) => {
    const random = randomFrom(seed);
    const untilMs = startMs + 5 * DAY_MS;
    const one = deadline({ ...rule, endpointId: "e1" });
    const landings = landingsOf(random, { startMs, untilMs, cadenceMs });
    const checks: Check[] = [];
    let [status, reported] = ["active", true];
    for (let atMs = startMs; atMs < untilMs; atMs += intervalMs(random)) {
      if (random() < 0.02) status = status === "active" ? "inactive" : "active";
      if (random() < 0.02) reported = !reported;
      // The API shows data up to two minutes after it was received.
      const shown = landings.filter(({ landedMs, delayMs }) => landedMs + delayMs <= atMs);
      const facts = { partner: "p", status, reported, cadenceMs };
      // What isn't listed shows none, and what was seen before stays.
      const landedMs = (reported ? shown.at(-1)?.landedMs : checks.at(-1)?.landedMs) ?? null;
      checks.push({ atMs, landedMs, facts });
    }
    const quiet = { days: WEEKDAYS.slice(2, 4), from: "04:00", until: "12:00", timeZone: "UTC" };
    const enteredMs = startMs + random() * 3 * DAY_MS;
    return {
      one,
      checks,
      quiet: hasQuiet ? [{ ...everyWeek(quiet), enteredMs }] : [],
      within: { fromMs: startMs + DAY_MS, untilMs },
    };
  });

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function landingsOf(
  random: () => number,
  { startMs, untilMs, cadenceMs }: { startMs: number; untilMs: number; cadenceMs: number },
) {
  const landings: { landedMs: number; delayMs: number }[] = [];
  const stopsMs = random() < 0.2 ? startMs + random() * 5 * DAY_MS : untilMs;
  for (
    let atMs = startMs - 2 * DAY_MS;
    atMs < stopsMs;
    atMs += cadenceMs * (0.6 + random() * 1.5)
  ) {
    const landedMs = Math.round(atMs);
    landings.push({ landedMs, delayMs: Math.round(random() * 2 * MINUTE_MS) });
  }
  return landings;
}

function intervalMs(random: () => number): number {
  const isBlind = random() < 0.06;
  return Math.round((isBlind ? 12 * HOUR_MS : 20 * MINUTE_MS) * (0.1 + random()));
}

/** What the record has after some checks. */
function recordOf(checks: readonly Check[]) {
  const landings: SeenLanding[] = [];
  const gaps: Period[] = [];
  for (const [n, { atMs, landedMs }] of checks.entries()) {
    const before = checks[n - 1] ?? null;
    if (before !== null && atMs - before.atMs > GAP_MS)
      gaps.push({ fromMs: before.atMs, untilMs: atMs });
    if (landedMs !== null && landedMs !== before?.landedMs)
      landings.push({ landedMs, seenMs: atMs, seenAfterMs: before?.atMs ?? null });
  }
  const factsAt = (ms: number) =>
    (checks.findLast(({ atMs }) => atMs <= ms) ?? checks[0])?.facts ?? null;
  return { landings, gaps, factsAt };
}

function close({ one, quiet }: World, days: readonly DeadlineDay[], checks: readonly Check[]) {
  const { landings, gaps, factsAt } = recordOf(checks);
  return closeDaysOf(
    { id: "e1", landings, factsAt },
    days.map((day) => ({ deadline: one, day })),
    { deadlines: [one], gaps, quiet },
  );
}

/** Each day as soon as a check closes it, from what was recorded until then. */
function live(given: World, days: readonly DeadlineDay[]): ClosedDay[] {
  return days.flatMap((day) => {
    const closing = given.checks.findIndex(({ atMs }) => atMs >= closesFromMs(day));
    return closing === -1 ? [] : close(given, [day], given.checks.slice(0, closing + 1));
  });
}

/** The definition, read from the list of checks. */
function byDefinition({ one, checks, quiet }: World, day: DeadlineDay): DayOutcome {
  const until = checks.findIndex(({ atMs }) => atMs >= day.limitMs + MINUTE_MS);
  const seen = checks.slice(0, until + 1);
  const atDue = checks.findLast(({ atMs }) => atMs <= day.dueMs) ?? checks[0];
  const cadenceMs = atDue?.facts.cadenceMs ?? 0;
  const dayMs = dayStartMs(day.date, one.timeZone) ?? 0;
  const fromMs = one.dataFrom === null ? Math.max(dayMs, day.dueMs - 2 * cadenceMs) : day.startMs;
  const isKept = seen.some(
    ({ landedMs }) => landedMs !== null && landedMs >= fromMs && landedMs <= day.limitMs,
  );
  if (isKept) return "met";
  const wasQuiet = quiet.some(({ enteredMs, weekly }) => {
    const due = new Date(day.dueMs);
    const weekday = WEEKDAYS[(due.getUTCDay() + 6) % 7] ?? "mon";
    const hour = due.getUTCHours();
    return (
      enteredMs < day.dueMs && weekly?.days.includes(weekday) === true && hour >= 4 && hour < 12
    );
  });
  if (wasQuiet || atDue?.facts.status === "inactive" || atDue?.facts.reported === false)
    return "excused";
  const closing = seen.at(-1);
  const shown = closing?.landedMs ?? null;
  if (shown === null) return "not_observed";
  if (shown < fromMs && closing?.facts.reported === true) return "missed";
  const lastBefore = seen.findLastIndex(({ atMs }) => atMs <= day.limitMs);
  for (let n = Math.max(lastBefore, 0) + 1; n < seen.length; n += 1)
    if ((seen[n]?.atMs ?? 0) - (seen[n - 1]?.atMs ?? 0) > GAP_MS) return "not_observed";
  return "missed";
}

test.each([
  ["in the window", "06:00", ["excused"]],
  ["before the window", "04:00", []],
])("excuses the day of a feed that was removed %s", (_, time, outcomes) => {
  const dueMs = Date.parse("2026-03-03T07:00:00Z");
  const removedMs = Date.parse(`2026-03-03T${time}:00Z`);
  const days = deadlineDays(deadline(), { fromMs: dueMs, untilMs: dueMs + 2 * DAY_MS });
  const factsAt = (ms: number) => {
    const status = ms < removedMs ? "active" : null;
    return { partner: "p", status, reported: status !== null, cadenceMs: HOUR_MS };
  };
  const closed = closeDaysOf(
    { id: "e1", landings: [], factsAt },
    days.map((day) => ({ deadline: deadline(), day })),
    { deadlines: [deadline()], gaps: [], quiet: [] },
  );
  expect(closed.map(({ outcome }) => outcome)).toEqual(outcomes);
  for (const { excuse } of closed) expect(excuse).toBe("not_reported");
});

test("gives each day of any calendar one outcome, live as in a replay and by definition", () => {
  const found = new Map<string, number>();
  fc.assert(
    fc.property(world, (given) => {
      const all = deadlineDays(given.one, given.within);
      const days = all.filter((day) => given.checks.some(({ atMs }) => atMs >= closesFromMs(day)));
      const replayed = close(given, days, given.checks);
      expect(replayed.map(({ day }) => day.date)).toEqual(days.map(({ date }) => date));
      const closed = live(given, days);
      const outcomesOf = (of: readonly ClosedDay[]) =>
        of.map(({ outcome, excuse }) => [outcome, excuse]);
      expect(outcomesOf(closed)).toEqual(outcomesOf(replayed));
      expect(replayed.map(({ outcome }) => outcome)).toEqual(
        days.map((day) => byDefinition(given, day)),
      );
      for (const { outcome } of replayed) found.set(outcome, (found.get(outcome) ?? 0) + 1);
    }),
    { numRuns: 10_000 },
  );
  // All outcomes occurred often enough to mean something.
  for (const outcome of ["met", "missed", "not_observed", "excused"])
    expect(found.get(outcome) ?? 0).toBeGreaterThan(200);
}, 180_000);
