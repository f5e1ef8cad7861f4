import { expect } from "vitest";
import { KeptPerPromiseView, KeptView } from "@/lib/contracts/promises";
import { DAY_OUTCOMES } from "@/lib/domain/deadlines/deadline";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import { worstDays } from "@/lib/domain/deadlines/kept";
import {
  incidentsTest,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { deadlineDays, deadlines } from "@/lib/server/store/schema/deadlines";
import { rowBudget } from "@/lib/server/store/most-rows";
import { getKept } from "./kept";

const DATES = ["2026-10-14", "2026-10-15"];

const test = incidentsTest();
test.beforeEach(({ app }) => app.begin());

/** A promise with both days of two feeds closed: the first is missed. */
async function keep(app: IncidentsApp): Promise<string> {
  const [deadline] = await app.database.orm
    .insert(deadlines)
    .values({
      company: "northgate",
      rule: rule(),
      madeById: app.people.ana.id,
      madeByName: "Ana",
      madeAt: new Date("2026-10-01T00:00:00Z"),
    })
    .returning();
  const deadlineId = deadline?.id ?? "";
  for (const endpointId of ["n1", "n2"]) await close(app, deadlineId, endpointId, DATES);
  return deadlineId;
}

function close(app: IncidentsApp, deadlineId: string, endpointId: string, dates: string[]) {
  return app.database.orm.insert(deadlineDays).values(
    dates.map((date) => ({
      company: "northgate",
      endpointId,
      deadlineId,
      date,
      partnerName: "Procore",
      endpointKey: endpointId,
      dueAt: new Date(`${date}T07:00:00Z`),
      limitAt: new Date(`${date}T07:00:00Z`),
      outcome: date === DATES[0] ? ("missed" as const) : ("met" as const),
      rule: rule(),
      closedAt: new Date(`${date}T07:01:00Z`),
    })),
  );
}

async function read(app: IncidentsApp, filter = "", ifNoneMatch: string | null = null) {
  const query = new URLSearchParams(`month=2026-10${filter}`);
  const runtime = { ...app.handlersRuntime, connections: [] };
  const { status, headers, body } = await getKept(
    runtime,
    { company: "northgate", query, ifNoneMatch },
    rowBudget(4),
  );
  const feeds =
    body === null
      ? []
      : KeptView.parse(JSON.parse(String(body))).data.map((one) => one.endpoint_id);
  return { status, feeds, etag: headers["etag"] ?? null };
}

test("gives the days of one promise, and of one feed", async ({ app }) => {
  const first = await keep(app);
  const second = await keep(app);
  expect((await read(app, `&promise=${first}`)).feeds).toEqual(["n1", "n2"]);
  expect((await read(app, "&endpoint=n2")).feeds).toEqual(["n2", "n2"]);
  expect((await read(app, `&promise=${second}&endpoint=n2`)).feeds).toEqual(["n2"]);
  expect((await read(app, "&endpoint=n3")).feeds).toEqual([]);
  const path = "/companies/northgate/promises/kept?promise=x";
  expect((await app.ask("vera", "GET", path)).status).toBe(400);
});

test("counts days, not feeds, against what a request may read", async ({ app }) => {
  const id = await keep(app);
  expect((await read(app)).feeds).toEqual(["n1", "n2"]);
  await close(app, id, "n3", DATES);
  await expect(read(app)).rejects.toThrow("more than 4 records");
  expect((await read(app, "&endpoint=n3")).feeds).toEqual(["n3"]);
});

test("isn't sent again until a day was closed or its data came in", async ({ app }) => {
  const id = await keep(app);
  const before = await read(app);
  expect(before.status).toBe(200);
  expect(await read(app, "", before.etag)).toEqual({ status: 304, feeds: [], etag: before.etag });
  await app.database.pool.query(
    "update deadline_days set received_at = due_at + interval '1 hour' where endpoint_id = 'n1' and outcome = 'missed'",
  );
  const received = await read(app, "", before.etag);
  expect(received.status).toBe(200);
  await app.database.pool.query("delete from deadline_days where endpoint_id = 'n1'");
  await close(app, id, "n1", ["2026-10-16"]);
  const closed = await read(app, "", received.etag);
  expect(closed.status).toBe(200);
  expect((await read(app, "", closed.etag)).status).toBe(304);
});

test("gives each promise's days as the worst of its feeds, however many there are", async ({
  app,
}) => {
  const first = await keep(app);
  const second = await keep(app);
  await close(app, first, "n3", DATES);
  await app.database.pool.query(
    `update deadline_days set received_at = due_at + case endpoint_id when 'n1' then interval '20 minutes' else interval '2 hours' end,
       is_at_most = endpoint_id = 'n2'
     where deadline_id = $1 and outcome = 'missed' and endpoint_id <> 'n3'`,
    [second],
  );
  await app.database.pool.query(
    `update deadline_days set outcome = case endpoint_id when 'n1' then 'excused' else 'not_observed' end
     where deadline_id = $1 and date = $2 and endpoint_id <> 'n3'`,
    [first, DATES[1]],
  );
  const path = "/companies/northgate/promises/kept?month=2026-10&per=promise";
  const answer = await app.ask("vera", "GET", path);
  const { data } = KeptPerPromiseView.parse(await answer.json());
  const day = (at: number, outcome: string, late: number | null = null, isAtMost = false) => ({
    date: DATES[at],
    outcome,
    late_seconds: late,
    late_at_most: isAtMost,
  });
  expect(data.toSorted((a, b) => b.missed - a.missed)).toEqual([
    {
      promise_id: first,
      met: 1,
      missed: 3,
      not_observed: 1,
      excused: 1,
      days: [day(0, "missed"), day(1, "not_observed")],
    },
    {
      promise_id: second,
      met: 2,
      missed: 2,
      not_observed: 0,
      excused: 0,
      days: [day(0, "missed", 7_200, true), day(1, "met")],
    },
  ]);
});

test("decides the day of several feeds as a rehearsal does", async ({ app }) => {
  const id = await keep(app);
  const pairs = DAY_OUTCOMES.flatMap((a) => DAY_OUTCOMES.map((b) => [a, b] as const));
  const dates = pairs.map((_, index) => `2026-10-${String(index + 1).padStart(2, "0")}`);
  await app.database.orm.delete(deadlineDays);
  for (const [at, endpointId] of ["n1", "n2"].entries()) {
    await close(app, id, endpointId, dates);
    for (const [index, pair] of pairs.entries())
      await app.database.pool.query(
        `update deadline_days set outcome = $1, received_at = due_at + $2 * interval '1 minute'
         where endpoint_id = $3 and date = $4`,
        [pair[at], at === index % 2 ? null : index, endpointId, dates[index]],
      );
  }
  const path = "/companies/northgate/promises/kept?month=2026-10";
  const feeds = KeptView.parse(await (await app.ask("vera", "GET", path)).json()).data;
  const perPromise = await app.ask("vera", "GET", `${path}&per=promise`);
  const [promise] = KeptPerPromiseView.parse(await perPromise.json()).data;
  expect(promise?.days).toMatchObject(
    worstDays(feeds).map(({ date, outcome, late_seconds }) => ({ date, outcome, late_seconds })),
  );
});
