import { expect } from "vitest";
import { incidentsTest } from "@/lib/server/operations/incidents/incidents-fixture";
import { NO_BUDGET } from "@/lib/server/store/most-rows";
import { companies, companyState, gaps } from "@/lib/server/store/schema/record";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS } from "@/lib/domain/time/units";
import { readDeliveryFacts } from "./delivery-facts";

const COMPANY = "northgate";

const test = incidentsTest();
test.beforeAll(async ({ app }) => {
  await app.begin();
});

test("have the company's owner and stand-in on the API clock, before and after the first check", async ({
  app,
}) => {
  const { orm } = app.database;
  const { ana, bo } = app.people;
  const nowMs = app.clock.nowMs();
  const offsetMs = -2 * HOUR_MS;
  await orm.insert(companies).values({ slug: COMPANY, name: COMPANY }).onConflictDoNothing();
  await orm.insert(companyState).values({
    company: COMPANY,
    version: 1,
    lastAttemptAt: new Date(nowMs),
    rhythmSeconds: 60,
    nextRefreshAt: new Date(nowMs),
    apiClockOffsetMs: offsetMs,
    totalPages: 1,
    budget: { used: 1, limit: 60 },
  });
  const careNow = async () => (await readDeliveryFacts(orm, COMPANY, 0, NO_BUDGET)).care;
  expect(await careNow()).toEqual({ ownerId: null, ownerSinceMs: null, standIns: [] });

  const [from, until] = [nowMs, nowMs + HOUR_MS].map((ms) => new Date(ms).toISOString());
  const body = { owner: bo.id, stand_in: { person: ana.id, from, until } };
  const answer = await app.ask("ada", "PUT", `/companies/${COMPANY}/care`, body);
  expect(answer.status).toBe(200);
  const care = {
    ownerId: bo.id,
    ownerSinceMs: nowMs + offsetMs,
    standIns: [{ id: ana.id, fromMs: nowMs + offsetMs, untilMs: nowMs + HOUR_MS + offsetMs }],
  };
  expect(await careNow()).toEqual(care);
  await app.check(COMPANY, [], null, offsetMs);
  expect(await careNow()).toEqual(care);

  const handover = { companies: "mine", to: bo.id, until: iso(nowMs + HOUR_MS / 2) };
  expect((await app.ask("ana", "POST", "/me/handover", handover)).status).toBe(200);
  expect((await careNow()).standIns).toEqual([
    { id: bo.id, fromMs: nowMs + offsetMs, untilMs: nowMs + HOUR_MS / 2 + offsetMs },
    { id: ana.id, fromMs: nowMs + HOUR_MS / 2 + offsetMs, untilMs: nowMs + HOUR_MS + offsetMs },
  ]);
});

test("have what people did between what was observed then, when the API's clock is behind", async ({
  app,
}) => {
  const { orm } = app.database;
  const offsetMs = -46 * HOUR_MS;
  await orm.update(companyState).set({ apiClockOffsetMs: offsetMs });
  const found = { id: "a", partner: "Procore", key: "rfis" } as const;
  await app.check(COMPANY, [{ ...found, verdict: "failing" }], null, offsetMs);
  const openedMs = app.clock.nowMs() + offsetMs;
  await app.clock.advance(HOUR_MS);
  const answer = await app.ask("ana", "PUT", `/companies/${COMPANY}/incidents/1/acknowledgement`);
  expect(answer.status).toBe(200);
  await app.clock.advance(HOUR_MS);
  await app.check(COMPANY, [{ ...found, verdict: "fresh" }], null, offsetMs);

  const { incidents } = await readDeliveryFacts(orm, COMPANY, 0, NO_BUDGET);
  expect(incidents[0]?.timeline.phases.map(({ fromMs }) => fromMs - openedMs)).toEqual([
    0,
    HOUR_MS,
    2 * HOUR_MS,
  ]);
});

test("have no gap in the future, which ended while the API's clock was ahead", async ({ app }) => {
  const { orm } = app.database;
  const observedMs = app.clock.nowMs();
  await app.check(COMPANY, []);
  const at = (hours: number) => new Date(observedMs + hours * HOUR_MS);
  const reason = "unreachable" as const;
  await orm.insert(gaps).values([
    { company: COMPANY, fromAt: at(-5), untilAt: at(-4), reason },
    { company: COMPANY, fromAt: at(-3), untilAt: at(900), reason },
    { company: COMPANY, fromAt: at(800), untilAt: at(801), reason },
  ]);
  const facts = await readDeliveryFacts(orm, COMPANY, at(-6).getTime(), NO_BUDGET);
  expect(facts.gaps.map(({ fromMs, untilMs }) => [fromMs, untilMs])).toEqual([
    [at(-5).getTime(), at(-4).getTime()],
    [at(-3).getTime(), observedMs],
  ]);
});

test("are of one instant, although a check ends an incident while they are read", async ({
  app,
}) => {
  const { orm } = app.database;
  const found = { id: "b", partner: "Sage", key: "costs" } as const;
  await app.check(COMPANY, [{ ...found, verdict: "failing" }]);
  await app.clock.advance(HOUR_MS);
  // Once it has been calm for a while, the next check ends it.
  await app.check(COMPANY, [{ ...found, verdict: "fresh" }]);
  let reads = 0;
  const budget: typeof NO_BUDGET = {
    async read(query) {
      const rows = await NO_BUDGET.read(query);
      reads += 1;
      if (reads === 1) {
        await app.clock.advance(HOUR_MS);
        await app.check(COMPANY, [{ ...found, verdict: "fresh" }]);
      }
      return rows;
    },
  };
  const ofSage = async (given: typeof NO_BUDGET) => {
    const { incidents } = await readDeliveryFacts(orm, COMPANY, 0, given);
    const one = incidents.find(({ row }) => row.partnerName === "Sage");
    return { ending: one?.row.ending, isOpen: one?.timeline.phases.at(-1)?.isOpen };
  };
  expect(await ofSage(budget)).toEqual({ ending: null, isOpen: true });
  expect(await ofSage(NO_BUDGET)).toEqual({ ending: "recovered", isOpen: false });
});
