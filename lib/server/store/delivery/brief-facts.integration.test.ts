import { expect } from "vitest";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { readBriefFacts } from "./brief-facts";
import { MINUTE_MS } from "@/lib/domain/time/units";

const COMPANY = "northgate";
const STALE: Found = { id: "1", partner: "Procore", key: "drawings", verdict: "stale" };
const FRESH: Found = { ...STALE, verdict: "fresh" };

const test = incidentsTest();
let startMs = 0;
const at = (minutes: number) => startMs + minutes * MINUTE_MS;

test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.asOwner("delete from company_state");
  startMs = app.clock.nowMs();
});

/** One check with trouble, then one a minute without. @param aheadMs how far the API clock is ahead */
async function recover(app: IncidentsApp, minutes: number, aheadMs = 0): Promise<void> {
  await app.check(COMPANY, [STALE], null, aheadMs);
  for (let minute = 0; minute < minutes; minute += 1) {
    await app.clock.advance(MINUTE_MS);
    await app.check(COMPANY, [FRESH], null, aheadMs);
  }
}

async function factsOf(app: IncidentsApp, fromMs: number, untilMs: number, companies = [COMPANY]) {
  return Object.fromEntries(
    await readBriefFacts(app.database, {
      companies,
      partners: "all",
      onlyFor: null,
      fromMs,
      untilMs,
    }),
  );
}

test("counts an ending when it was confirmed, even if the data arrived before the previous brief", async ({
  app,
}) => {
  await recover(app, 12);
  expect(await factsOf(app, at(-60), at(5))).toMatchObject({
    [COMPANY]: { began: 1, ended: 0, open: 1 },
  });
  expect(await factsOf(app, at(5), at(12))).toMatchObject({
    [COMPANY]: { began: 0, ended: 1, open: 0, observed: 1, isSeen: true },
  });
});

test("counts only the requested partners", async ({ app }) => {
  await recover(app, 1);
  const given = { companies: [COMPANY], fromMs: at(-60), untilMs: at(1) };
  const facts = (partners: readonly string[]) =>
    readBriefFacts(app.database, { ...given, partners, onlyFor: null });
  expect((await facts(["Procore"])).get(COMPANY)).toMatchObject({ began: 1, open: 1 });
  expect((await facts(["Sage"])).get(COMPANY)).toMatchObject({ began: 0, open: 0 });
});

test("reports companies never observed, or not observed now", async ({ app }) => {
  await recover(app, 1);
  const before = await factsOf(app, at(-1), at(1), [COMPANY, "harbour"]);
  expect(before[COMPANY]).toMatchObject({ observed: 0.5, isSeen: true });
  expect(before["harbour"]).toEqual({
    began: 0,
    ended: 0,
    open: 0,
    unknown: 0,
    removed: 0,
    observed: "never",
    isSeen: false,
  });
  expect(await factsOf(app, at(-9), at(-1))).toMatchObject({
    [COMPANY]: { observed: 0, isSeen: false },
  });
  expect(await factsOf(app, at(1), at(11))).toMatchObject({
    [COMPANY]: { observed: 0, isSeen: false },
  });
  await app.addGap(COMPANY, { fromMs: at(0.5), untilMs: at(2) });
  expect(await factsOf(app, at(0), at(1))).toMatchObject({
    [COMPANY]: { observed: 0.5, isSeen: false },
  });
});

test("counts endpoints without a verdict at the end, and endpoints removed since the last brief", async ({
  app,
}) => {
  await recover(app, 1);
  const endpoint = (id: string, verdict: string, removedAt: string | null) =>
    app.asOwner(
      `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at, removed_at)
       values ('${COMPANY}', '${id}', '${id}', 'Procore', '{}', '${verdict}', now(), ${removedAt})`,
    );
  const change = (id: string, minutes: number, previous: string, next: string) =>
    app.asOwner(
      `insert into verdict_changes (company, endpoint_id, changed_at, previous, verdict)
       values ('${COMPANY}', '${id}', '${new Date(at(minutes)).toISOString()}', ${previous}, ${next})`,
    );
  await app.asOwner("truncate endpoints, verdict_changes");
  await endpoint("lost", "unknown", null);
  await endpoint("well again", "fresh", null);
  await endpoint("gone", "unknown", "now()");
  await change("lost", -30, "'fresh'", "'unknown'");
  await change("well again", -30, "'fresh'", "'unknown'");
  await change("well again", 0.5, "'unknown'", "'fresh'");
  await change("gone", -10, "'unknown'", "null");
  expect(await factsOf(app, at(-60), at(0))).toMatchObject({
    [COMPANY]: { unknown: 2, removed: 1 },
  });
  expect(await factsOf(app, at(-5), at(1))).toMatchObject({
    [COMPANY]: { unknown: 1, removed: 0 },
  });
  const ofOthers = await readBriefFacts(app.database, {
    companies: [COMPANY],
    partners: ["Sage"],
    onlyFor: null,
    fromMs: at(-60),
    untilMs: at(0),
  });
  expect(ofOthers.get(COMPANY)).toMatchObject({ unknown: 0, removed: 0 });
  await app.asOwner("truncate endpoints, verdict_changes");
});

test("limited to one person, counts a company since they own it and an acknowledgement until it expires", async ({
  app,
}) => {
  const { ana, bo } = app.people;
  await recover(app, 1);
  const facts = async (personId: string, minutes: number) =>
    (
      await readBriefFacts(app.database, {
        companies: [COMPANY],
        partners: "all",
        onlyFor: personId,
        fromMs: at(-60),
        untilMs: at(minutes),
      })
    ).get(COMPANY);
  const path = `/companies/${COMPANY}/incidents/1`;
  await app.ask("bo", "PUT", `${path}/owner`, { person: bo.id });
  const until = new Date(at(5)).toISOString();
  await app.ask("ana", "PUT", `${path}/acknowledgement`, { until });
  expect(await facts(ana.id, 0.5)).toBeUndefined();
  expect(await facts(ana.id, 4)).toMatchObject({ open: 1 });
  expect(await facts(ana.id, 6)).toBeUndefined();
  expect(await facts(bo.id, 0.5)).toBeUndefined();
  expect(await facts(bo.id, 6)).toMatchObject({ open: 1 });
  await app.clock.advance(6 * MINUTE_MS);
  await app.ask("ada", "PUT", `/companies/${COMPANY}/care`, { owner: ana.id });
  expect(await facts(ana.id, 6)).toBeUndefined();
  expect(await facts(ana.id, 7)).toMatchObject({ began: 1, open: 1 });
  // Naming the owner again changes nothing.
  await app.clock.advance(MINUTE_MS);
  await app.ask("ada", "PUT", `/companies/${COMPANY}/care`, { owner: ana.id });
  expect(await facts(ana.id, 7)).toMatchObject({ open: 1 });
});

test("limited to one person, counts a company again from the end of a hand-over, before a check", async ({
  app,
}) => {
  const { ana, ada } = app.people;
  const iso = (minutes: number) => new Date(at(minutes)).toISOString();
  await recover(app, 1);
  const stand_in = { person: ana.id, from: iso(0), until: iso(60) };
  await app.ask("ada", "PUT", `/companies/${COMPANY}/care`, { stand_in });
  const handover = { companies: "mine", to: ada.id, until: iso(5) };
  expect((await app.ask("ana", "POST", "/me/handover", handover)).status).toBe(200);
  await app.asOwner("update incidents set owner_id = null, lent_by_id = null, lent_until = null");
  const isCounted = async (personId: string, minutes: number) => {
    const given = { companies: [COMPANY], partners: "all", onlyFor: personId } as const;
    const facts = await readBriefFacts(app.database, {
      ...given,
      fromMs: at(-60),
      untilMs: at(minutes),
    });
    return facts.has(COMPANY);
  };
  expect([await isCounted(ana.id, 4), await isCounted(ada.id, 4)]).toEqual([false, true]);
  expect([await isCounted(ana.id, 5), await isCounted(ada.id, 5)]).toEqual([true, false]);
});

test("uses our clock for the period, whatever the API clock says", async ({ app }) => {
  const aheadMs = 3 * 24 * 60 * MINUTE_MS;
  await app.database.pool.query(
    `insert into company_state (company, version, as_of, last_attempt_at, rhythm_seconds, next_refresh_at,
       api_clock_offset_ms, total_pages, budget)
     values ($1, 1, now(), now(), 60, now(), $2, 1, '{}')`,
    [COMPANY, aheadMs],
  );
  await recover(app, 12, aheadMs);
  expect(await factsOf(app, at(-1), at(5))).toMatchObject({
    [COMPANY]: { began: 1, ended: 0, open: 1 },
  });
  expect(await factsOf(app, at(5), at(12))).toMatchObject({
    [COMPANY]: { began: 0, ended: 1, open: 0, observed: 1, isSeen: true },
  });
});
