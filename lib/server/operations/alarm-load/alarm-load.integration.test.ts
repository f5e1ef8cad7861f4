import { expect } from "vitest";
import { AlarmLoadView, MyAlarmLoad, Suggestions } from "@/lib/contracts/alarm-load/alarm-load";
import type { Rehearsal } from "@/lib/contracts/delivery";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { accepted } from "@/lib/server/delivery/sent";
import { createAppOutbox } from "@/lib/server/operations/delivery/outbox-fixture";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { rehearse } from "@/lib/server/operations/rules/rehearse";
import { MAX_ROWS, rowBudget } from "@/lib/server/store/most-rows";
import { rehearseQuieter } from "./rehearse-quieter";

const COMPANY = "northgate";
const NOISY: Found = {
  id: "1",
  partner: "Procore",
  key: "drawings",
  verdict: "stale",
  overdue: 30,
};
const OTHER: Found = { id: "2", partner: "Sage", key: "costs", verdict: "stale", overdue: 20 };
const well = (found: Found): Found => ({ ...found, verdict: "fresh" });
const ALERTS = {
  from_verdict: "late",
  after_minutes: 0,
  only_mine: false,
  inbox: true,
  mail: false,
} as const;

const test = incidentsTest();

const outboxOf = (app: IncidentsApp) =>
  createAppOutbox(app, { send: () => Promise.resolve(accepted("")) });

/** Ana and Bo have alerts; Procore fails twice, and Sage is late once. */
async function live(app: IncidentsApp) {
  await app.begin();
  for (const name of ["ana", "bo"] as const)
    await app.ask(name, "PUT", "/me/alerts", { alerts: ALERTS });
  const minutes = async (amount: number, ...found: readonly Found[]) => {
    for (let minute = 0; minute < amount; minute += 1) {
      await app.clock.advance(MINUTE_MS);
      await app.check(COMPANY, found);
      await outboxOf(app).work(app.database, -Infinity);
    }
  };
  await minutes(1, well(NOISY), well(OTHER));
  await minutes(3, NOISY, OTHER);
  await minutes(15, well(NOISY), well(OTHER));
  await minutes(20, NOISY, well(OTHER));
  await minutes(15, well(NOISY), well(OTHER));
}

async function loadOf(app: IncidentsApp, name: "ana" | "bo") {
  const answer = await app.ask(name, "GET", "/me/alarm-load");
  expect(answer.status).toBe(200);
  return MyAlarmLoad.parse(((await answer.json()) as { data: unknown }).data);
}

test("counts what was sent to the person, by endpoint, and rehearses what would be quieter", async ({
  app,
}) => {
  await live(app);
  const load = await loadOf(app, "ana");
  // Three incidents, opened and ended each.
  expect(load).toMatchObject({ messages: 6, per_day: 0.2, now: { messages: 6 } });
  expect(load.noisiest).toEqual([
    {
      company: COMPANY,
      partner_name: "Procore",
      endpoint_id: "1",
      endpoint_key: "drawings",
      messages: 4,
      per_day: 0.1,
      without: { messages: 2, per_day: 0.1 },
    },
    expect.objectContaining({ endpoint_key: "costs", messages: 2, without: expect.anything() }),
  ]);
  expect(load.suggestions.map(({ change }) => Object.keys(change))).toContainEqual([
    "after_minutes",
  ]);
  // Each is what the rehearsal of the same change says.
  for (const { change, messages } of load.suggestions) {
    const { inbox: _, mail: __, ...fields } = { ...ALERTS, ...change };
    const answer = await app.ask("ana", "POST", "/me/alerts/rehearsal", fields);
    expect(((await answer.json()) as { data: Rehearsal }).data.count).toBe(messages);
    expect(messages).toBeLessThan(6);
  }
});

test("counts nothing of companies that the person can no longer see", async ({ app }) => {
  await live(app);
  const move = async (company: string) => {
    const { id } = app.people.bo;
    await app.asOwner(`update grants set company = '${company}' where person_id = '${id}'`);
    await app.clock.advance(MINUTE_MS);
  };
  await move("harbour");
  expect(await loadOf(app, "bo")).toMatchObject({ messages: 0, noisiest: [], suggestions: [] });
  await move("northgate");
});

test("names the company of an endpoint by its external id too", async ({ app }) => {
  await live(app);
  const connections = [{ company: COMPANY, name: "Northgate Builders", externalId: "CRM-7" }];
  app.serve({ ...app.handlersRuntime, connections } as never);
  const named = { company: COMPANY, external_id: "CRM-7" };
  expect((await loadOf(app, "ana")).noisiest).toMatchObject([named, named]);
  const all = AlarmLoadView.parse(await (await app.ask("ada", "GET", "/rules/alarm-load")).json());
  expect(all.data[0]?.noisiest).toMatchObject([named, named]);
  app.serve(app.handlersRuntime as never);
});

test("suggests nothing while alerts are off, and still counts what was sent", async ({ app }) => {
  await live(app);
  await app.ask("ana", "PUT", "/me/alerts", { alerts: null });
  expect(await loadOf(app, "ana")).toMatchObject({ messages: 6, now: null, suggestions: [] });
});

test("lists people and channels by messages for those who manage rules", async ({ app }) => {
  await live(app);
  const answer = await app.ask("ada", "GET", "/rules/alarm-load");
  const { data } = AlarmLoadView.parse(await answer.json());
  expect(data).toMatchObject([
    { to_kind: "person", messages: 6, noisiest: [{ endpoint_key: "drawings", messages: 4 }, {}] },
    { to_kind: "person", messages: 6 },
  ]);
  expect((await app.ask("ana", "GET", "/rules/alarm-load")).status).toBe(403);
});

test("reads the record once, however many changes are rehearsed", async ({ app }) => {
  await live(app);
  const rule = { ...EVERYTHING, from_verdict: "late" } as const;
  const { database, clock, connections: companies } = app.runtime;
  const config = { pollSeconds: 60, reportTimeZone: "UTC", messageWaitMs: 0 };
  const appUrl = "http://localhost:3000";
  const runtime = { database, clock, appUrl, config, connections: companies };
  const [once, all] = [rowBudget(), rowBudget()];
  const { count } = await rehearse(runtime, { rule, onlyFor: null, companies }, once);
  const alerts = { ...rule, only_mine: true };
  const quieter = { alerts, personId: null, companies };
  const { now, suggestions } = await rehearseQuieter(runtime, quieter, all);
  expect(now.count).toBe(count);
  expect(suggestions).not.toEqual([]);
  expect(once.left).toBeLessThan(MAX_ROWS);
  expect(all.left).toBe(once.left);
});

test("suggests changes of a rule, each as its own rehearsal says", async ({ app }) => {
  await live(app);
  const rule = { from_verdict: "late", after_minutes: 0 };
  const answer = await app.ask("ada", "POST", "/rules/rehearsal/quieter", rule);
  const { now, suggestions } = Suggestions.parse(((await answer.json()) as { data: unknown }).data);
  expect(now.messages).toBe(6);
  expect(suggestions.map(({ change }) => Object.keys(change)[0])).toContain("after_minutes");
  for (const { change, messages } of suggestions) {
    const again = await app.ask("ada", "POST", "/rules/rehearsal", { ...rule, ...change });
    expect(((await again.json()) as { data: Rehearsal }).data.count).toBe(messages);
  }
  const invalid = await app.ask("ada", "POST", "/rules/rehearsal/quieter", { from_verdict: "x" });
  expect(invalid.status).toBe(400);
  expect((await app.ask("ana", "POST", "/rules/rehearsal/quieter", rule)).status).toBe(403);
});
