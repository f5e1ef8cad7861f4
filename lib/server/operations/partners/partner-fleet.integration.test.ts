import { expect } from "vitest";
import { PartnerView } from "@/lib/contracts/partners/partners";
import { SECOND_MS } from "@/lib/domain/time/units";
import { createBrowser } from "@/lib/server/gate/app-fixture";
import { routeAt } from "@/lib/server/gate/routes-fixture";
import { incidentsTest } from "@/lib/server/operations/incidents/incidents-fixture";

const SLUGS = ["northgate", "harbour", "quarry", "summit"];

const test = incidentsTest();

test("shows the fleet incident over the companies of a person, if they see two of it", async ({
  app,
}) => {
  await app.begin();
  const connections = SLUGS.map((company) => ({ company, name: company.toUpperCase() }));
  app.serve({ ...app.handlersRuntime, connections } as never);
  for (const company of SLUGS.slice(0, 3)) {
    await app.clock.advance(SECOND_MS);
    await app.check(company, [
      { id: `${company}-1`, partner: "Procore", key: "rfis", verdict: "failing" },
    ]);
  }
  await app.foldFleets();
  const fleetOf = async (email: string, companies: readonly string[]) => {
    await app.addPerson(email, "viewer", companies);
    const browser = createBrowser(app.runtime);
    await browser.signIn(email);
    const get = await routeAt("/api/partners/[partner]", "GET");
    const params = { partner: "Procore" };
    const answer = await browser.send(get, "/api/partners/Procore", { method: "GET", params });
    return PartnerView.parse(await answer.json()).fleet_incident;
  };
  const two = await fleetOf("two@example.com", ["northgate", "harbour"]);
  expect(two?.companies.map(({ company }) => company)).toEqual(["harbour", "northgate"]);
  expect(JSON.stringify(two)).not.toMatch(/quarry|summit/i);
  expect(await fleetOf("one@example.com", ["northgate", "summit"])).toBeNull();
});
