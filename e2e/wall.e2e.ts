import { expect, test, type Browser, type BrowserContext, type Page } from "@playwright/test";
import type { TodayView } from "@/lib/contracts/today";
import type { PairingRequest } from "@/lib/contracts/wall";
import {
  addPerson,
  ADMIN,
  beSignedIn,
  demoApp,
  expectNoViolation,
  expectNoViolationInAnyForm,
  signIn,
  syncStatus,
} from "./app";
import { AT_TIME, TIME } from "./times";

/** Beyond the limit of "delayed" at the demo's interval. */
const BLIND_MS = 330_000;
/** Maximum interval at which a wall checks its access. */
const ASKS_WITHIN_MS = 70_000;
/** The guaranteed limit for a revoked display, plus slack for a busy machine. */
const REVOKED_WITHIN_MS = 12_000;
const GLASS = {
  landscape: { width: 1920, height: 1080 },
  portrait: { width: 1080, height: 1920 },
  "4K": { width: 3840, height: 2160 },
} as const;

const app = demoApp();
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  await beSignedIn(page, app);
  await syncStatus(page, app, "northgate");
  await page.close();
});

const openDisplays = (page: Page) => signIn(page, app, "/settings/displays");

const codeField = (page: Page) => page.getByLabel("Pairing code");
const codeOn = async (screen: Page) =>
  (await screen.locator(".pair-group").allTextContents()).join(" ");
/** Waits for a complete code: during rendering there may be none for a moment. */
async function wholeCodeOn(screen: Page): Promise<string> {
  let code = "";
  await expect.poll(async () => (code = await codeOn(screen))).toMatch(/^[0-9A-Z]{4} [0-9A-Z]{4}$/);
  return code;
}
const row = (page: Page, name: string) =>
  page.getByRole("region", { name: "Displays" }).getByRole("row").filter({ hasText: name });

let screens = 0;

async function openScreen(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ screen: Page; context: BrowserContext }> {
  const context = await browser.newContext({
    viewport: GLASS.landscape,
    extraHTTPHeaders: { "x-forwarded-for": `10.0.0.${(screens += 1)}` },
    ...options,
  });
  const screen = await context.newPage();
  await screen.goto(`${app.address}/wall`);
  await expect(screen).toHaveURL(/\/pair/);
  await expect(screen.locator(".pair-group").first()).toHaveText(/^[0-9A-Z]{4}$/);
  return { screen, context };
}

/** Pairs a waiting screen as the page does, for tests of what follows. */
async function pair(admin: Page, screen: Page, settings: Partial<PairingRequest>): Promise<void> {
  const request: PairingRequest = {
    code: await wholeCodeOn(screen),
    name: "Room 3",
    place: "",
    companies: ["northgate"],
    layout: "auto",
    theme: "dark",
    time_zone: "Europe/Oslo",
    expires_at: null,
    replaces: null,
    ...settings,
  };
  const answer = await admin.request.post(`${app.address}/api/displays`, {
    data: request,
    headers: { origin: app.address },
  });
  expect(answer.status(), `${request.code}: ${await answer.text()}`).toBe(201);
}

async function openWall(screen: Page): Promise<void> {
  await expect(screen).toHaveURL(`${app.address}/wall`, { timeout: 20_000 });
  await expect(screen.getByRole("heading", { name: "Northgate Builders" })).toBeVisible();
}

/** Before its loop runs a wall does not age. */
async function untilItRuns(screen: Page): Promise<void> {
  const time = screen.locator(".wall-clock time").filter({ visible: true });
  await expect(time).not.toHaveText((await time.textContent()) ?? "");
}

/** Elements that extend beyond the screen, or beyond the area of problems without a row. */
const overflow = (screen: Page) =>
  screen.locator(".wall *").evaluateAll((parts) =>
    parts
      .filter((part) => {
        const { right, bottom, width } = part.getBoundingClientRect();
        const place = part.closest(".wall-more")?.getBoundingClientRect();
        const isOver =
          right > (place?.right ?? window.innerWidth) + 3 ||
          bottom > (place?.bottom ?? window.innerHeight) + 3;
        // A name that is too long is truncated with an ellipsis.
        const isCut = part.parentElement?.closest(".wall-item") !== null;
        return width > 0 && isOver && !isCut && part.closest(".sr-only") === null;
      })
      .map((part) => part.outerHTML.slice(0, 120)),
  );

test("pairs a screen by its code, and shows the wall until it is revoked", async ({
  browser,
  page,
}) => {
  const { screen, context } = await openScreen(browser);
  await expect(screen.getByText("Connected")).toBeVisible();
  await expect(screen.getByText(/^New code in \d:\d\d$/)).toBeVisible();
  await expect(screen.getByText("/settings/displays")).toBeVisible();
  await expectNoViolation(screen);
  const code = await wholeCodeOn(screen);

  // The phone that scanned the QR code is not signed in; the code survives sign-in.
  await page.goto(`${app.address}/settings/displays?code=${code.replace(" ", "")}`);
  await expect(page).toHaveURL(/\/signin\?callbackUrl=/);
  await page.getByLabel("Work email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(codeField(page)).toHaveValue(code);
  await syncStatus(page, app, "northgate");

  await page.getByLabel("Name").fill("Room 3");
  await page.getByLabel("Location (optional)").fill("2nd floor, east");
  await page.getByRole("checkbox", { name: "All companies, including future ones" }).uncheck();
  await page.getByRole("checkbox", { name: "Harbour Civil Works" }).uncheck();
  await page.getByRole("checkbox", { name: "Orchard Homes" }).uncheck();
  await page.getByLabel("Duration").selectOption({ label: "Until a date" });
  await page.getByRole("button", { name: "Pair display" }).click();
  await expect(page.getByLabel("Last day")).toHaveAccessibleDescription(
    "Choose a last day in the future, at most two years from now.",
  );
  await expect(page.getByLabel("Last day")).toBeFocused();
  await page.getByLabel("Duration").selectOption({ label: "Until unpaired" });
  await page.getByRole("button", { name: /^Time zone:/ }).click();
  await page.getByRole("combobox", { name: "Find a time zone" }).fill("osaka");
  await page.getByRole("option", { name: "Tokyo" }).click();
  await page.getByRole("button", { name: "Pair display" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Room 3 is paired" })).toBeVisible();
  await expect(page).toHaveURL(`${app.address}/settings/displays`);
  await expect(page.getByLabel("Name")).toHaveValue("");
  await expect(row(page, "Room 3")).toContainText("Northgate Builders");

  await openWall(screen);
  const { rows } = await syncStatus(page, app, "northgate");
  for (const { endpoint_key: endpoint } of rows.filter(({ verdict }) => verdict === "failing")) {
    await expect(screen.locator(".wall-problems")).toContainText(endpoint);
  }
  await expect(screen.getByText("Harbour Civil Works")).toHaveCount(0);
  await expectNoViolation(screen);
  await expect(row(page, "Room 3")).toContainText("Shows current data", { timeout: 90_000 });

  await page.getByRole("button", { name: "Actions for Room 3" }).click();
  await page.getByRole("menuitem", { name: "Unpair" }).click();
  const question = page.getByRole("alertdialog", { name: "Unpair “Room 3”?" });
  await expect(question.getByRole("button", { name: "Keep paired" })).toBeFocused();
  await expectNoViolation(page);
  await question.getByRole("button", { name: "Unpair Room 3" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Room 3 is unpaired" })).toBeVisible();
  const denied = () => screen.request.get(`${app.address}/api/wall`);
  await expect
    .poll(async () => (await denied()).status(), { timeout: REVOKED_WITHIN_MS })
    .toBe(403);
  await screen.reload();
  await expect(screen.getByText(/unpaired by/)).toBeVisible();
  await expect(screen.getByText("Northgate")).toHaveCount(0);
  await context.close();
});

test("reports a revocation on the screen, and lets another screen replace the display", async ({
  browser,
  page,
}) => {
  await openDisplays(page);
  const { screen, context } = await openScreen(browser);
  await screen.clock.install();
  await pair(page, screen, { name: "Lobby" });
  await openWall(screen);
  await untilItRuns(screen);
  await page.reload();
  await page.getByRole("button", { name: "Actions for Lobby" }).click();
  await page.getByRole("menuitem", { name: "Unpair" }).click();
  await page.getByRole("button", { name: "Unpair Lobby" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Lobby is unpaired" })).toBeVisible();
  await expect
    .poll(async () => (await screen.request.get(`${app.address}/api/wall`)).status())
    .toBe(403);
  await screen.clock.fastForward(ASKS_WITHIN_MS);
  await expect(screen.getByText(/unpaired by/)).toBeVisible();

  const other = await openScreen(browser);
  await page.getByText("unpaired", { exact: false }).locator("visible=true").first().click();
  await page.getByRole("button", { name: "Actions for Lobby" }).click();
  await page.getByRole("menuitem", { name: "Pair again" }).click();
  await expect(codeField(page)).toBeFocused();
  await expect(page.getByLabel("Name")).toHaveValue("Lobby");
  await codeField(page).pressSequentially((await wholeCodeOn(other.screen)).toLowerCase());
  await page.getByRole("button", { name: "Pair display" }).click();
  await openWall(other.screen);
  await expect(row(page, "Lobby")).toHaveCount(1);
  await context.close();
  await other.context.close();
});

test("opens only the wall with a screen's credential", async ({ browser, page }) => {
  await openDisplays(page);
  const { screen, context } = await openScreen(browser);
  await pair(page, screen, { name: "Canteen" });
  await openWall(screen);
  const statusOf = async (path: string) =>
    (await context.request.get(`${app.address}${path}`)).status();
  expect(await statusOf("/api/wall")).toBe(200);
  expect(await statusOf("/api/wall/companies/northgate/sync-status")).toBe(200);
  expect(await statusOf("/api/wall/companies/harbour/sync-status")).toBe(404);
  for (const path of ["/api/companies", "/api/companies/northgate/sync-status", "/api/displays"]) {
    expect(await statusOf(path)).toBe(401);
  }
  for (const path of ["/", "/northgate", "/settings/displays"]) {
    await screen.goto(`${app.address}${path}`);
    await expect(screen).toHaveURL(/\/signin/);
  }
  await screen.goto(`${app.address}/pair`);
  await openWall(screen);
  await context.close();
});

test("shows several customers by incident, with the next attempts, and no other customer", async ({
  browser,
  page,
}) => {
  await openDisplays(page);
  await syncStatus(page, app, "harbour");
  const { screen, context } = await openScreen(browser);
  await pair(page, screen, { name: "Customer success", companies: ["northgate", "harbour"] });
  await expect(screen).toHaveURL(`${app.address}/wall`, { timeout: 20_000 });
  await expect(screen.getByRole("heading", { name: "Customer success" })).toBeVisible();
  const count = screen.getByText(/^\d of 2 customers behind, \d on time/);
  await expect(count.filter({ visible: true })).toBeVisible();
  const linesOf = async () => {
    const answer = await page.request.get(`${app.address}/api/today`);
    const { lines } = (await answer.json()) as TodayView;
    const shown = lines.filter(({ members }) =>
      members.some(({ company }) => company.slug !== "orchard"),
    );
    return shown.slice(0, 6).map(({ partner_name: partner }) => partner);
  };
  const rows = screen.getByRole("list", { name: "Problems, worst first" }).getByRole("listitem");
  // Verdicts change meanwhile, and both are as of their last check.
  await expect
    .poll(async () => {
      const names = await rows.locator(".wall-name bdi:first-child").allTextContents();
      return JSON.stringify(names) === JSON.stringify(await linesOf()) && names.length > 0;
    })
    .toBe(true);
  await expect(rows.first()).toContainText(/no one yet|acknowledged/);
  await expect(screen.getByRole("region", { name: "Next attempts" })).toBeVisible();
  await expect(screen.getByText("Orchard", { exact: false })).toHaveCount(0);
  expect(await overflow(screen)).toEqual([]);
  await expectNoViolation(screen);
  await context.close();
});

test("shows who manages displays to other people, without any actions", async ({ browser }) => {
  const operator = await addPerson(app, { name: "Ola", role: "operator", company: "northgate" });
  const page = await browser.newPage();
  await signIn(page, app, "/settings/displays", operator);
  await expect(page.getByRole("heading", { name: "No access to displays" })).toBeVisible();
  await expect(codeField(page)).toHaveCount(0);
  await expectNoViolation(page);
  const list = await page.request.get(`${app.address}/api/displays`);
  expect(list.status()).toBe(403);
  await page.close();
});

test("pairs nothing by wrong codes, and replaces the screen's code after five", async ({
  browser,
  page,
}) => {
  const { screen, context } = await openScreen(browser);
  const code = await wholeCodeOn(screen);
  await openDisplays(page);
  await page.getByLabel("Name").fill("Spare");
  const wrong = code.startsWith("2222") ? "3333 3333" : "2222 2222";
  await codeField(page).pressSequentially("2222-oo");
  await expect(codeField(page)).toHaveValue("2222 OO");
  for (let guess = 0; guess < 5; guess += 1) {
    await codeField(page).fill(wrong);
    // The list of displays uses the same address.
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Pair display" }).click();
    expect((await answer).status()).toBe(404);
    await expect(page.getByText("Code not found.")).toBeVisible();
    await expect(codeField(page)).toBeFocused();
  }
  await expectNoViolation(page);
  await expect(row(page, "Spare")).toHaveCount(0);
  await expect.poll(() => codeOn(screen)).not.toBe(code);
  await context.close();
});

test("keeps a valid code without responses, and shows since when", async ({ browser }) => {
  const context = await browser.newContext({ viewport: GLASS.landscape });
  const screen = await context.newPage();
  await screen.clock.install();
  await screen.goto(`${app.address}/pair`);
  await expect(screen.getByText(/^New code in/)).toBeVisible();
  const code = await wholeCodeOn(screen);
  await screen.route("**/api/pair", (route) => route.abort());
  await screen.clock.fastForward(20_000);
  await expect(
    screen.getByText(new RegExp(String.raw`^Lost connection to Plumbline ${AT_TIME}$`)),
  ).toBeVisible();
  expect(await codeOn(screen)).toBe(code);
  await screen.clock.fastForward(600_000);
  await expect(screen.getByRole("heading", { name: "Plumbline isn’t responding" })).toBeVisible();
  expect(await codeOn(screen)).toBe("");
  await screen.unroute("**/api/pair");
  await screen.clock.fastForward(60_000);
  await expect(screen.getByText("Connected")).toBeVisible();
  await context.close();
});

test("goes blind by its own clock without network, and recovers", async ({ browser, page }) => {
  await openDisplays(page);
  const { screen, context } = await openScreen(browser);
  await screen.clock.install();
  await pair(page, screen, { name: "Warehouse" });
  await openWall(screen);
  await untilItRuns(screen);
  await expect(screen.locator(".wall-foot")).toContainText("Live");
  await context.setOffline(true);
  await screen.clock.fastForward(BLIND_MS);
  await expect(
    screen.getByText(new RegExp(String.raw`^Can’t see since ${TIME}`)).first(),
  ).toBeVisible();
  await expect(screen.locator(".wall-foot")).not.toContainText("Live");
  await expectNoViolation(screen);
  await context.setOffline(false);
  await screen.clock.fastForward(90_000);
  await expect(screen.locator(".wall-foot")).toContainText("Live");
  await context.close();
});

test("pairs a screen without scripts, and shows its wall", async ({ browser, page }) => {
  await openDisplays(page);
  const { screen, context } = await openScreen(browser, { javaScriptEnabled: false });
  await pair(page, screen, { name: "Old TV" });
  await expect(screen).toHaveURL(/\/wall\/plain/, { timeout: 20_000 });
  await expect(screen.getByRole("heading", { name: "Northgate Builders" })).toBeVisible();
  await expect(screen.getByText("Updates every minute.", { exact: false })).toBeVisible();
  await context.close();
});

for (const [name, viewport] of Object.entries(GLASS)) {
  test(`stays within the edges of a ${name} screen`, async ({ browser, page }) => {
    const { screen, context } = await openScreen(browser, { viewport });
    expect(await overflow(screen)).toEqual([]);
    await openDisplays(page);
    await syncStatus(page, app, "northgate");
    await pair(page, screen, { name: `Glass ${name}` });
    await openWall(screen);
    expect(await overflow(screen)).toEqual([]);
    await context.close();

    await page.setViewportSize(viewport);
    await page.goto(`${app.address}/wall`);
    await untilItRuns(page);
    await expect(page.locator(".wall-facts").first()).toContainText(/Failing|Late/);
    expect(await overflow(page)).toEqual([]);
  });
}

test("passes accessibility checks of displays and pairing, in any form", async ({ page }) => {
  await page.goto(`${app.address}/pair`);
  await expectNoViolationInAnyForm(page, () =>
    expect(page.getByText(/^New code in/)).toBeVisible(),
  );
  await signIn(page, app, "/northgate");
  await page.getByRole("button", { name: /^Your account/ }).click();
  await page.getByRole("menuitem", { name: "Displays" }).click();
  const heading = page.getByRole("heading", { name: "Displays", level: 1 });
  await expectNoViolationInAnyForm(page, () => expect(heading).toBeVisible());
  await page.goto(`${app.address}/pair`);
  await page.getByRole("link", { name: "Display settings" }).click();
  await expect(codeField(page)).toBeVisible();
});
