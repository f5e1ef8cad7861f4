import { expect, test, type Page } from "@playwright/test";
import { partnerPath } from "@/lib/domain/partner-address";
import { addPerson, demoApp, expectNoViolation, signIn, syncStatus } from "./app";

/** The demo polls every minute: these are beyond the limits of "live" and of "delayed". */
const DELAYED_MS = 200_000;
const BLIND_MS = 400_000;
const PARTNER = "Oracle Unifier";

const app = demoApp();

const status = (page: Page, label: RegExp | string) => page.getByRole("status", { name: label });
const live = (page: Page) => page.locator(".top-bar").getByRole("button", { name: /^Live, \d+ / });
const ledger = (page: Page) => page.getByRole("dialog", { name: "Freshness of this view" });
const bar = (page: Page) => page.getByRole("region", { name: "Freshness of this view" });

/** The figure of a row of the open ledger. */
const figure = (page: Page, name: string) =>
  ledger(page).locator("dl > div").filter({ hasText: name }).locator("dd");

async function openLedger(page: Page): Promise<void> {
  await live(page).click();
  await expect(ledger(page)).toBeVisible();
}

test("says in the top bar how far each page can be trusted, and opens the ledger there", async ({
  page,
}) => {
  await signIn(page, app);
  for (const path of ["/", "/companies", "/incidents", "/northgate", "/northgate/report"]) {
    await page.goto(app.address + path);
    await expect(status(page, "View confidence: Live")).toBeVisible();
    await expect(bar(page)).toHaveCount(0);
    await openLedger(page);
    await expect(ledger(page)).toContainText(/^Our checks/);
    await expect(figure(page, "Partner data, newest to oldest")).toHaveText(/ to /);
    await expect(figure(page, "Source cache")).toHaveText("up to 1 m");
    await expect(figure(page, "Last check")).toHaveText(/^\d+ (s|m)/);
    await expect(figure(page, "This screen")).toHaveText(/^\d+ s$/);
    await expect(figure(page, "Requests (administrators only)")).toHaveText(
      /^\d+ of \d+ a minute$/,
    );
    await expectNoViolation(page);
    await page.keyboard.press("Escape");
    await expect(ledger(page)).toHaveCount(0);
    await expect(live(page)).toBeFocused();
  }
});

test("sends the request budget to administrators only", async ({ page }) => {
  const member = await addPerson(app, { name: "Marta Berg", role: "member", company: "northgate" });
  const documents: string[] = [];
  page.on("response", async (response) => {
    if (/\/northgate|\/api\//.test(response.url()) && response.ok())
      documents.push(await response.text().catch(() => ""));
  });
  await signIn(page, app, "/northgate", member);
  await openLedger(page);
  await expect(figure(page, "This screen")).toBeVisible();
  await expect(ledger(page)).not.toContainText("Requests");
  expect((await syncStatus(page, app, "northgate")).source.budget).toBeNull();
  const companies = await page.request.get(`${app.address}/api/companies`);
  documents.push(await companies.text());
  expect(documents.length).toBeGreaterThan(1);
  for (const text of documents) expect(text).not.toMatch(/budget\\?":\s*\{/);

  await page.context().clearCookies();
  await signIn(page, app, "/northgate");
  const { budget } = (await syncStatus(page, app, "northgate")).source;
  expect(budget?.limit).toBeGreaterThan(0);
});

test("shows the partner data of what the page is about, the same on page, share link and report", async ({
  page,
  context,
}) => {
  await signIn(page, app, partnerPath("northgate", PARTNER));
  const made = await page.request.post(`${app.address}/api/companies/northgate/links`, {
    headers: { origin: app.address },
    data: { partner: PARTNER, shows: "now" },
  });
  expect(made.status()).toBe(201);
  const { id, url } = (await made.json()) as { id: string; url: string };
  const shared = await context.newPage();
  await openLedger(page);
  // Both age: they are compared until a minute doesn't change between them.
  await expect(async () => {
    await shared.goto(url);
    const said = await shared.getByText("Partner data").locator("b").textContent();
    expect(await figure(page, "Partner data").textContent()).toBe(said);
  }).toPass();

  const report = await context.newPage();
  await report.goto(`${app.address}/northgate/report`);
  await page.goto(`${app.address}/northgate`);
  for (const one of [page, report]) await openLedger(one);
  await expect(async () => {
    expect(await figure(report, "Partner data").textContent()).toBe(
      await figure(page, "Partner data").textContent(),
    );
  }).toPass();
  const ended = await page.request.delete(`${app.address}/api/companies/northgate/links/${id}`, {
    headers: { origin: app.address },
    data: {},
  });
  expect(ended.ok()).toBe(true);
});

test("unfolds the bar as the data ages without responses, and folds it afterwards", async ({
  page,
}) => {
  await page.clock.install();
  await signIn(page, app, "/northgate");
  await expect(live(page)).toBeVisible();
  // Of any address: a response tells the page what time it is.
  await page.route("**/api/**", (route) => route.abort());
  await page.clock.fastForward(DELAYED_MS);
  await expect(bar(page)).toContainText("Delayed");
  await expect(live(page)).toHaveCount(0);
  expect(await bar(page).evaluate((element) => element.clientHeight + 1)).toBe(34);
  // Of the whole time: a response that was already on its way may have come only now.
  await page.clock.fastForward(BLIND_MS);
  await expect(bar(page)).toContainText("Can’t see");
  await expect(bar(page)).toHaveClass(/is-blind/);
  await expect(status(page, "View confidence: Can’t see")).toBeVisible();
  await page.unroute("**/api/**");
  await page.clock.fastForward(60_000);
  await expect(live(page)).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

// By both clocks of a browser, no time may have passed while its machine slept.
for (const path of ["/", "/northgate", "/companies", "/partners"])
  test(`calls nothing on ${path} live whose clock was set back, until the server responds`, async ({
    page,
  }) => {
    await page.clock.install();
    await signIn(page, app, path);
    await expect(live(page)).toBeVisible();
    // Requests hang.
    await page.route("**/api/**", () => {});
    const wallMs = await page.evaluate(() => Date.now());
    await page.clock.setSystemTime(wallMs - 86_400_000);
    await page.clock.fastForward(2_000);
    // Well before they time out.
    await expect(live(page)).toHaveCount(0, { timeout: 3_000 });
    await page.unroute("**/api/**");
    await page.clock.fastForward(30_000);
    await expect(live(page)).toBeVisible();
  });

test("unfolds the first page's bar once our server is silent", async ({ page, context }) => {
  await signIn(page, app);
  await expect(live(page)).toBeVisible();
  await context.setOffline(true);
  await expect(bar(page)).toContainText("Delayed", { timeout: 60_000 });
  await expect(bar(page).getByRole("listitem")).toHaveCount(4);
  await context.setOffline(false);
  await expect(live(page)).toBeVisible({ timeout: 60_000 });
});

test("fits into one line on a phone, for any name of a customer", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await signIn(page, app, "/northgate");
  await expect(live(page)).toBeVisible();
  const bottoms = await page
    .locator(".top-bar > :not(.tabs, .clock)")
    .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().bottom));
  expect(Math.max(...bottoms)).toBeLessThan(56);
  // The zone of the page's times ends the row of the tabs.
  const zone = await page.locator(".top-bar > .clock").boundingBox();
  const tabs = await page.getByRole("navigation", { name: "Pages" }).boundingBox();
  expect(zone?.y).toBe(tabs?.y);
  expect((zone?.x ?? 0) + (zone?.width ?? 0)).toBe(390);
  await openLedger(page);
  const box = await ledger(page).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await context.close();
});

test("keeps one line on the narrowest phone, whatever it has to say", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await signIn(page, app);
  await expect(live(page)).toBeVisible();
  // In one step, before the page writes its own text again.
  const bottoms = await page.locator(".top-bar").evaluate((top) => {
    const [word, age] = [top.querySelector(".live b"), top.querySelector(".live-age")];
    if (word !== null) word.textContent = "Can’t see,";
    if (age !== null) age.textContent = "2 customers";
    const inLine = top.querySelectorAll(":scope > :not(.tabs, .clock)");
    return [...inLine].map((element) => element.getBoundingClientRect().bottom);
  });
  expect(Math.max(...bottoms)).toBeLessThan(56);
  await context.close();
});

for (const path of ["/", "/northgate"])
  test(`calls ${path} live only where scripts count on its age`, async ({ browser, page }) => {
    await signIn(page, app, path);
    await expect(live(page)).toBeVisible();
    const note = /^This page isn’t updating, because its scripts haven’t run\./;
    await expect(page.getByText(note)).toHaveCount(0);

    // With scripts, but none of them loads.
    await page.route("**/_next/static/**/*.js", (route) => route.abort());
    await page.reload();
    await expect(live(page)).toBeVisible();
    await expect(page.getByText(note)).toBeHidden();
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
    await expect(page.getByText(note)).toBeVisible();
    await expect(page.locator(".live-status")).toBeHidden();

    const storageState = await page.context().storageState();
    const context = await browser.newContext({ javaScriptEnabled: false, storageState });
    const unscripted = await context.newPage();
    await unscripted.goto(`${app.address}${path}`);
    await expect(unscripted.getByText(note)).toBeVisible();
    await expect(unscripted.locator(".live-status")).toBeHidden();
    await context.close();
  });
