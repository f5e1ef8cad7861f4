import { expect, test, type Page } from "@playwright/test";
import type { CompaniesView } from "@/lib/contracts/dashboard";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import {
  beSignedIn,
  demoApp,
  expectNoViolation,
  expectNoViolationInAnyForm,
  openWithoutScripts,
  signIn,
  syncStatus,
} from "./app";

const app = demoApp();

async function companiesOf(page: Page): Promise<CompaniesView["companies"]> {
  const answer = await page.request.get(`${app.address}/api/companies`);
  return ((await answer.json()) as CompaniesView).companies;
}

const searchInput = (page: Page) => page.getByRole("combobox", { name: /^Find a company/ });
const found = (page: Page) => page.getByRole("option");

/** Once is enough, be the page hydrated or not: a second time would close what the first has opened. */
async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(searchInput(page)).toBeFocused({ timeout: 30_000 });
}

const openUnhydrated = (page: Page, path: string) =>
  openWithoutScripts(page, `${app.address}${path}`, page.getByRole("grid"));

test("what is typed for the search before the page is hydrated is shown, and stands in its field", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await syncStatus(page, app, "northgate");
  const wake = await openUnhydrated(page, "/northgate");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("procre");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("ore");
  await expect(page.locator(".find")).toHaveAttribute("data-pending-search", "procore");
  wake();
  await expect(searchInput(page)).toBeFocused();
  await expect(searchInput(page)).toHaveValue("procore");
  await page.keyboard.type(" rfis");
  await expect(searchInput(page)).toHaveValue("procore rfis");
});

test("what is typed into the filter before the page is hydrated stays there, and filters", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await syncStatus(page, app, "northgate");
  const wake = await openUnhydrated(page, "/northgate");
  const filter = page.locator('[aria-keyshortcuts="/"]');
  await page.keyboard.press("/");
  await expect(filter).toBeFocused();
  await page.keyboard.type("zzzz");
  await expect(filter).toHaveValue("zzzz");
  wake();
  await expect(page).toHaveURL(/[?&]q=zzzz/);
  await expect(filter).toHaveValue("zzzz");
  await expect(page.getByRole("grid").getByRole("row")).toHaveCount(0);
});

test("keys for the rows that are pressed before the page is hydrated are played in their order", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await syncStatus(page, app, "northgate");
  const wake = await openUnhydrated(page, "/northgate");
  await page.keyboard.press("1");
  await page.keyboard.press("2");
  wake();
  await expect(page).toHaveURL(/[?&]verdict=stale/);
  const grid = page.getByRole("grid");
  await expect(grid.locator(".badge")).not.toHaveCount(0);
  await expect(grid.locator('.badge:not([data-verdict="stale"])')).toHaveCount(0);
  const first = grid.locator("[data-line]").first();
  await page.keyboard.press("j");
  await expect(first).toBeFocused();
  await first.blur();
  await expect(first).not.toBeFocused();
  await page.keyboard.press("j");
  await expect(first).toBeFocused();
});

test("by keys only: open, find an endpoint of another company, go there", async ({ page }) => {
  await signIn(page, app, "/northgate");
  const [row] = (await syncStatus(page, app, "harbour")).rows;
  if (row === undefined) throw new Error("harbour has no endpoint");
  await page.getByRole("link", { name: "Overview" }).focus();
  await openSearch(page);
  await page.keyboard.type(`harbour ${row.partner_name} / ${row.endpoint_key}`);
  const first = found(page).first();
  await expect(first).toHaveAttribute("href", endpointPath("harbour", row.partner_name, row.id));
  await expect(first).toHaveAccessibleName(new RegExp(row.endpoint_key));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(
    `${app.address}${endpointPath("harbour", row.partner_name, row.id)}`,
  );
  await expect(searchInput(page)).toBeHidden();
});

test("arrows choose, Escape closes, and the focus is where it was", async ({ page }) => {
  await signIn(page, app, "/northgate");
  const overview = page.getByRole("link", { name: "Overview" });
  await overview.focus();
  await openSearch(page);
  const chosen = () =>
    page
      .getByRole("option", { selected: true })
      .or(page.locator("[role=option][data-highlighted]"));
  await expect(chosen()).toHaveCount(1);
  const before = await chosen().textContent();
  await page.keyboard.press("ArrowDown");
  await expect(chosen()).not.toHaveText(before ?? "");
  await expect(searchInput(page)).toHaveAttribute("aria-activedescendant", /./);
  await page.keyboard.press("Escape");
  await expect(searchInput(page)).toBeHidden();
  await expect(overview).toBeFocused();
});

test("an action is done where one is, and a verdict leads to its filter", async ({ page }) => {
  await signIn(page, app, "/northgate/schedules");
  await openSearch(page);
  await page.keyboard.type("dark th");
  await expect(found(page)).toHaveText(["Dark theme"]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Theme: dark." })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(searchInput(page)).toHaveValue("dark th");
  await expect(page).toHaveURL(`${app.address}/northgate/schedules`);
  await searchInput(page).fill("stale endp");
  await expect(found(page).first()).toHaveAttribute("href", "/northgate?verdict=stale");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.address}/northgate?verdict=stale`);
  await expect(searchInput(page)).toBeHidden();
});

test("a partner of any script is found without accents or case, and nothing is kept", async ({
  page,
}) => {
  await signIn(page, app, "/northgate");
  const { rows } = await syncStatus(page, app, "northgate");
  const name = rows[0]?.partner_name ?? "";
  await page.getByRole("button", { name: "Find partner, endpoint" }).click();
  await searchInput(page).fill(name.toUpperCase());
  await expect(found(page).first()).toHaveAttribute("href", partnerPath("northgate", name));
  await searchInput(page).fill("no such thing anywhere");
  await expect(page.getByText("matches “no such thing anywhere”")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Find partner, endpoint" }).click();
  await expect(searchInput(page)).toHaveValue("");
});

test("other companies are asked only once somebody types, and only those one may see", async ({
  page,
}) => {
  await signIn(page, app, "/northgate");
  await syncStatus(page, app, "northgate");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith("/sync-status") && !pathname.includes("northgate")) asked.push(pathname);
  });
  await openSearch(page);
  await expect(page.getByRole("group", { name: "Companies" })).toBeVisible();
  expect(asked).toEqual([]);
  await page.keyboard.type("pro");
  await expect
    .poll(() => asked.toSorted())
    .toEqual(["/api/companies/harbour/sync-status", "/api/companies/orchard/sync-status"]);
  await page.keyboard.type("core");
  await expect(found(page).first()).toBeVisible();
  expect(asked).toHaveLength(2);
});

test("schedule files are found by the server, from two letters on, and lead to their page or the list", async ({
  page,
}) => {
  await signIn(page, app, "/northgate");
  await syncStatus(page, app, "northgate");
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/schedule-files")) asked.push(searchParams.get("q") ?? "");
  });
  const files = page.getByRole("group", { name: "Schedule files" });
  await openSearch(page);
  await page.keyboard.type("t");
  await expect(found(page).first()).toBeVisible();
  await page.keyboard.type("ower", { delay: 20 });
  await expect(files.getByRole("option").first()).toBeVisible();
  expect(asked.length).toBeLessThan(4);
  expect(asked.filter((text) => text.length < 2)).toEqual([]);
  await expectNoViolation(page);

  const answer = await page.request.get(
    `${app.address}/api/companies/northgate/schedule-files?q=tower&per_page=6`,
  );
  const { data, meta } = (await answer.json()) as ScheduleFilesView;
  expect(meta.total_count).toBeGreaterThan(6);
  await expect(files.getByRole("option")).toHaveCount(7);
  await expect(files.getByRole("option").first()).toHaveAttribute(
    "href",
    `/northgate/schedules/${data[0]?.id}`,
  );
  await files.getByRole("option", { name: /^All \d+ matching files/ }).click();
  await expect(page).toHaveURL(`${app.address}/northgate/schedules?q=tower`);
  await expect(searchInput(page)).toBeHidden();
});

test("the search and the list of companies lock nobody out, in any form", async ({ page }) => {
  await signIn(page, app);
  await expect(page.getByRole("table", { name: /Companies/ })).toBeVisible();
  await expectNoViolationInAnyForm(page);
  await page.getByRole("button", { name: "Find partner, endpoint" }).click();
  await expect(searchInput(page)).toBeFocused();
  await expectNoViolationInAnyForm(
    page,
    () => expect(searchInput(page)).toBeVisible(),
    "[role=dialog]",
  );
  await searchInput(page).fill("pro");
  await expectNoViolationInAnyForm(
    page,
    () => expect(found(page).first()).toBeVisible(),
    "[role=dialog]",
  );
});

test("the list of companies is the API's, worst first, and keys lead through it", async ({
  page,
}) => {
  await beSignedIn(page, app);
  for (const company of ["northgate", "harbour", "orchard"]) await syncStatus(page, app, company);
  await page.goto(`${app.address}/`);
  const companies = await companiesOf(page);
  expect(companies.map(({ slug }) => slug)).toEqual(["northgate", "harbour", "orchard"]);
  const table = page.getByRole("table", { name: "Companies, worst first" });
  for (const { name, counts } of companies) {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    await expect(table.getByRole("row", { name })).toContainText(String(total));
  }
  await expect(table.getByRole("link").first()).toHaveText("Northgate Builders");
  await table.getByRole("link").first().focus();
  await page.keyboard.press("j");
  await expect(table.getByRole("rowheader").nth(1).getByRole("link")).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.address}/northgate`);
});

test("the list asks for itself again, and goes on by itself when a company changes", async ({
  page,
}) => {
  await signIn(page, app);
  const again = page.waitForResponse((response) => response.url().endsWith("/api/companies"));
  expect((await again).status()).toBe(200);
});

test("the list of companies is for those who are signed in, and takes no other method", async ({
  page,
  request,
}) => {
  expect((await request.get(`${app.address}/api/companies`)).status()).toBe(401);
  await beSignedIn(page, app);
  const answer = await page.request.get(`${app.address}/api/companies`);
  expect(answer.headers()["cache-control"]).toBe("private, no-store");
  const other = await page.request.post(`${app.address}/api/companies`, { data: {} });
  expect([other.status(), other.headers()["allow"]]).toEqual([405, "GET, HEAD"]);
});
