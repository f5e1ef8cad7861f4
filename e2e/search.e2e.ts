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

const searchInput = (page: Page) => page.getByRole("combobox", { name: /^Find a customer/ });
const found = (page: Page) => page.getByRole("option");

/** Once, whether hydrated or not: a second press would close it again. */
async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await expect(searchInput(page)).toBeFocused({ timeout: 30_000 });
}

const openUnhydrated = (page: Page, path: string) =>
  openWithoutScripts(page, `${app.address}${path}`, page.getByRole("grid"));

test("shows text typed for the search before hydration, and keeps it in the field", async ({
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

test("keeps text typed into the filter before hydration, and filters by it", async ({ page }) => {
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

test("replays row keys pressed before hydration in order", async ({ page }) => {
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

test("opens, finds an endpoint of another company, and goes there by keyboard", async ({
  page,
}) => {
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

test("chooses by arrows, closes on Escape, and restores the focus", async ({ page }) => {
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

test("runs an action in place, and opens a verdict's filter", async ({ page }) => {
  await signIn(page, app, "/northgate/schedules");
  await openSearch(page);
  await page.keyboard.type("dark th");
  await expect(found(page)).toHaveText(["Dark theme"]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Theme: dark." })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(searchInput(page)).toHaveValue("dark th");
  await expect(page).toHaveURL(`${app.address}/northgate/schedules`);
  await searchInput(page).fill("stale fee");
  await expect(found(page).first()).toHaveAttribute("href", "/northgate?verdict=stale");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.address}/northgate?verdict=stale`);
  await expect(searchInput(page)).toBeHidden();
});

test("finds a partner in any script without accents or case, and stores nothing", async ({
  page,
}) => {
  await signIn(page, app, "/northgate");
  const { rows } = await syncStatus(page, app, "northgate");
  const name = rows[0]?.partner_name ?? "";
  await page.getByRole("button", { name: "Find partner, feed" }).click();
  await searchInput(page).fill(name.toUpperCase());
  await expect(found(page).first()).toHaveAttribute("href", partnerPath("northgate", name));
  await searchInput(page).fill("no such thing anywhere");
  await expect(page.getByText("matches “no such thing anywhere”")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Find partner, feed" }).click();
  await expect(searchInput(page)).toHaveValue("");
});

test("requests other companies only when typing, and only accessible ones", async ({ page }) => {
  await signIn(page, app, "/northgate");
  await syncStatus(page, app, "northgate");
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith("/sync-status") && !pathname.includes("northgate"))
      requests.push(pathname);
  });
  await openSearch(page);
  await expect(page.getByRole("group", { name: "Customers" })).toBeVisible();
  expect(requests).toEqual([]);
  await page.keyboard.type("pro");
  await expect
    .poll(() => requests.toSorted())
    .toEqual(["/api/companies/harbour/sync-status", "/api/companies/orchard/sync-status"]);
  await page.keyboard.type("core");
  await expect(found(page).first()).toBeVisible();
  expect(requests).toHaveLength(2);
});

test("finds schedule files by the server from two letters on, with links to their page or the list", async ({
  page,
}) => {
  await signIn(page, app, "/northgate");
  await syncStatus(page, app, "northgate");
  const requests: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/schedule-files")) requests.push(searchParams.get("q") ?? "");
  });
  const files = page.getByRole("group", { name: "Schedule files" });
  await openSearch(page);
  await page.keyboard.type("t");
  await expect(found(page).first()).toBeVisible();
  await page.keyboard.type("ower", { delay: 20 });
  await expect(files.getByRole("option").first()).toBeVisible();
  expect(requests.length).toBeLessThan(4);
  expect(requests.filter((text) => text.length < 2)).toEqual([]);
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

test("passes accessibility checks of the search and the list of companies, in any form", async ({
  page,
}) => {
  await signIn(page, app, "/companies");
  await expect(page.getByRole("table", { name: /Customers/ })).toBeVisible();
  await expectNoViolationInAnyForm(page);
  await page.getByRole("button", { name: "Find partner, feed" }).click();
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

test("lists companies as in the API, worst first, with keyboard navigation", async ({ page }) => {
  await beSignedIn(page, app);
  for (const company of ["northgate", "harbour", "orchard"]) await syncStatus(page, app, company);
  await page.goto(`${app.address}/companies`);
  const companies = await companiesOf(page);
  expect(companies.map(({ slug }) => slug)).toEqual(["northgate", "harbour", "orchard"]);
  const table = page.getByRole("table", { name: "Customers, worst first" });
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

test("refreshes the list automatically, and stops on a company change", async ({ page }) => {
  await signIn(page, app, "/companies");
  const again = page.waitForResponse((response) => response.url().endsWith("/api/companies"));
  expect((await again).status()).toBe(200);
});

test("restricts the API of the list to signed-in people and GET", async ({ page, request }) => {
  expect((await request.get(`${app.address}/api/companies`)).status()).toBe(401);
  await beSignedIn(page, app);
  const answer = await page.request.get(`${app.address}/api/companies`);
  expect(answer.headers()["cache-control"]).toBe("private, no-store");
  const other = await page.request.post(`${app.address}/api/companies`, { data: {} });
  expect([other.status(), other.headers()["allow"]]).toEqual([405, "GET, HEAD"]);
});
