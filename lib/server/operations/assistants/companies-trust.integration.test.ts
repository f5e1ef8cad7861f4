import { expect } from "vitest";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { createToken } from "@/lib/server/gate/token-fixture";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { observe } from "@/lib/server/operations/today/observe-fixture";
import { runs } from "@/lib/server/store/schema/record";
import { connectAssistant, serveAssistants } from "./assistants-fixture";

const ACONEX: Found = { id: "n2", partner: "Aconex", key: "mail", verdict: "stale", overdue: 200 };
const SAGE: Found = { id: "h1", partner: "Sage", key: "costs", verdict: "stale", overdue: 200 };

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  app.serve(app.handlersRuntime as never);
  await app.database.orm.delete(runs);
  await observe(app, "northgate", [ACONEX]);
  await observe(app, "harbour", [SAGE]);
});

/** Sees both companies. */
async function connected(app: IncidentsApp) {
  const { token } = await createToken(app.people.ada.browser);
  return connectAssistant(await serveAssistants(app), token);
}

test("has companies that we can't see, though their last check lacks the partner", async ({
  app,
}) => {
  const assistant = await connected(app);
  const checkedMs = app.clock.nowMs();
  await app.clock.advance(HOUR_MS);
  await observe(app, "harbour", [SAGE]);
  for (const [name, others] of [
    ["what_needs_attention", "Nothing here covers the others."],
    ["partner", "What is said of the others is from their last check."],
  ] as const) {
    const { value } = await assistant.call(name, { partner: "Sage" });
    expect({ name, ...value }).toMatchObject({
      name,
      as_of: iso(app.clock.nowMs()),
      confidence: `Incomplete: we see 1 of 2 companies. ${others}`,
      not_checked: [{ company: "northgate", since: iso(checkedMs) }],
      items: [{}],
    });
  }
});

test("says the past of an earlier instant, with the companies that we saw then", async ({
  app,
}) => {
  const assistant = await connected(app);
  const thenMs = app.clock.nowMs() + MINUTE_MS;
  await app.clock.advance(HOUR_MS);
  await observe(app, "northgate", [ACONEX]);
  await observe(app, "harbour", [SAGE]);
  const expectThen = async (given: Record<string, unknown>, said: string, ofOthers = ["", ""]) => {
    for (const [index, name] of ["what_needs_attention", "partner"].entries()) {
      const { value } = await assistant.call(name, { partner: "Sage", ...given });
      const confidence = `${said}${ofOthers[index] ?? ""}`;
      expect({ name, ...value }).toMatchObject({ name, as_of: given["at"], confidence });
    }
  };
  await expectThen({ at: iso(thenMs) }, "As recorded at that time, when we saw all 2 companies.");
  await app.database.pool.query(
    `insert into gaps (company, from_at, until_at, reason) values ('northgate', $1, $2, 'unreachable')`,
    [iso(thenMs + 5 * MINUTE_MS), iso(thenMs + 30 * MINUTE_MS)],
  );
  await expectThen(
    { at: iso(thenMs + 20 * MINUTE_MS) },
    "As recorded at that time, when we saw 1 of 2 companies.",
    [
      " Nothing here covers the others.",
      " What is said of the others is from their last check before.",
    ],
  );
});

test("says the delay of incidents and changes, as of the oldest last check", async ({ app }) => {
  const checkedMs = app.clock.nowMs();
  await app.clock.advance(3 * MINUTE_MS);
  await observe(app, "harbour", [SAGE]);
  const assistant = await connected(app);
  for (const name of ["incidents", "what_changed"]) {
    const { value } = await assistant.call(name);
    expect({ name, ...value }).toMatchObject({
      name,
      as_of: iso(checkedMs),
      confidence: expect.stringMatching(
        /^Delayed: we see all 2 companies, 1 of them with a delay\./,
      ),
    });
  }
});

test("lists an endpoint's runs as they stood at an instant", async ({ app }) => {
  const assistant = await connected(app);
  const nowMs = app.clock.nowMs();
  const run = (startedMs: number, minutes: number) => ({
    company: "northgate",
    endpointId: "n2",
    startedAt: new Date(startedMs),
    finishedAt: new Date(startedMs + minutes * MINUTE_MS),
    status: "completed",
    durationSeconds: minutes * 60,
    firstSeenAt: new Date(startedMs),
    origin: "observed",
  });
  await app.database.orm
    .insert(runs)
    .values([run(nowMs - 2 * HOUR_MS, 5), run(nowMs - MINUTE_MS, 5), run(nowMs + HOUR_MS, 5)]);
  await app.clock.advance(2 * HOUR_MS);
  const of = { company: "northgate", endpoint: "n2" };
  const { value: now } = await assistant.call("endpoint", of);
  expect(now).toMatchObject({ total: 3 });
  const { value: then } = await assistant.call("endpoint", { ...of, at: iso(nowMs) });
  expect(then).toMatchObject({
    total: 2,
    items: [
      {
        started_at: iso(nowMs - MINUTE_MS),
        finished_at: null,
        status: "in_progress",
        duration_seconds: null,
      },
      { started_at: iso(nowMs - 2 * HOUR_MS), status: "completed", duration_seconds: 300 },
    ],
  });
});

test("lists incidents of companies that we can't see as of their last check, and says so", async ({
  app,
}) => {
  const assistant = await connected(app);
  await app.clock.advance(HOUR_MS);
  await observe(app, "harbour", [SAGE]);
  for (const name of ["incidents", "what_changed"]) {
    const { value } = await assistant.call(name);
    expect({ name, ...value }).toMatchObject({
      name,
      confidence: expect.stringMatching(
        /^Incomplete: we see 1 of 2 companies\. What is said of the others is from their last check\./,
      ),
      items: expect.arrayContaining([expect.objectContaining({ company: "northgate" })]),
    });
  }
});

test("says of a company that was never checked that it has no last check", async ({ app }) => {
  const connections = [
    { company: "northgate", name: "Northgate Builders" },
    { company: "quarry", name: "Quarry" },
  ];
  app.serve({ ...app.handlersRuntime, connections } as never);
  const assistant = await connected(app);
  const { value } = await assistant.call("incidents");
  expect(value).toMatchObject({
    confidence: "Incomplete: we see 1 of 2 companies. The other was never checked.",
    not_checked: [{ company: "quarry", since: null }],
  });
  const { value: one } = await assistant.call("incidents", { company: "quarry" });
  expect(one).toMatchObject({
    as_of: null,
    confidence: "Not current: we can’t see this company. It was never checked.",
  });
});

test("has a company's external id, if it has one", async ({ app }) => {
  const connections = [
    { company: "northgate", name: "Northgate Builders", externalId: "CRM-7" },
    { company: "harbour", name: "Harbour" },
  ];
  app.serve({ ...app.handlersRuntime, connections } as never);
  const assistant = await connected(app);
  const all = await assistant.call("incidents");
  const ids = (all.value["items"] as Record<string, unknown>[]).map((item) => [
    item["company"],
    item["external_id"],
  ]);
  expect(new Map(ids as [string, unknown][])).toEqual(
    new Map([
      ["northgate", "CRM-7"],
      ["harbour", undefined],
    ]),
  );
  const of = (company: string) => assistant.call("what_to_tell_the_customer", { company });
  expect((await of("northgate")).value).toMatchObject({ external_id: "CRM-7" });
  expect((await of("harbour")).value).not.toHaveProperty("external_id");

  // Also where nothing could be checked.
  await app.clock.advance(HOUR_MS);
  for (const name of ["what_needs_attention", "incidents", "what_changed"]) {
    const { value } = await assistant.call(name);
    expect({ name, ...value }).toMatchObject({
      name,
      not_checked: expect.arrayContaining([
        expect.objectContaining({ company: "northgate", external_id: "CRM-7" }),
      ]),
    });
  }
});
