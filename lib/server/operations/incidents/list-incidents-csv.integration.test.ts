import { expect, onTestFinished, vi } from "vitest";
import { HOUR_MS } from "@/lib/domain/time/units";
import { toWebResponse } from "@/lib/server/http/handler-response";
import { incidents } from "@/lib/server/store/schema/incidents";
import { incidentsTest, type IncidentsApp } from "./incidents-fixture";
import { listIncidents } from "./list-incidents";
import { listIncidentsCsv } from "./list-incidents-csv";

const AMOUNT = 1_100;

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.check("northgate", [{ id: "1", partner: "Sage", key: "costs", verdict: "fresh" }]);
  const nowMs = app.clock.nowMs();
  await app.database.orm.insert(incidents).values(
    Array.from({ length: AMOUNT }, (_, at) => {
      const began = new Date(nowMs - 2 * HOUR_MS - at);
      return {
        company: "northgate",
        id: 10_000 + at,
        partnerName: "Sage",
        openedAt: began,
        beganAt: began,
        endedAt: at % 2 === 0 ? null : new Date(nowMs - at),
        ending: at % 2 === 0 ? null : ("recovered" as const),
        verdict: at % 2 === 0 ? ("late" as const) : null,
        worstVerdict: "late" as const,
        flaps: 0,
        members: [],
      };
    }),
  );
});

function exported(app: IncidentsApp, query: string, most?: number) {
  const person = { ...app.people.ana, grants: [{ company: "northgate", role: "member" }] };
  const given = { company: "northgate", person, query: new URLSearchParams(query) } as never;
  return { given, answer: listIncidentsCsv(app.handlersRuntime, given, most) };
}

test("has all parts of the list in its order, and lists none before they are sent", async ({
  app,
}) => {
  const queries = vi.spyOn(app.database.pool, "query");
  onTestFinished(() => void vi.restoreAllMocks());
  const { given, answer } = exported(app, "partner=Sage");
  const table = await answer;
  const statements = JSON.stringify(queries.mock.calls.map(([statement]) => statement));
  expect(statements).toContain("count(*)");
  expect(statements).not.toContain("order by");
  const lines = (await toWebResponse(table).text()).trimEnd().split("\r\n").slice(1);
  const listed: number[] = [];
  for (let page = 1; page <= 3; page += 1) {
    const query = new URLSearchParams(`partner=Sage&per_page=500&page=${page}`);
    const view = await listIncidents(
      app.handlersRuntime as never,
      { ...(given as object), query } as never,
    );
    listed.push(...view.data.map(({ id }) => id));
  }
  expect(listed).toHaveLength(AMOUNT);
  expect(lines.map((line) => Number(line.split(",")[2]))).toEqual(listed);
});

test("has only the incidents that a search finds, as on the page", async ({ app }) => {
  const began = new Date(app.clock.nowMs() - HOUR_MS);
  await app.database.orm.insert(incidents).values({
    company: "northgate",
    id: 20_000,
    partnerName: "Ångström",
    openedAt: began,
    beganAt: began,
    endedAt: null,
    ending: null,
    verdict: "late" as const,
    worstVerdict: "late" as const,
    flaps: 0,
    members: [],
  });
  const linesOf = async (query: string) => {
    const table = await exported(app, query).answer;
    return (await toWebResponse(table).text()).trimEnd().split("\r\n").slice(1);
  };
  expect((await linesOf("q=north%20angs")).map((line) => line.split(",")[2])).toEqual(["20000"]);
  expect(await linesOf("q=sage&state=open")).toHaveLength(AMOUNT / 2);
  expect(await linesOf("q=aconex")).toEqual([]);
});

test("is refused before anything is sent where there are too many, or the query is wrong", async ({
  app,
}) => {
  const code = "invalid_request";
  await expect(exported(app, "", AMOUNT - 1).answer).rejects.toMatchObject({ code });
  await expect(exported(app, "state=closed").answer).rejects.toMatchObject({ code });
  await expect(exported(app, "q=%00").answer).rejects.toMatchObject({ code });
});
