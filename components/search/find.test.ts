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

describe("search results", () => {
  test("are companies, the current company's pages and filters, and actions for an empty query", () => {
    const [company, page, verdict, action] = names("");
    expect(company).toEqual(["company", ["Northgate Builders", "Harbour Works", "Orchard"]]);
    expect(page).toEqual([
      "page",
      [
        "Today",
        "Partners",
        "Customers",
        "Overview",
        "Incidents",
        "Promises",
        "On-time report",
        "API calls",
        "Schedule files",
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

  test("have a partner before its endpoints, and the current company before others", () => {
    const [partners, endpoints] = find(companies, "harbour", "procore", ALL);
    expect(partners?.kind).toBe("partner");
    expect(partners?.items.map(({ within }) => within)).toEqual([
      ["Harbour Works"],
      ["2 customers"],
      ["Northgate Builders"],
    ]);
    expect(partners?.items[1]?.href).toBe("/partners/Procore");
    expect(endpoints?.items[0]?.href).toBe("/harbour/partners/Procore/h1");
    expect(endpoints?.items).toHaveLength(3);
  });

  test("include an endpoint by its written form, by parts, and by its id", () => {
    for (const query of ["Procore / daily_logs", "logs procore north", "n1"]) {
      expect(hrefs(query)[0]).toBe("/northgate/partners/Procore/n1");
    }
  });

  test("support any script, and names that need escaping in an address", () => {
    expect(hrefs("東京")[0]).toBe(`/northgate/partners/${encodeURIComponent("東京建設")}`);
    expect(hrefs("a/b")[0]).toBe("/northgate/partners/a%2Fb");
  });

  test("include another company's page by both names", () => {
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
  ])("include a page by its name and by its synonyms: %s", (query, href) => {
    expect(hrefs(query)).toContain(href);
  });

  test("include pages of all companies beside those of the current one", () => {
    expect(hrefs("incidents")).toEqual([
      "/northgate/incidents",
      "/incidents",
      "/harbour/incidents",
      "/orchard/incidents",
    ]);
    expect(hrefs("incidents", null)[0]).toBe("/incidents");
  });

  test("include verdict filters of the current company only", () => {
    expect(hrefs("stale")).toEqual(["/northgate?verdict=stale"]);
    expect(hrefs("failing feeds", "harbour")).toEqual(["/harbour?verdict=failing"]);
    expect(hrefs("stale", null)).toEqual([]);
  });

  test("include settings pages that the person may see, and a moment where a link can have one", () => {
    expect(hrefs("pair a tv")).toEqual(["/settings/displays"]);
    expect(hrefs("settings").toSorted()).toEqual(ADMINISTRATOR.map(({ href }) => href).toSorted());
    expect(hrefs("invite")).toEqual(["/settings/people"]);
    const none = { settings: settingsPages([]), hasMoment: false };
    for (const query of ["displays", "invite", "audit"]) {
      expect(find(companies, "northgate", query, none)).toEqual([]);
    }
    const [own] = find(companies, "northgate", "settings", none);
    expect(own?.items.map(({ href }) => href)).toEqual(["/settings/me", "/settings/tokens"]);
    expect(find(companies, "northgate", "moment", none)).toEqual([]);
  });

  test("have actions with a description instead of a link", () => {
    const [group] = find(companies, "northgate", "dark", ALL);
    expect(group).toMatchObject({ kind: "action", items: [{ action: "theme-dark" }] });
    expect(names("copy link")[0]).toEqual(["action", ["Copy link to this moment"]]);
    const without = find(companies, "northgate", "copy link", { ...ALL, hasMoment: false });
    expect(without[0]?.items.map(({ name }) => name)).toEqual(["Copy link"]);
  });

  test("contain nothing that doesn't exist, or is of a company without a snapshot", () => {
    expect(find(companies, "northgate", "zzz", ALL)).toEqual([]);
    expect(hrefs("rfis").some((href) => href.startsWith("/orchard"))).toBe(false);
  });

  test("are cut to a limit, with the number of further ones", () => {
    const rows = Array.from({ length: 40 }, (_, at) => row(`id${at}`, "Procore", `endpoint_${at}`));
    const [group] = find([{ slug: "one", name: "One", rows }], "one", "endpoint_", ALL);
    expect(group).toMatchObject({ kind: "endpoint", moreCount: 28 });
    expect(group?.items).toHaveLength(12);
  });

  test("have no list of all companies when there is one company", () => {
    const only = find([{ slug: "one", name: "One", rows: [] }], "one", "", ALL);
    expect(only.flatMap(({ items }) => items.map(({ href }) => href))).not.toContain("/");
  });
});
