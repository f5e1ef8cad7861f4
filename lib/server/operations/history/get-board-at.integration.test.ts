import { afterEach, beforeEach, expect, test } from "vitest";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import { iso } from "@/lib/domain/time/instant";
import { startChecks, COMPANY, type Checks } from "@/lib/server/collector/deadlines/check-fixture";
import { rowBudget } from "@/lib/server/store/most-rows";
import { boardPartsAt } from "./get-board-at";

const at = (time: string) => Date.parse(`2026-03-02T${time}Z`);
const FEEDS = 5;

let checks: Checks;
beforeEach(async () => {
  checks = await startChecks(at("00:00:00"), FEEDS);
});
afterEach(() => checks.stop());

/** Promises of the company's data by a time, made now. */
async function promise(by: string) {
  const scope = { partnerName: null, endpointId: null, endpointKey: null };
  const values = { ...scope, rule: rule({ by }), targetPercent: null, note: null };
  const [made] = (await checks.change({ kind: "make", subject: "all", values })) ?? [];
  return made?.id ?? "";
}

function partsAt(ms: number, { budget = rowBudget(), most = 1 } = {}) {
  const runtime = { database: checks.database, clock: checks.clock, config: { retentionDays: 90 } };
  const query = new URLSearchParams({ at: iso(ms) });
  return boardPartsAt(runtime, { company: COMPANY, query }, { budget, most });
}

test("shows the same promises in every part when one is changed meanwhile", async () => {
  const id = await promise("07:00");
  await checks.checkAt(at("04:10:00"));
  await checks.checkAt(at("05:10:00"));
  const { parts } = await partsAt(at("05:00:00"));
  const first = await parts.next();
  const values = { rule: rule({ by: "12:00" }), targetPercent: null, note: null };
  await checks.change({ kind: "change", id, subject: "", values });
  const shown = [...(first.value ?? [])];
  for await (const part of parts) shown.push(...part);
  expect(shown.map((endpoint) => endpoint.promise?.due_at)).toEqual(
    Array.from({ length: FEEDS }, () => "2026-03-02T07:00:00.000Z"),
  );
});

test("reads the company's promises once, however many parts there are", async () => {
  for (let n = 0; n < 20; n += 1) await promise("07:00");
  await checks.checkAt(at("04:10:00"));
  await checks.checkAt(at("05:10:00"));
  const rowsRead = async (most: number) => {
    const budget = rowBudget();
    const before = budget.left;
    const { parts } = await partsAt(at("05:00:00"), { budget, most });
    const sizes = [];
    for await (const part of parts) sizes.push(part.length);
    return { parts: sizes.length, rows: before - budget.left };
  };
  const whole = await rowsRead(FEEDS);
  const inParts = await rowsRead(1);
  expect([whole.parts, inParts.parts]).toEqual([1, FEEDS]);
  // Each part reads the states of its endpoints as one row.
  expect(inParts.rows - whole.rows).toBe(FEEDS - 1);
});

test("shows the cadence that a feed had then, and none where only later ones are known", async () => {
  const [changed = "", same = ""] = checks.ids;
  await checks.checkAt(at("04:10:00"));
  checks.set(changed, { frequency_minutes: 240 });
  await checks.checkAt(at("05:10:00"));
  const cadencesAt = async (time: string) => {
    const { parts } = await partsAt(at(time), { most: FEEDS });
    const shown = [...((await parts.next()).value ?? [])];
    return [changed, same].map((id) => shown.find((one) => one.id === id)?.frequency_minutes);
  };
  expect(await cadencesAt("05:00:00")).toEqual([60, 60]);
  expect(await cadencesAt("05:10:00")).toEqual([240, 60]);
  // As after an upgrade from a version that didn't record cadences.
  await checks.database.pool.query("delete from endpoint_facts where seen_at < $1", [
    iso(at("05:00:00")),
  ]);
  expect(await cadencesAt("05:00:00")).toEqual([240, 60]);
  checks.set(changed, { frequency_minutes: 30 });
  await checks.checkAt(at("05:20:00"));
  expect(await cadencesAt("05:00:00")).toEqual([null, 60]);
});
