import { expect } from "vitest";
import { OPEN_LISTS } from "@/lib/contracts/lists/open-lists";
import { iso } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { withParams } from "@/lib/server/gate/app-fixture";
import { routeAt } from "@/lib/server/gate/routes-fixture";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";

const FOUND: readonly Found[] = [
  { id: "1", partner: "Procore", key: "rfis", verdict: "failing", overdue: 40 },
  { id: "2", partner: "Aconex", key: "mail", verdict: "stale", overdue: 200 },
];
const PATH = "/companies/northgate";
const { incidents, quiet } = OPEN_LISTS;
const LISTS = [
  [incidents.header, `incidents?${new URLSearchParams(incidents.query).toString()}`],
  [quiet.header, `expectations?${new URLSearchParams(quiet.query).toString()}`],
] as const;

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.check("northgate", FOUND);
  await app.check("harbour", [{ id: "h", partner: "Procore", key: "rfis", verdict: "stale" }]);
});

type Name = "ana" | "bo" | "vera";

async function revalidated(app: IncidentsApp, as: Name, etag: string): Promise<Response> {
  const handler = await routeAt("/api/companies/[company]/sync-status", "GET");
  const headers = { "if-none-match": etag };
  const request = app.people[as].browser.request(`/api${PATH}/sync-status`, { headers });
  return handler(request, withParams({ company: "northgate" }));
}

test("sends the lists' ETags with the snapshot, as each person has them", async ({ app }) => {
  const same = async () => {
    const all: string[] = [];
    for (const as of ["ana", "bo", "vera"] as const) {
      const whole = await app.ask(as, "GET", `${PATH}/sync-status`);
      const unchanged = await revalidated(app, as, whole.headers.get("etag") ?? "");
      expect([whole.status, unchanged.status]).toEqual([200, 304]);
      for (const [header, path] of LISTS) {
        const etag = (await app.ask(as, "GET", `${PATH}/${path}`)).headers.get("etag") ?? "";
        expect(etag).not.toBe("");
        expect(whole.headers.get(header)).toBe(etag);
        expect(unchanged.headers.get(header)).toBe(etag);
        all.push(etag);
      }
    }
    return all;
  };
  const first = await same();
  await app.ask("ana", "PUT", `${PATH}/incidents/1/acknowledgement`, {});
  const acknowledged = await same();
  expect(acknowledged.filter((etag) => first.includes(etag))).toHaveLength(3);
  const until = iso(app.clock.nowMs() + MINUTE_MS);
  await app.ask("bo", "POST", `${PATH}/expectations`, { reason: "upgrade", until });
  const planned = await same();
  expect(planned.filter((etag) => acknowledged.includes(etag))).toHaveLength(3);
  await app.clock.advance(MINUTE_MS);
  await same();
  await app.check("northgate", FOUND.slice(1));
  await same();
});

test("sends the snapshot while what is open can't be read", async ({ app }) => {
  await app.whileAway("incidents", async () => {
    const { status, headers } = await app.ask("ada", "GET", "/companies/harbour/sync-status");
    expect(status).toBe(200);
    expect(headers.get(incidents.header)).toBe("");
  });
});
