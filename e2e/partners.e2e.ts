import { readFileSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import {
  addPerson,
  expectNoViolationInAnyForm,
  openWithoutScripts,
  PHONE,
  showAs,
  signIn,
  type App,
} from "./app";
import { fleetOfTests, rowsWith } from "./fleet";
import { TIME } from "./times";

const PROCORE = "Procore";
const fleet = fleetOfTests([
  { slug: "calm", name: "Ashdown Estates", rows: () => rowsWith(6, ["due"], PROCORE) },
  {
    slug: "north",
    name: "Northgate Builders",
    rows: () => rowsWith(5, ["failing", "late"], PROCORE),
  },
  { slug: "harbour", name: "Harbour Civil Works", rows: () => rowsWith(4, ["late"], PROCORE) },
  { slug: "tarn", name: "Tarn Airports", rows: () => rowsWith(3, [], PROCORE) },
  { slug: "osmond", name: "Osmond Steel", rows: () => rowsWith(4, ["stale"], "Aconex") },
]);
let app: App;
test.beforeAll(() => {
  ({ app } = fleet);
});

const sentence = (page: Page) => page.getByRole("heading", { level: 1 });
const table = (page: Page) => page.getByRole("table", { name: "Procore by customer" });
const row = (page: Page, name: string) => table(page).getByRole("row").filter({ hasText: name });

/** Opens the partner's page once all companies were checked. */
async function opened(page: Page, path = "/partners/Procore") {
  await signIn(page, app, path);
  // Before the first checks, no customer is known to have it.
  await expect(async () => {
    await page.goto(`${app.address}${path}`);
    await expect(sentence(page)).toContainText("Procore is behind", { timeout: 1000 });
  }).toPass();
  await expect(sentence(page)).toHaveText(
    new RegExp(String.raw`^Procore is behind at 2 of 4 customers since ${TIME}; 2 are on time$`),
    { timeout: 60_000 },
  );
}

test("lists partners, and leads to one of them at all customers", async ({ page }) => {
  await opened(page);
  await page.goto(`${app.address}/partners`);
  const partners = page.getByRole("table", { name: "Partners" });
  await expect(partners.getByRole("row").nth(1)).toContainText(/^Procore4 customers2 behind/);
  await expect(partners.getByRole("row").nth(2)).toContainText(/^Aconex1 customer1 behind/);
  await expect(
    page.getByRole("navigation", { name: "Pages" }).getByText("Partners"),
  ).toHaveAttribute("aria-current", "page");
  await expectNoViolationInAnyForm(page, async (form) => {
    if (form === "phone")
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  });

  await page.getByRole("searchbox", { name: "Find a partner" }).fill("aco");
  await expect(partners).not.toContainText("Procore");
  await page.getByRole("searchbox", { name: "Find a partner" }).fill("nothing");
  await expect(page.getByText("No partner matches.")).toBeVisible();
  await page.getByRole("button", { name: "Show all" }).click();
  await partners.getByRole("link", { name: "Procore" }).click();
  await expect(sentence(page)).toContainText("Procore is behind at 2 of 4 customers");
});

test("dates the list without new responses until one arrives", async ({ page }) => {
  await opened(page);
  await page.clock.install();
  await page.goto(`${app.address}/partners`);
  const note = page.getByText(/^These are the partners as they were at /);
  await expect(page.getByRole("table", { name: "Partners" })).toBeVisible();
  await expect(note).toBeHidden();
  await page.route(/\/api\/partners(?:\?|$)/, (route) => route.abort());
  // Nothing is due before the page is hydrated, however far its clock has run.
  await expect(async () => {
    await page.clock.runFor(65_000);
    await expect(note).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.unroute(/\/api\/partners(?:\?|$)/);
  await page.clock.runFor(65_000);
  await expect(note).toBeHidden();
});

test("says whose trouble it is, and how the partner stands at each customer", async ({ page }) => {
  await opened(page);
  await expect(page).toHaveTitle("Procore: 2 customers behind · Plumbline");
  const evidence = page.getByRole("region", { name: "Us or them?" });
  await expect(evidence).toContainText(/No cause is known\.$/);
  expect((await evidence.boundingBox())?.y).toBeLessThan(200);

  const north = row(page, "Northgate Builders");
  await expect(north).toContainText("Failing");
  await expect(north).toContainText("2 of 5");
  await expect(north).toContainText("No one yet");
  await expect(north.getByRole("cell").nth(4)).toContainText(
    new RegExp(String.raw`^next in \d+ m${TIME}$`),
  );
  const [first] = await table(page).getByRole("rowheader").all();
  await expect(first ?? page.locator("none")).toHaveText("Northgate Builders");
  expect((await north.boundingBox())?.y).toBeLessThan(356);

  const onTime = page.getByRole("list", { name: "Customers on time" });
  await expect(onTime).toContainText("Ashdown Estates");
  await expect(onTime).toContainText("Tarn Airports");
  await expect(page.getByRole("main")).not.toContainText("Osmond Steel");

  await expectNoViolationInAnyForm(page, async (form) => {
    if (form === "phone")
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  });
});

test("narrows the page by the parts of its sentence", async ({ page }) => {
  await opened(page);
  const part = page.getByRole("button", { name: "2 are on time" });
  await part.click();
  await expect(page).toHaveURL(/show=on_time$/);
  await expect(table(page)).toBeHidden();
  await expect(page.getByRole("list", { name: "Customers on time" })).toBeVisible();
  await part.click();
  await page.getByRole("button", { name: "2 of 4 customers" }).click();
  await expect(page.getByRole("list", { name: "Customers on time" })).toBeHidden();
  await expect(row(page, "Harbour Civil Works")).toBeVisible();
});

test("moves by keys, and copies the paragraph for a customer", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await opened(page);
  await page.keyboard.press("j");
  await expect(row(page, "Northgate Builders").getByRole("link")).toBeFocused();
  await page.keyboard.press("j");
  await expect(row(page, "Harbour Civil Works").getByRole("link")).toBeFocused();
  await page.keyboard.press("c");
  await expect(row(page, "Harbour Civil Works").getByRole("status")).toHaveText("Copied");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/your four Procore feeds/);
  for (const name of ["Harbour", "Northgate"]) expect(copied).not.toContain(name);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("copy the paragraph for this customer");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.address}/harbour/partners/Procore`);
  await page.getByRole("link", { name: "Procore at all 4 customers" }).click();
  await expect(sentence(page)).toContainText("Procore is behind at 2 of 4 customers");
});

test("tells everyone, one by one or as a table", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await opened(page);
  await page.getByRole("button", { name: "Tell everyone" }).click();
  const dialog = page.getByRole("dialog", { name: "What to tell customers about Procore" });
  const items = dialog.getByRole("listitem");
  await expect(items).toHaveCount(2);
  await items.filter({ hasText: "Northgate Builders" }).getByRole("button").click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /of your five Procore feeds/,
  );
  await expectNoViolationInAnyForm(page, undefined, "[role=dialog]");
  const download = page.waitForEvent("download");
  await dialog.getByRole("link", { name: "Download CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("paragraphs.csv");
  const lines = readFileSync(await file.path(), "utf8").split("\r\n");
  expect(lines[0]).toBe("company,text,external_id");
  expect(lines.slice(1, 3).map((line) => line.split(",")[0])).toEqual(["north", "harbour"]);
});

test("shows a person only their own customers", async ({ page }) => {
  await opened(page);
  const one = { name: "Hal", role: "viewer", company: "harbour" } as const;
  await signIn(page, app, "/partners/Procore", await addPerson(app, one));
  await expect(sentence(page)).toHaveText(
    new RegExp(String.raw`^Procore is behind at your only customer that has it since ${TIME}$`),
  );
  const main = page.getByRole("main");
  for (const hidden of ["Northgate", "Ashdown", "Tarn"])
    await expect(main).not.toContainText(hidden);
  for (const path of ["/partners/Aconex", "/partners/Nothing"]) {
    const response = await page.goto(`${app.address}${path}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "No such partner" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  }
});

test("keeps a press before its scripts run", async ({ page }) => {
  await opened(page);
  const part = page.getByRole("button", { name: "2 are on time" });
  const wake = await openWithoutScripts(page, `${app.address}/partners/Procore`, part);
  await expect(row(page, "Northgate Builders")).toBeVisible();
  await part.click();
  wake();
  await expect(page).toHaveURL(/show=on_time$/);
});

test("keeps I’m on it of a row before its scripts run", async ({ page }) => {
  await opened(page);
  const take = row(page, "Harbour Civil Works").getByRole("button", { name: /^I’m on it/ });
  const wake = await openWithoutScripts(page, `${app.address}/partners/Procore`, take);
  await take.click();
  await expect(take).toHaveAttribute("aria-busy", "true");
  wake();
  await expect(row(page, "Harbour Civil Works")).toContainText("You");
});

test("says whom it can't see, and shows how it was before", async ({ page }) => {
  await opened(page);
  const before = new Date().toISOString();
  await fleet.apiOf("tarn").setFault({ kind: "error_500" });
  await expect(page.getByRole("button", { name: "1 we can’t see" })).toBeVisible({
    timeout: 60_000,
  });
  const unseen = row(page, "Tarn Airports");
  await expect(unseen).toContainText("Can’t see");
  await expect(unseen).toContainText(/0 of 3 feeds were behind .*; we don’t know about now/);
  await showAs(page, "phone");
  await expect(unseen).toContainText("Can’t see");
  await showAs(page, "light");

  await page.goto(`${app.address}/partners/Procore?at=${encodeURIComponent(before)}`);
  await expect(sentence(page)).toHaveText(
    /^Procore was behind at 2 of 4 customers .*; 2 were on time$/,
  );
  await expect(row(page, "Northgate Builders")).toContainText("was failing");
  await expect(page.getByRole("button", { name: "Tell everyone" })).toBeHidden();
  await page.getByRole("button", { name: "Back to live" }).click();
  await expect(sentence(page)).toContainText("Procore is behind at 2 of 4 customers");
  await fleet.apiOf("tarn").setFault(null);
});
