import { expect } from "vitest";
import {
  incidentsTest,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import { DAY_MS } from "@/lib/domain/time/units";
import { saveFileIndex, upsertFiles } from "@/lib/server/store/files/schedule-files";
import { populateDemo, populateDemoFiles } from "./populate-demo";

const PEOPLE = { administrator: "ada@example.com", member: "hal@example.com" };
const HOME = { appUrl: "http://localhost:3000" };

const test = incidentsTest();
test.beforeAll(async ({ app }) => {
  await app.begin();
});

const read = async <T>(app: IncidentsApp, path: string) =>
  (await (await app.ask("ada", "GET", path)).json()) as T;

test("plans, shares, hands over and enters as the administrator, by the operations of people", async ({
  app,
}) => {
  await app.check("northgate", [
    { id: "1", partner: "Procore", key: "rfis", verdict: "stale", overdue: 300 },
    { id: "2", partner: "Primavera P6", key: "activities", verdict: "fresh" },
  ]);
  await app.check("harbour", [
    { id: "3", partner: "Procore", key: "rfis", verdict: "stale", overdue: 300 },
  ]);
  const { clock, database, runtime, handlersRuntime, people } = app;
  await populateDemo({ ...handlersRuntime, ...runtime, ...HOME }, PEOPLE);

  const quiet = await read<{
    data: { partner_name: string; from: string; until: string; made_by: { is_you: boolean } }[];
  }>(app, "/companies/northgate/expectations");
  expect(quiet.data).toHaveLength(1);
  expect(quiet.data[0]).toMatchObject({ partner_name: "Primavera P6", made_by: { is_you: true } });
  const from = new Date(quiet.data[0]?.from ?? 0);
  expect(from.getUTCDay()).toBe(6);
  expect(from.getTime()).toBeGreaterThan(clock.nowMs() + DAY_MS);
  expect(from.getTime()).toBeLessThan(clock.nowMs() + 9 * DAY_MS);

  const links = await read<{ data: { partner: string; for: string; state: string }[] }>(
    app,
    "/companies/northgate/links",
  );
  expect(links.data).toMatchObject([{ partner: "Procore", for: "Procore support", state: "open" }]);

  const care = await read<{ stand_in: { person: { id: string }; until: string } }>(
    app,
    "/companies/harbour/care",
  );
  expect(care.stand_in.person.id).toBe(people.hal.id);
  const incidents = await read<{ data: { owner: { id: string } }[] }>(
    app,
    "/companies/harbour/incidents?state=open",
  );
  expect(incidents.data.map(({ owner }) => owner.id)).toEqual([people.hal.id]);

  const allowances = await read<{ data: Record<string, unknown>[] }>(
    app,
    "/companies/northgate/allowances",
  );
  expect(allowances.data).toMatchObject([{ partner_name: "Procore", calls: 2500, per: "day" }]);

  const { rows } = await database.pool.query<{ company: string; kind: string; email: string }>(
    `select distinct company, kind, person_email as email from audit_log
     where company in ('northgate', 'harbour') order by company, kind`,
  );
  const email = "ada@example.com";
  expect(rows).toEqual([
    { company: "harbour", kind: "incident", email },
    { company: "northgate", kind: "allowance", email },
    { company: "northgate", kind: "quiet", email },
    { company: "northgate", kind: "share-link", email },
  ]);
});

test("names an integration once all schedule files are known", async ({ app }) => {
  const { clock, database, runtime, handlersRuntime } = app;
  const nowMs = clock.nowMs();
  const populate = () => populateDemoFiles({ ...handlersRuntime, ...runtime, ...HOME }, PEOPLE);
  const index = async (isComplete: boolean) => {
    await saveFileIndex(database.orm, "northgate", {
      scan: 1,
      nextPage: isComplete ? null : 2,
      scanStartedAt: new Date(nowMs),
      scannedAt: isComplete ? new Date(nowMs) : null,
      total: 1,
      complete: isComplete,
      asOf: new Date(nowMs),
      reason: null,
    });
    return populate();
  };
  expect(await populate()).toBe(false);
  expect(await index(false)).toBe(false);
  const files = sampleFiles(1, nowMs).map((file) => ({ ...file, partner_token_id: 901 }));
  await upsertFiles(database.orm, "northgate", files, { scan: 1, requestedMs: nowMs, nowMs });
  expect(await index(true)).toBe(true);
  const { data } = await read<{ data: Record<string, unknown>[] }>(
    app,
    "/companies/northgate/integrations",
  );
  expect(data).toMatchObject([{ partner_token_id: 901, name: "P6 Oslo", files: 1 }]);
});
