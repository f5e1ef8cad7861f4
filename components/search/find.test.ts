import { describe, expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { settingsPages } from "@/lib/domain/words/settings-pages";
import { find, type SearchCompany } from "./find";

const row = (id: string, partner_name: string, endpoint_key: string) =>
  rowFixture({ id, partner_name, endpoint_key });

const companies: readonly SearchCompany[] = [
  {
    slug: "northgate",
    name: "Northgate Builders",
    rows: [
      row("n1", "Procore", "daily_logs"),
      row("n2", "Procore", "rfis"),
      row("n3", "東京建設", "rfis"),
      row("n4", "a/b", "rfis"),
    ],
  },
  { slug: "harbour", name: "Harbour Works", rows: [row("h1", "Procore", "rfis")] },
  { slug: "orchard", name: "Orchard", rows: null },
];

const ADMINISTRATOR = settingsPages([{ role: "administrator", company: null }]);
const ALL = { settings: ADMINISTRATOR, hasMoment: true };
const names = (query: string, here: string | null = "northgate") =>
  find(companies, here, query, ALL).map(({ kind, items }) => [kind, items.map(({ name }) => name)]);
const hrefs = (query: string, here: string | null = "northgate") =>
  find(companies, here, query, ALL).flatMap(({ items }) => items.map(({ href }) => href));

describe("what is found", () => {
  test("without a query: companies, pages and filters of the one we are at, and what can be done", () => {
    const [company, page, verdict, action] = names("");
    expect(company).toEqual(["company", ["Northgate Builders", "Harbour Works", "Orchard"]]);
    expect(page).toEqual([
      "page",
      [
        "All companies",
        "Overview",
        "Incidents",
        "On-time report",
        "API calls",
        "Schedules",
        "Activity",
        "Wall",
        ...ADMINISTRATOR.map(({ label }) => label),
      ],
    ]);
    expect(verdict?.[0]).toBe("verdict");
    expect(verdict?.[1]).toHaveLength(8);
    expect(action?.[0]).toBe("action");
    expect(hrefs(" ")).toContain("/northgate/api-calls");
  });

  test("a partner comes before its endpoints, and the company at hand before others", () => {
    const [partners, endpoints] = find(companies, "harbour", "procore", ALL);
    expect(partners?.kind).toBe("partner");
    expect(partners?.items.map(({ within }) => within)).toEqual([
      ["Harbour Works"],
      ["Northgate Builders"],
    ]);
    expect(endpoints?.items[0]?.href).toBe("/harbour/partners/Procore/h1");
    expect(endpoints?.items).toHaveLength(3);
  });

  test("an endpoint is found as it is written, by parts, and by its id", () => {
    for (const query of ["Procore / daily_logs", "logs procore north", "n1"]) {
      expect(hrefs(query)[0]).toBe("/northgate/partners/Procore/n1");
    }
  });

  test("any script, and names that an address has to escape", () => {
    expect(hrefs("東京")[0]).toBe(`/northgate/partners/${encodeURIComponent("東京建設")}`);
    expect(hrefs("a/b")[0]).toBe("/northgate/partners/a%2Fb");
  });

  test("a page of another company is found by both names", () => {
    expect(hrefs("orchard api")).toEqual(["/orchard/api-calls"]);
  });

  test.each([
    ["overview", "/northgate"],
    ["incidents", "/northgate/incidents"],
    ["problems", "/northgate/incidents"],
    ["report", "/northgate/report"],
    ["sla", "/northgate/report"],
    ["api calls", "/northgate/api-calls"],
    ["usage", "/northgate/api-calls"],
    ["schedules", "/northgate/schedules"],
    ["files", "/northgate/schedules"],
    ["activity", "/northgate/activity"],
    ["wall", "/northgate/wall"],
    ["profile", "/settings/me"],
    ["alerts", "/settings/alerts"],
    ["share links", "/settings/links"],
    ["people", "/settings/people"],
    ["channels", "/settings/channels"],
    ["rules", "/settings/rules"],
    ["displays", "/settings/displays"],
    ["connections", "/settings/connections"],
    ["audit", "/settings/activity"],
  ])("a page is found by its name and by what else it is called: %s", (query, href) => {
    expect(hrefs(query)).toContain(href);
  });

  test("pages of all companies are found beside those of the company at hand", () => {
    expect(hrefs("incidents")).toEqual([
      "/northgate/incidents",
      "/incidents",
      "/harbour/incidents",
      "/orchard/incidents",
    ]);
    expect(hrefs("incidents", null)[0]).toBe("/incidents");
  });

  test("a verdict leads to the overview with that filter, of the company at hand only", () => {
    expect(hrefs("stale")).toEqual(["/northgate?verdict=stale"]);
    expect(hrefs("failing endpoints", "harbour")).toEqual(["/harbour?verdict=failing"]);
    expect(hrefs("stale", null)).toEqual([]);
  });

  test("pages of the settings are offered to who may see them, and a moment where a link can name it", () => {
    expect(hrefs("pair a tv")).toEqual(["/settings/displays"]);
    expect(hrefs("settings").toSorted()).toEqual(ADMINISTRATOR.map(({ href }) => href).toSorted());
    expect(hrefs("invite")).toEqual(["/settings/people"]);
    const none = { settings: settingsPages([]), hasMoment: false };
    for (const query of ["displays", "invite", "audit"]) {
      expect(find(companies, "northgate", query, none)).toEqual([]);
    }
    const [own] = find(companies, "northgate", "settings", none);
    expect(own?.items.map(({ href }) => href)).toEqual(["/settings/me"]);
    expect(find(companies, "northgate", "moment", none)).toEqual([]);
  });

  test("an action says what it does, and leads nowhere", () => {
    const [group] = find(companies, "northgate", "dark", ALL);
    expect(group).toMatchObject({ kind: "action", items: [{ action: "theme-dark" }] });
    expect(names("copy link")[0]).toEqual(["action", ["Copy link", "Copy link to this moment"]]);
  });

  test("what is nowhere is not found, and of a company not yet read nothing is made up", () => {
    expect(find(companies, "northgate", "zzz", ALL)).toEqual([]);
    expect(hrefs("rfis").some((href) => href.startsWith("/orchard"))).toBe(false);
  });

  test("a long list is cut, and says by how much", () => {
    const rows = Array.from({ length: 40 }, (_, at) => row(`id${at}`, "Procore", `endpoint_${at}`));
    const [group] = find([{ slug: "one", name: "One", rows }], "one", "endpoint_", ALL);
    expect(group).toMatchObject({ kind: "endpoint", moreCount: 28 });
    expect(group?.items).toHaveLength(12);
  });

  test("with one company there is no list of all to go to", () => {
    const only = find([{ slug: "one", name: "One", rows: [] }], "one", "", ALL);
    expect(only.flatMap(({ items }) => items.map(({ href }) => href))).not.toContain("/");
  });
});
