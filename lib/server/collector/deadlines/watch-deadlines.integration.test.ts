import { afterEach, beforeEach, expect, test } from "vitest";
import { deadlineDays } from "@/lib/domain/deadlines/calendar";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import type { DeadlineRule } from "@/lib/domain/deadlines/deadline";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { promisesAt } from "@/lib/server/operations/history/promises-at";
import { countKeptDays } from "@/lib/server/store/deadlines/read-kept";
import { readDeadlines, readDeadlinesSince } from "@/lib/server/store/deadlines/read-deadlines";
import { readGaps } from "@/lib/server/store/sync/endpoint-history";
import { COMPANY, startChecks, type Checks } from "./check-fixture";
import { closeDays } from "./close-days";

const START_MS = Date.parse("2026-03-02T00:00:00Z");
const at = (time: string, day = "02") => Date.parse(`2026-03-${day}T${time}Z`);
const text = (time: string, day = "02") => `2026-03-${day}T${time}Z`;

let checks: Checks;
beforeEach(async () => {
  checks = await startChecks(START_MS, 3);
});
afterEach(() => checks.stop());

function promise(endpointId: string, changes: Partial<DeadlineRule> = {}) {
  const scope = { partnerName: "Procore", endpointId, endpointKey: endpointId };
  const values = { ...scope, rule: rule(changes), targetPercent: null, note: null };
  return checks.change({ kind: "make", values, subject: endpointId });
}

async function kept() {
  const { rows } = await checks.database.pool.query<{
    endpoint_id: string;
    date: string;
    outcome: string;
    late: number | null;
    is_at_most: boolean;
  }>(
    `select endpoint_id, date, outcome, extract(epoch from received_at - due_at)::float8 / 60 as late, is_at_most
     from deadline_days where company = $1 order by due_at, endpoint_id`,
    [COMPANY],
  );
  return rows.map(({ endpoint_id, date, outcome, late, is_at_most }) => [
    endpoint_id,
    date.slice(8),
    outcome,
    outcome === "missed" ? late : null,
    is_at_most,
  ]);
}

test("shows a promise from open over at risk to missed, and adds when the data came", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("04:30:00"), next_sync_at: text("05:30:00") });
  await promise(id);
  await checks.checkAt(at("04:40:00"));
  expect(checks.shown(id)).toMatchObject({ date: "2026-03-02", state: "open", attempt_at: null });

  checks.set(id, { next_sync_at: text("08:00:00") });
  await checks.checkAt(at("06:20:00"));
  expect(checks.shown(id)).toMatchObject({
    state: "at_risk",
    due_at: "2026-03-02T07:00:00.000Z",
    attempt_at: "2026-03-02T08:00:00.000Z",
  });

  await checks.checkAt(at("07:00:30"));
  expect(checks.shown(id)?.state).toBe("being_checked");
  expect(await kept()).toEqual([]);
  await checks.checkAt(at("07:01:00"));
  expect(checks.shown(id)).toMatchObject({ state: "missed", late_seconds: null });
  expect(await kept()).toEqual([[id, "02", "missed", null, false]]);

  checks.set(id, { last_updated_at: text("09:10:00") });
  await checks.checkAt(at("09:12:00"));
  expect(checks.shown(id)).toMatchObject({ state: "missed", late_seconds: 7_800 });
  checks.set(id, { last_updated_at: text("10:10:00") });
  await checks.checkAt(at("10:12:00"));
  expect(await kept()).toEqual([[id, "02", "missed", 130, true]]);
});

test("remembers a feed without data once, and adds to each of its missed days when its data came", async () => {
  const [id = "", other = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("04:30:00") });
  await promise(id);
  await promise(other);
  await checks.checkAt(at("04:40:00"));
  const missed = async () => (await kept()).filter(([one]) => one === id).map(([, ...day]) => day);
  for (const day of ["02", "03", "04"]) {
    checks.set(other, { last_updated_at: text("06:30:00", day) });
    await checks.checkAt(at("07:05:00", day));
  }
  expect(await missed()).toEqual([
    ["02", "missed", null, false],
    ["03", "missed", null, false],
    ["04", "missed", null, false],
  ]);
  expect(checks.watched()?.awaited).toEqual(new Set([id]));
  await checks.restart();
  // Data of the second day, received on the third: it says nothing of the third.
  checks.set(id, { last_updated_at: text("08:00:00", "03") });
  await checks.checkAt(at("07:15:00", "04"));
  expect(await missed()).toEqual([
    ["02", "missed", 25 * 60, false],
    ["03", "missed", 60, false],
    ["04", "missed", null, false],
  ]);
  expect(checks.watched()?.awaited).toEqual(new Set([id]));
  checks.set(id, { last_updated_at: text("07:20:00", "04") });
  await checks.checkAt(at("07:25:00", "04"));
  expect(await missed()).toContainEqual(["04", "missed", 20, false]);
  expect(checks.watched()?.awaited).toEqual(new Set());
});

test("excuses the promises of the day on which a feed is removed, if it was awaited then", async () => {
  const [awaited = "", early = "", met = ""] = checks.ids;
  await Promise.all([awaited, early, met].map((id) => promise(id)));
  await promise(early, { by: "16:00" });
  for (const id of [awaited, met]) checks.set(id, { frequency_minutes: 24 * 60 });
  const removeAt = async (id: string, time: string) => {
    checks.remove(id);
    for (let n = 0; n < 6; n += 1) await checks.checkAt(at(time) + n * 10 * MINUTE_MS);
  };
  await checks.checkAt(at("00:05:00"));
  checks.set(met, { last_updated_at: text("00:10:00") });
  await checks.checkAt(at("00:15:00"));
  await removeAt(met, "02:00:00");
  await removeAt(awaited, "03:00:00");
  await checks.checkAt(at("07:05:00"));
  // Before the window of its second promise, which begins at 14:00.
  await removeAt(early, "08:00:00");
  for (let day = 2; day < 5; day += 1) await checks.checkAt(at("17:00:00", `0${day}`));
  const outcomes = (await kept()).map(([id, date, outcome]) => `${id} ${date} ${outcome}`);
  expect(new Set(outcomes)).toEqual(
    new Set([`${awaited} 02 excused`, `${early} 02 missed`, `${met} 02 met`]),
  );
  expect(outcomes).toHaveLength(3);
});

async function recordedRisks() {
  const { rows } = await checks.database.pool.query<{ id: string; from: string; until: string }>(
    `select endpoint_id as id, to_char(from_at, 'HH24:MI:SS') as from, to_char(until_at, 'HH24:MI:SS') as until
     from deadline_risks where company = $1 order by seq`,
    [COMPANY],
  );
  return rows.map(({ id, from, until }) => [id, from, until]);
}

test("records a risk that begins and ends although nothing else changed", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("04:30:00"), next_sync_at: text("08:00:00") });
  await promise(id);
  // Without a gap, which would be recorded too.
  const checkUntil = async (time: string) => {
    while (checks.clock.nowMs() + 20 * MINUTE_MS < at(time))
      await checks.checkAt(checks.clock.nowMs() + 20 * MINUTE_MS);
    await checks.checkAt(at(time));
  };
  await checkUntil("04:40:00");
  expect(await recordedRisks()).toEqual([]);
  await checkUntil("05:10:00");
  expect(await recordedRisks()).toEqual([[id, "05:00:00", null]]);
  await checkUntil("06:50:00");
  expect(await recordedRisks()).toEqual([[id, "05:00:00", null]]);
  await checkUntil("07:00:30");
  expect(checks.shown(id)?.state).toBe("being_checked");
  expect(await recordedRisks()).toEqual([[id, "05:00:00", "07:00:30"]]);
});

test("ends risks that an earlier version left open, and keeps those that are", async () => {
  const [left = "", current = ""] = checks.ids;
  for (const id of [left, current]) {
    checks.set(id, { last_updated_at: text("04:30:00"), next_sync_at: text("08:00:00") });
    await promise(id);
  }
  for (const time of ["04:40:00", "05:10:00"]) await checks.checkAt(at(time));
  // An earlier version changes what is shown, but not the risk.
  await checks.database.pool.query(
    `update endpoints set promise = promise || '{"state": "open"}' where endpoint_id = $1`,
    [left],
  );
  checks.set(left, { next_sync_at: text("06:30:00") });
  await checks.restart();
  for (const time of ["05:20:00", "05:30:00"]) await checks.checkAt(at(time));
  const recorded = await recordedRisks();
  expect(recorded).toHaveLength(2);
  expect(recorded).toContainEqual([left, "05:10:00", "05:20:00"]);
  expect(recorded).toContainEqual([current, "05:10:00", null]);
});

test("shows it as met as soon as the data is in, and closes it once", async () => {
  const [id = ""] = checks.ids;
  await promise(id);
  checks.set(id, { last_updated_at: text("05:46:00") });
  await checks.checkAt(at("05:50:00"));
  expect(checks.shown(id)?.state).toBe("met");
  // Replaced before the day is closed.
  checks.set(id, { last_updated_at: text("07:00:10") });
  await checks.checkAt(at("07:00:40"));
  expect(checks.shown(id)?.state).toBe("met");
  await checks.restart();
  await checks.checkAt(at("07:10:00"));
  expect(await kept()).toEqual([[id, "02", "met", null, false]]);
  await checks.change({ kind: "make", subject: "", values: await first() });
  await checks.checkAt(at("07:20:00"));
  expect(await kept()).toHaveLength(1);
  expect(checks.shown(id)?.state).toBe("met");
});

test("acts with a change on days that aren't over, and judges none in hindsight", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("04:00:00") });
  const made = await promise(id, { by: "09:00", days: ["tue"] });
  await checks.checkAt(at("08:00:00"));
  const [deadline] = made ?? [];
  const change = (changes: Partial<DeadlineRule>) =>
    checks.change({
      kind: "change",
      id: deadline?.id ?? "",
      subject: "",
      values: { rule: rule(changes), targetPercent: null, note: null },
    });
  // It is a Monday: a deadline that has passed, then one that hasn't.
  await change({ by: "07:00" });
  await checks.checkAt(at("08:10:00"));
  expect(await kept()).toEqual([]);
  await change({ by: "08:30" });
  await checks.checkAt(at("08:20:00"));
  await checks.checkAt(at("08:32:00"));
  expect(await kept()).toEqual([[id, "02", "missed", null, false]]);
  await change({ by: "08:40" });
  await checks.checkAt(at("08:50:00"));
  expect(await kept()).toHaveLength(1);
});

test("judges days that were over unseen before a change by the rule of then", async () => {
  const [over = "", ahead = "", past = ""] = checks.ids;
  const made = new Map<string, string>();
  for (const [id, by] of [
    [over, "07:00"],
    [ahead, "11:00"],
    [past, "11:00"],
  ] as const) {
    checks.set(id, { last_updated_at: text("04:00:00") });
    const [deadline] = (await promise(id, { by })) ?? [];
    made.set(id, deadline?.id ?? "");
  }
  const changeTo = (id: string, by: string) =>
    checks.change({
      kind: "change",
      id: made.get(id) ?? "",
      subject: "",
      values: { rule: rule({ by }), targetPercent: null, note: null },
    });
  await checks.checkAt(at("06:00:00"));
  // No check sees the company until the next day but one.
  await checks.clock.advance(at("08:00:00") - checks.clock.nowMs());
  await changeTo(over, "08:30");
  await changeTo(ahead, "11:30");
  await checks.clock.advance(at("09:00:00", "03") - checks.clock.nowMs());
  await changeTo(over, "12:00");
  // Its new time has passed, and the earlier one hadn't.
  await changeTo(past, "08:00");
  await checks.checkAt(at("13:00:00", "04"));
  const { rows } = await checks.database.pool.query<{ id: string; due: Date; by: string }>(
    `select endpoint_id as id, due_at as due, rule->>'by' as by from deadline_days
     where company = $1 and outcome = 'missed' order by due_at`,
    [COMPANY],
  );
  const closed = (endpointId: string) =>
    rows.flatMap(({ id, due, by }) =>
      id === endpointId ? [`${due.toISOString().slice(8, 16)}, ${by}`] : [],
    );
  expect(closed(over)).toEqual(["02T07:00, 07:00", "03T08:30, 08:30", "04T12:00, 12:00"]);
  expect(closed(ahead)).toEqual(["02T11:30, 11:30", "03T11:30, 11:30", "04T11:30, 11:30"]);
  expect(closed(past)).toEqual(["02T11:00, 11:00", "04T08:00, 08:00"]);
  expect(checks.shown(over)).toMatchObject({ date: "2026-03-04", state: "missed" });
});

test("closes the days since a promise was made, if that was in the past", async () => {
  const [id = ""] = checks.ids;
  for (const [day, time] of [
    ["02", "06:00:00"],
    ["03", "08:00:00"],
    ["04", "06:30:00"],
  ] as const) {
    checks.set(id, { last_updated_at: text(time, day) });
    await checks.checkAt(at("08:10:00", day));
  }
  await promise(id);
  await checks.checkAt(at("09:00:00", "04"));
  expect(await kept()).toEqual([]);
  const values = await first();
  await checks.changeAt(at("06:50:00"), { kind: "make", values, subject: "" });
  await checks.checkAt(at("09:10:00", "04"));
  // The checks were a day apart, so what arrived in between may hide earlier data.
  expect((await kept()).map(([, day, outcome]) => [day, outcome])).toEqual([
    ["02", "not_observed"],
    ["03", "not_observed"],
    ["04", "met"],
  ]);
  expect(checks.shown(id)).toMatchObject({ date: "2026-03-04", state: "met" });
});

/** The first deadline, as it was entered. */
async function first() {
  const [row] = await readDeadlines(checks.database, COMPANY);
  if (row === undefined) throw new Error("there is no deadline");
  const { partnerName, endpointId, endpointKey, targetPercent, note } = row;
  return { partnerName, endpointId, endpointKey, rule: row.rule, targetPercent, note };
}

test("judges what came and went unseen as not checked, and closes it after an absence", async () => {
  const [id = ""] = checks.ids;
  await promise(id);
  checks.set(id, { last_updated_at: text("04:00:00") });
  await checks.checkAt(at("06:00:00"));
  checks.set(id, { last_updated_at: text("09:30:00") });
  await checks.restart();
  await checks.checkAt(at("10:00:00"));
  expect(checks.shown(id)?.state).toBe("not_observed");
  // Days on which nothing arrived are missed, however long we were away.
  await checks.checkAt(at("12:00:00", "05"));
  expect((await kept()).map(([, day, outcome]) => [day, outcome])).toEqual([
    ["02", "not_observed"],
    ["03", "missed"],
    ["04", "missed"],
    ["05", "missed"],
  ]);
});

test("doesn't judge what was due before a promise was made, and keeps days of a deleted one", async () => {
  const [id = ""] = checks.ids;
  await checks.checkAt(at("08:00:00"));
  const made = await promise(id);
  await checks.checkAt(at("08:10:00"));
  expect(checks.shown(id)).toMatchObject({ date: "2026-03-03", state: "open" });
  checks.set(id, { last_updated_at: text("06:00:00", "03") });
  await checks.checkAt(at("07:10:00", "03"));
  const [deadline] = made ?? [];
  await checks.change({ kind: "remove", id: deadline?.id ?? "", subject: "" });
  await checks.checkAt(at("07:20:00", "03"));
  expect(checks.shown(id)).toBeNull();
  expect(await kept()).toEqual([[id, "03", "met", null, false]]);
});

test("is shown as it was at an earlier instant, and counted in reports", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("04:00:00") });
  await promise(id);
  await checks.checkAt(at("04:10:00"));
  await checks.checkAt(at("07:05:00"));
  checks.set(id, { last_updated_at: text("09:10:00") });
  await checks.checkAt(at("09:12:00"));
  const then = async (time: string, landedAt: string) => {
    const endpoint = { id, partnerName: "Procore", landedAt };
    const shown = await promisesAt(checks.database, COMPANY, [endpoint], at(time));
    const { state, late_seconds } = shown.get(id) ?? {};
    return [state, late_seconds];
  };
  const old = text("04:00:00");
  expect(await then("05:30:00", old)).toEqual(["open", null]);
  expect(await then("05:30:00", text("05:10:00"))).toEqual(["met", null]);
  expect(await then("07:00:30", old)).toEqual(["being_checked", null]);
  expect(await then("08:00:00", old)).toEqual(["missed", null]);
  expect(await then("09:20:00", text("09:10:00"))).toEqual(["missed", 7_800]);
  const counts = { met: 0, missed: 1, not_observed: 0, excused: 0 };
  expect(await countKeptDays(checks.database, COMPANY, ["2026-03-01", "2026-03-31"])).toMatchObject(
    [{ endpointId: id, counts }],
  );
  expect(await countKeptDays(checks.database, COMPANY, ["2026-04-01", "2026-04-30"])).toEqual([]);
});

test("shows of a promise that was changed since what was recorded of it before", async () => {
  const [id = "", other = "", third = ""] = checks.ids;
  for (const one of [id, other]) checks.set(one, { last_updated_at: text("04:00:00") });
  const [deadline] = (await promise(id)) ?? [];
  await promise(other);
  await checks.checkAt(at("04:10:00"));
  await checks.checkAt(at("07:05:00"));
  await checks.checkAt(at("08:00:00"));
  const shownAt = async (endpointId: string, time: string) => {
    const landedAt = text("04:00:00");
    const endpoint = { id: endpointId, partnerName: "Procore", landedAt };
    const shown = await promisesAt(checks.database, COMPANY, [endpoint], at(time));
    return shown.get(endpointId);
  };
  const then = async (endpointId: string, time: string) => {
    const { state, due_at: due } = (await shownAt(endpointId, time)) ?? {};
    return [state, due?.slice(11, 16)];
  };
  const isUnknown = async (endpointId: string, time: string) =>
    (await shownAt(endpointId, time)) === null;
  expect(await then(id, "06:30:00")).toEqual(["open", "07:00"]);
  const changeTo = (by: string, promiseId = "") => {
    const values = { rule: rule({ by }), targetPercent: null, note: null };
    return checks.change({ kind: "change", id: promiseId, subject: "", values });
  };
  await changeTo("05:00", deadline?.id);
  expect(await then(id, "06:30:00")).toEqual(["open", "07:00"]);
  expect(await then(id, "07:30:00")).toEqual(["missed", "07:00"]);
  expect(await then(other, "06:30:00")).toEqual(["open", "07:00"]);
  // Of a day that was still open nothing is known of the earlier rule, except while it was at risk.
  checks.set(third, { last_updated_at: text("04:00:00"), next_sync_at: text("09:30:00") });
  const [open] = (await promise(third, { by: "09:00" })) ?? [];
  await checks.checkAt(at("08:10:00"));
  await checks.checkAt(at("08:30:00"));
  await changeTo("12:00", open?.id);
  expect(await then(third, "08:05:00")).toEqual([undefined, undefined]);
  expect(await isUnknown(third, "08:05:00")).toBe(true);
  expect(await isUnknown(third, "08:20:00")).toBe(false);
  expect(await then(third, "08:20:00")).toEqual(["open", "09:00"]);
});

test("never shows how an earlier day ended where it isn't known what was due that day", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("08:30:00"), next_sync_at: text("08:30:00", "03") });
  const [made] = (await promise(id, { by: "09:00" })) ?? [];
  await checks.checkAt(at("08:40:00"));
  await checks.checkAt(at("09:05:00"));
  for (const time of ["05:00:00", "08:00:00", "08:10:00"]) await checks.checkAt(at(time, "03"));
  await checks.clock.advance(20 * MINUTE_MS);
  const values = { rule: rule({ by: "12:00" }), targetPercent: null, note: null };
  await checks.change({ kind: "change", id: made?.id ?? "", subject: "", values });
  const then = async (time: string, day = "02") => {
    const endpoint = { id, partnerName: "Procore", landedAt: text("08:30:00") };
    const shown = await promisesAt(checks.database, COMPANY, [endpoint], at(time, day));
    const promised = shown.get(id);
    return promised == null ? promised : [promised.date.slice(8), promised.state];
  };
  expect(await then("08:50:00")).toEqual(["02", "met"]);
  expect(await then("09:30:00")).toEqual(["02", "met"]);
  expect(await then("08:05:00", "03")).toBeNull();
});

test("shows how the last day of a rare promise ended until its next one, although it was changed later", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("06:30:00") });
  const [made] = (await promise(id, { days: ["mon"] })) ?? [];
  for (const [time, day] of [
    ["06:40:00", "02"],
    ["07:05:00", "02"],
    ["07:05:00", "09"],
  ] as const)
    await checks.checkAt(at(time, day));
  const values = { rule: rule({ by: "12:00" }), targetPercent: null, note: null };
  await checks.change({ kind: "change", id: made?.id ?? "", subject: "", values });
  const endpoint = { id, partnerName: "Procore", landedAt: text("06:30:00") };
  const shown = await promisesAt(checks.database, COMPANY, [endpoint], at("12:00:00", "04"));
  expect(shown.get(id)).toMatchObject({ date: "2026-03-02", state: "met" });
});

test("gives the same in a replay of the record as live", async () => {
  const [a = "", b = "", c = ""] = checks.ids;
  await promise(a);
  await promise(b, { by: "06:00", dataFrom: "02:00", timeZone: "Asia/Kathmandu" });
  await checks.change({
    kind: "make",
    subject: "all",
    values: {
      partnerName: null,
      endpointId: null,
      endpointKey: null,
      rule: rule({ by: "12:00", allowanceMinutes: 30 }),
      targetPercent: null,
      note: null,
    },
  });
  let state = 7;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const endMs = START_MS + 3 * DAY_MS;
  for (let ms = START_MS + HOUR_MS; ms < endMs;) {
    for (const id of [a, b, c]) {
      const landed = new Date(ms - random() * 10 * MINUTE_MS).toISOString();
      if (random() < 0.25) checks.set(id, { last_updated_at: landed });
      if (random() < 0.03) checks.set(id, { status: random() < 0.5 ? "inactive" : "active" });
      if (random() < 0.03) checks.set(id, { frequency_minutes: random() < 0.5 ? 240 : 60 });
    }
    await checks.checkAt(ms);
    if (random() < 0.1) await checks.restart();
    ms += Math.round(random() < 0.06 ? 8 * HOUR_MS * random() : 20 * MINUTE_MS * (0.5 + random()));
  }
  const live = await checks.database.pool.query(
    `select endpoint_id as id, deadline_id as deadline, date, outcome, excuse, received_at as received,
       is_at_most as "isAtMost"
     from deadline_days order by due_at, endpoint_id, deadline_id`,
  );
  const deadlines = await readDeadlinesSince(checks.database, COMPANY, START_MS);
  const lastMs = checks.clock.nowMs();
  const within = { fromMs: START_MS, untilMs: lastMs };
  const days = deadlines.flatMap((deadline) =>
    deadlineDays(deadline, within)
      .filter(({ limitMs }) => limitMs + MINUTE_MS <= lastMs)
      .map((day) => ({ deadline, day })),
  );
  const replayed = await closeDays(checks.database, COMPANY, {
    days,
    deadlines,
    endpoints: [a, b, c].map((id) => ({ id, partner: "" })),
    gaps: await readGaps(checks.database, COMPANY),
    snapshot: null,
  });
  const keyOf = (one: { id: string; deadline: string; date: string }) =>
    `${one.date} ${one.id} ${one.deadline}`;
  const byKey = (all: readonly { id: string; deadline: string; date: string }[]) =>
    all.toSorted((x, y) => (keyOf(x) < keyOf(y) ? -1 : 1));
  expect(
    byKey(
      replayed.map(({ endpointId, deadline, day, ...judged }) => ({
        id: endpointId,
        deadline: deadline.id,
        date: day.date,
        outcome: judged.outcome,
        excuse: judged.excuse,
        received: judged.receivedMs === null ? null : new Date(judged.receivedMs),
        isAtMost: judged.isAtMost,
      })),
    ),
  ).toEqual(byKey(live.rows));
  expect(live.rows.length).toBeGreaterThan(8);
});

test("keeps a day missed whose promise is put off later, also when data comes before the new time", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("04:00:00") });
  const [deadline] = (await promise(id)) ?? [];
  await checks.checkAt(at("06:30:00"));
  await checks.checkAt(at("07:01:00"));
  await checks.change({
    kind: "change",
    id: deadline?.id ?? "",
    subject: "",
    values: { rule: rule({ by: "09:00" }), targetPercent: null, note: null },
  });
  checks.set(id, { last_updated_at: text("08:30:00") });
  for (const time of ["08:40:00", "09:01:00", "09:20:00"]) {
    await checks.checkAt(at(time));
    expect(checks.shown(id)).toMatchObject({ state: "missed", late_seconds: 5_400 });
  }
  await checks.restart();
  await checks.checkAt(at("09:30:00"));
  expect(checks.shown(id)).toMatchObject({ state: "missed", late_seconds: 5_400 });
  expect((await kept()).map(([, day, outcome]) => [day, outcome])).toEqual([["02", "missed"]]);
});

test("closes no day because a response carried a date weeks ahead", async () => {
  const [id = ""] = checks.ids;
  await promise(id);
  checks.set(id, { last_updated_at: text("06:10:00") });
  await checks.checkAt(at("06:20:00"));
  await checks.skewClock(30 * DAY_MS);
  await checks.checkAt(at("06:30:00"));
  await checks.checkAt(at("06:40:00"));
  expect(await kept()).toEqual([]);
  await checks.skewClock(0);
  checks.set(id, { last_updated_at: text("06:45:00") });
  await checks.checkAt(at("06:50:00"));
  await checks.checkAt(at("07:10:00"));
  await checks.checkAt(at("07:10:00", "03"));
  expect((await kept()).map(([, day, outcome]) => [day, outcome])).toEqual([
    ["02", "met"],
    ["03", "missed"],
  ]);
});

test("isn't met by data whose time is too far ahead, until that time is credible", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("04:30:00"), next_sync_at: text("06:30:00") });
  await promise(id);
  await checks.checkAt(at("06:10:00"));
  checks.set(id, { last_updated_at: text("06:50:00") });
  for (const time of ["06:15:00", "06:30:00"]) {
    await checks.checkAt(at(time));
    expect(checks.shown(id)?.state).toBe("open");
  }
  await checks.checkAt(at("06:41:00"));
  expect(checks.shown(id)?.state).toBe("met");
});

test("isn't met any more once its window begins after the data", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("05:30:00"), next_sync_at: text("06:30:00") });
  const [made] = (await promise(id)) ?? [];
  await checks.checkAt(at("05:40:00"));
  expect(checks.shown(id)?.state).toBe("met");
  const values = { rule: rule({ dataFrom: "05:50" }), targetPercent: null, note: null };
  await checks.change({ kind: "change", id: made?.id ?? "", subject: "", values });
  await checks.checkAt(at("06:00:00"));
  expect(checks.shown(id)?.state).toBe("open");
  await checks.checkAt(at("07:01:00"));
  expect(await kept()).toEqual([[id, "02", "missed", null, false]]);
});

test("isn't met any more once its feed is updated so often that the data is old", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("05:30:00"), next_sync_at: text("06:30:00") });
  await promise(id);
  await checks.checkAt(at("05:40:00"));
  expect(checks.shown(id)?.state).toBe("met");
  checks.set(id, { frequency_minutes: 30 });
  await checks.checkAt(at("06:00:00"));
  expect(checks.shown(id)?.state).toBe("open");
});

test("stays met while the API reports older data for a while", async () => {
  const [id = ""] = checks.ids;
  await promise(id);
  checks.set(id, { last_updated_at: text("05:30:00") });
  await checks.checkAt(at("05:40:00"));
  checks.set(id, { last_updated_at: text("04:30:00") });
  for (const time of ["05:50:00", "06:00:00"]) {
    await checks.checkAt(at(time));
    expect(checks.shown(id)?.state).toBe("met");
  }
});

test("shows a day as it was closed, although the clock was set back since", async () => {
  const [id = ""] = checks.ids;
  checks.set(id, { last_updated_at: text("04:30:00") });
  await promise(id);
  await checks.checkAt(at("04:40:00"));
  await checks.skewClock(2 * DAY_MS);
  for (let ms = at("04:50:00"); ms <= at("06:10:00"); ms += 10 * MINUTE_MS)
    await checks.checkAt(ms);
  expect((await kept()).map(([, day]) => day)).toEqual(["02", "03"]);
  await checks.skewClock(0);
  checks.set(id, { last_updated_at: text("06:15:00") });
  for (const time of ["06:20:00", "06:30:00"]) {
    await checks.checkAt(at(time));
    expect(checks.shown(id)?.state).toBe("missed");
    await checks.restart();
  }
});

test("shows the rule that a promise had then, by the API's clock", async () => {
  const [id = ""] = checks.ids;
  const aheadMs = 2 * HOUR_MS;
  const checkAt = (time: string) => checks.checkAt(at(time) - aheadMs);
  await checks.skewClock(aheadMs);
  await checkAt("03:10:00");
  const scope = { partnerName: "Procore", endpointId: id, endpointKey: id };
  const values = { ...scope, rule: rule(), targetPercent: null, note: null };
  const [made] =
    (await checks.changeAt(at("03:10:00"), { kind: "make", values, subject: "" })) ?? [];
  checks.set(id, { last_updated_at: text("05:10:00") });
  for (const time of ["05:30:00", "06:40:00", "07:02:00", "07:30:00"]) await checkAt(time);
  await checks.changeAt(at("07:30:00"), {
    kind: "change",
    id: made?.id ?? "",
    subject: "",
    values: { rule: rule({ by: "05:00" }), targetPercent: null, note: null },
  });
  const endpoint = { id, partnerName: "Procore", landedAt: text("05:10:00") };
  const shown = await promisesAt(checks.database, COMPANY, [endpoint], at("06:45:00"));
  expect(shown.get(id)).toMatchObject({ due_at: "2026-03-02T07:00:00.000Z", state: "met" });
});
