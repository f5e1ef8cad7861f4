import fc from "fast-check";
import { expect, test } from "vitest";
import { NOTHING_KNOWN } from "./known";
import { nextAttemptMs, nextHour } from "./next-hour";
import { minutesAgo, NOW_MS, row } from "./row-fixture";
import { VERDICTS, type Verdict } from "./sync";

const at = (minutes: number, given: Parameters<typeof row>[0] = {}) =>
  row({ id: `${minutes} ${given.endpoint_key}`, next_sync_at: minutesAgo(-minutes), ...given });
const minute = (iso: string) => Date.parse(iso);
const asGiven = (word: Verdict) => () => word;

test("counts each sync in its minute, those of feeds that are behind by verdict", () => {
  const rows = [
    at(6, { endpoint_key: "rfis", verdict: "late" }),
    at(6, { endpoint_key: "forms", verdict: "failing" }),
    at(6, { endpoint_key: "mail", verdict: "fresh" }),
    at(20, { partner_name: "Aconex", endpoint_key: "mail", verdict: "unknown" }),
  ];
  const verdicts = new Map(rows.map(({ id, verdict }) => [id, verdict]));
  expect(nextHour(rows, ({ id }) => verdicts.get(id), NOW_MS)).toEqual({
    fromMs: minute("2026-11-19T13:32:00Z"),
    total: 4,
    behind: 2,
    minutes: [
      { atMs: minute("2026-11-19T13:38:00Z"), failing: 1, stale: 0, late: 1, others: 1 },
      { atMs: minute("2026-11-19T13:52:00Z"), failing: 0, stale: 0, late: 0, others: 1 },
    ],
    attempts: [
      {
        atMs: minute("2026-11-19T13:38:00Z"),
        partner: "Procore",
        feeds: 2,
        endpointKey: null,
      },
    ],
  });
});

test("names the only feed of a partner's next attempt, the soonest partner first", () => {
  const rows = [
    at(35, { partner_name: "Sage 300", endpoint_key: "commitments" }),
    at(40, { partner_name: "Sage 300", endpoint_key: "vendors" }),
    at(15, { partner_name: "CMiC", endpoint_key: "pci" }),
  ];
  expect(
    nextHour(rows, asGiven("stale"), NOW_MS).attempts.map(({ partner, feeds, endpointKey }) => [
      partner,
      feeds,
      endpointKey,
    ]),
  ).toEqual([
    ["CMiC", 1, "pci"],
    ["Sage 300", 1, "commitments"],
  ]);
});

test("leaves out what has passed, what is later than an hour, and what isn't scheduled", () => {
  const rows = [
    at(-1),
    at(0),
    at(60),
    at(10, { status: "webhook" }),
    at(10, { status: "inactive" }),
    row({ next_sync_at: null }),
  ];
  expect(nextHour(rows, asGiven("fresh"), NOW_MS)).toMatchObject({ total: 0, minutes: [] });
});

test("counts every sync of the hour exactly once, whatever the schedule", () => {
  const schedule = fc.array(
    fc.record({ minutes: fc.integer({ min: -30, max: 90 }), word: fc.constantFrom(...VERDICTS) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(schedule, (planned) => {
      const rows = planned.map(({ minutes, word }, index) =>
        at(minutes, { id: String(index), verdict: word }),
      );
      const verdicts = new Map(rows.map(({ id, verdict }) => [id, verdict]));
      const { minutes, total, behind, fromMs } = nextHour(
        rows,
        ({ id }) => verdicts.get(id),
        NOW_MS,
      );
      const marked = minutes.reduce((sum, one) => sum + one.failing + one.stale + one.late, 0);
      const neutral = minutes.reduce((sum, one) => sum + one.others, 0);
      expect([marked, marked + neutral]).toEqual([behind, total]);
      expect(minutes.every((one) => one.atMs >= fromMs && one.atMs < fromMs + 3_600_000)).toBe(
        true,
      );
    }),
  );
});

test("the next attempt is the first future sync of a feed that is behind", () => {
  const rows = [at(-5), at(3, { verdict: "fresh" }), at(90), at(70)];
  const verdictOf = ({ id }: { id: string }) => (id.startsWith("3 ") ? "fresh" : "late");
  expect(nextAttemptMs(rows, verdictOf, NOW_MS)).toBe(NOW_MS + 70 * 60_000);
  expect(nextAttemptMs(rows, () => "due", NOW_MS)).toBeNull();
});

test("leaves out what the API no longer lists", () => {
  const gone = at(6, { endpoint_key: "rfis", known: { ...NOTHING_KNOWN, reported: false } });
  expect(nextHour([gone], asGiven("unknown"), NOW_MS).total).toBe(0);
  expect(nextAttemptMs([gone], asGiven("late"), NOW_MS)).toBeNull();
});
