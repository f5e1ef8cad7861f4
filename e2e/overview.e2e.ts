import { expect, test } from "@playwright/test";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { VERDICTS } from "@/lib/domain/sync";
import {
  ADMIN,
  PHONE,
  addPerson,
  beSignedIn,
  demoApp,
  expectNoViolation,
  expectNoViolationInAnyForm,
  openWithoutScripts,
  signIn,
  signInByForm,
  syncStatus,
} from "./app";

const app = demoApp();

test("shows strangers the sign-in page only, and returns them to their address", async ({
  page,
}) => {
  await page.goto(`${app.address}/northgate?verdict=late`);
  await expect(page).toHaveURL(/\/signin\?callbackUrl=/);
  expect(await page.content()).not.toContain("Northgate");

  await page.getByLabel("Work email").fill(ADMIN.email);
  await page.getByLabel("Password").fill("a wrong password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /./ })).toBeVisible();
  await expectNoViolation(page);

  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${app.address}/northgate?verdict=late`);
});

test("signs in once when the form is submitted before hydration", async ({ page }) => {
  const button = page.getByRole("button", { name: "Sign in" });
  const wake = await openWithoutScripts(page, `${app.address}/northgate`, button);
  await page.getByLabel("Work email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await button.click();
  await expect(page).toHaveURL(/\/signin/);
  wake();
  await expect(page).toHaveURL(`${app.address}/northgate`);
});

test("shows Northgate's live board with every verdict and the API's own numbers", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await expect
    .poll(async () => (await syncStatus(page, app, "northgate")).source.confidence)
    .toBe("live");
  const { rows } = await syncStatus(page, app, "northgate");
  expect(new Set(rows.map((row) => row.verdict))).toEqual(new Set(VERDICTS));
  await page.goto(`${app.address}/northgate`);
  await expect(page.getByRole("status", { name: /View confidence: Live/ })).toBeVisible();
  await expect(
    page.getByRole("button", { name: `${rows.length} feeds`, exact: true }),
  ).toBeVisible();
  await expect(page.getByRole("grid")).toHaveAttribute("aria-rowcount", /\d+/);
});

test("has the first rows and the counts in the server's HTML", async ({ page }) => {
  await beSignedIn(page, app);
  const { rows } = await syncStatus(page, app, "northgate");
  const html = await (await page.request.get(`${app.address}/northgate`)).text();
  const worst = rows.filter((row) => row.verdict === "failing").map((row) => row.endpoint_key);
  for (const endpoint of worst) expect(html).toContain(endpoint);
});

test("passes accessibility checks of every form of pages without another test file", async ({
  page,
}) => {
  await page.goto(`${app.address}/signin`);
  await expectNoViolationInAnyForm(page);
  await beSignedIn(page, app);
  for (const path of ["/orchard", "/no-such-company"]) {
    await page.goto(`${app.address}${path}`);
    await expect(page.getByRole("main")).toBeVisible();
    await expectNoViolationInAnyForm(page);
  }
});

test("truncates and squeezes no page of a company or of the settings on a tablet", async ({
  page,
}) => {
  await beSignedIn(page, app);
  const { rows } = await syncStatus(page, app, "northgate");
  const late = rows.find((row) => row.verdict === "late");
  if (late === undefined) throw new Error("the demo has no late endpoint");
  const partner = `/partners/${encodeURIComponent(late.partner_name)}`;
  const ofCompany = ["", partner, `${partner}/${late.id}`]
    .concat(["/incidents", "/report", "/api-calls", "/schedules", "/activity"])
    .map((path) => `/northgate${path}`);
  const settings = ["me", "alerts", "links", "people", "channels", "rules", "displays"]
    .concat(["connections", "activity"])
    .map((name) => `/settings/${name}`);
  const tooWide = () =>
    page.evaluate(() => {
      const whole = document.documentElement;
      const squeezed = [...document.querySelectorAll(".page-head > :first-child")].filter(
        (head) => head.clientWidth < 400,
      );
      const choices = [...document.querySelectorAll('[role="radiogroup"], .company-switch > *')];
      const short = choices.filter((choice) => choice.scrollWidth > choice.clientWidth + 1);
      const over = whole.scrollWidth - whole.clientWidth;
      return [over, ...[...squeezed, ...short].map((each) => each.textContent)];
    });
  for (const path of ["/", "/companies", "/incidents", ...ofCompany, ...settings]) {
    await page.setViewportSize({ width: 768, height: 1024 });
    await page.goto(`${app.address}${path}`);
    for (const width of [641, 768, 1024]) {
      await page.setViewportSize({ width, height: 1024 });
      // A chart resizes just after the window.
      await expect.poll(tooWide, `${path} is ${width} px wide`).toEqual([0]);
    }
  }
});

test("passes accessibility checks of the top bar's menus, and returns the focus", async ({
  page,
}) => {
  await signIn(page, app, "/northgate");
  for (const name of [/^Your account/, /^Customer:/]) {
    const button = page.getByRole("button", { name });
    await button.click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expectNoViolation(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(button).toBeFocused();
  }
});

test("opens a menu that is pressed before hydration", async ({ page }) => {
  await beSignedIn(page, app);
  const account = page.getByRole("button", { name: /^Your account/ });
  const wake = await openWithoutScripts(page, `${app.address}/northgate`, account);
  await account.click();
  wake();
  await expect(page.getByRole("menu", { name: /^Your account/ })).toBeVisible();
  await expect(page.getByText(ADMIN.email)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(account).toBeFocused();
});

test("ends the session at once in every tab on signing out", async ({ page, context }) => {
  await signInByForm(page, app, "/northgate");
  const other = await context.newPage();
  const cookies = await context.cookies();
  await page.getByRole("button", { name: /Administrator|account/i }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/signin/);
  // The previous cookie, as a thief would have it.
  await context.addCookies(cookies);
  await expect
    .poll(async () =>
      (await other.request.get(`${app.address}/api/companies/northgate/sync-status`)).status(),
    )
    .toBe(401);
});

test("sends private responses under /api/companies", async ({ page, request }) => {
  const anonymous = await request.get(`${app.address}/api/companies/northgate/sync-status`);
  expect(anonymous.status()).toBe(401);
  expect((await request.get(`${app.address}/api/companies/nowhere/at/all`)).status()).toBe(401);
  await beSignedIn(page, app);
  const missing = await page.request.get(`${app.address}/api/companies/nowhere/sync-status`);
  expect(missing.status()).toBe(404);
  expect(missing.headers()["cache-control"]).toBe("private, no-store");
  const first = await page.request.get(`${app.address}/api/companies/northgate/sync-status`);
  expect(first.headers()["cache-control"]).toBe("private, no-cache");
  const again = await page.request.get(`${app.address}/api/companies/northgate/sync-status`, {
    headers: { "if-none-match": first.headers()["etag"] ?? "" },
  });
  expect(again.status()).toBe(304);
});

test("answers an unknown address with 404 in the frame of the app, and leads back", async ({
  page,
}) => {
  for (const [path, navigation, back] of [
    ["/northgate/nonsense", "Pages", "/northgate"],
    ["/northgate/report/2026/11", "Pages", "/northgate"],
    ["/settings/nonsense", "Settings", "/settings/me"],
    ["/nonsense", "Pages", "/"],
    ["/nonsense/incidents", "Pages", "/"],
  ] as const) {
    await beSignedIn(page, app);
    const answer = await page.goto(`${app.address}${path}`);
    expect.soft(answer?.status(), path).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
    await expect(page).toHaveTitle(/^Page not found/);
    await expect(page.getByRole("navigation", { name: navigation })).toBeVisible();
    await expect(page.getByRole("button", { name: /^Your account/ })).toBeVisible();
    await expectNoViolation(page);
    await page.locator("main").getByRole("link").click();
    await expect(page).toHaveURL(`${app.address}${back}`);
  }
});

test("answers alike for a company without access and for an unknown one", async ({ page }) => {
  const viewer = await addPerson(app, { name: "Vi", role: "viewer", company: "northgate" });
  await beSignedIn(page, app, viewer);
  const seen = [];
  for (const company of ["harbour", "harboux"]) {
    for (const rest of ["", "/nonsense", "/incidents"]) {
      const answer = await page.request.get(`${app.address}/${company}${rest}`);
      const html = (await answer.text())
        .replaceAll(company, "COMPANY")
        .replaceAll(/nonce="[^"]*"|\d{13}|"[\w-]{20,}"/g, "");
      seen.push([rest, answer.status(), html.length, html.includes("Harbour")]);
    }
  }
  expect(seen.slice(3)).toEqual(seen.slice(0, 3));
  expect(seen.every(([, status, , isNamed]) => status === 404 && isNamed === false)).toBe(true);
});

test("scrolls the current page's tab into view on a phone, wherever it is", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await signIn(page, app, "/northgate/activity");
  const current = (row: string) =>
    page.getByRole("navigation", { name: row }).locator("[aria-current]");
  await expect(current("Pages")).toHaveText("Activity");
  await expect(current("Pages")).toBeInViewport({ ratio: 1 });
  await page.getByRole("link", { name: "Schedule files", exact: true }).click();
  await expect(current("Pages")).toHaveText("Schedule files");
  await expect(current("Pages")).toBeInViewport({ ratio: 1 });
  await page.goto(`${app.address}/settings/displays`);
  await expect(current("Settings")).toHaveText("Displays");
  await expect(current("Settings")).toBeInViewport({ ratio: 1 });
});

test("switches to the phone layout when the window is narrowed", async ({ page }) => {
  await page.setViewportSize({ width: 2000, height: 900 });
  await signIn(page, app, "/northgate?group=flat");
  const calls = page.locator("[data-line] .cell-spark svg").first();
  await expect(calls).toBeAttached();
  await expect(page.locator("[data-line] .cell-strip svg").first()).toBeVisible();
  await page.setViewportSize(PHONE);
  await expect(page.locator("[data-line] .cell-strip svg").first()).toBeHidden();
  await expect(calls).toBeHidden();
});

test("says how many feeds are behind, filters by each part, and keeps it in the address", async ({
  page,
}) => {
  await signIn(page, app, "/northgate");
  const { rows } = await syncStatus(page, app, "northgate");
  const behind = rows.filter(({ verdict }) => TROUBLES.some((word) => word === verdict)).length;
  const heading = page.getByRole("heading", { level: 1 });
  const amount = heading.getByRole("button", { name: `${behind} of ${rows.length} feeds` });
  await expect(heading).toContainText(/(is|are) behind/);
  await amount.click();
  await expect(page).toHaveURL(/verdict=attention/);
  await expect(amount).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator(".line-row")).toHaveCount(behind);
  await amount.click();
  await heading.getByRole("button", { name: /^no one is on \d+$/ }).click();
  await expect(page).toHaveURL(/unattended=1/);
  await expect(page.locator(".line-group")).toHaveCount(0);
  await heading.getByRole("button", { name: /^no one is on \d+$/ }).click();
  await heading.getByRole("button", { name: /^at / }).click();
  await expect(page).toHaveURL(/order=next/);
  await expect(page.getByRole("columnheader", { name: /^Next sync/ })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await page.keyboard.press("n");
  await expect(page).not.toHaveURL(/order=/);
});

test("has what needs attention, the sentence and the next hour in the server's HTML", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await page.route("**/_next/static/**/*.js", (route) => route.abort());
  await page.goto(`${app.address}/northgate`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/no one is on \d+/);
  await expect(page.getByRole("heading", { name: "Needs attention" })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Next hour: \d+ syncs/ })).toBeVisible();
  await expect(page.locator(".line-row.is-problem").first()).toContainText(/in \d+|due|now/);
});

test("moves nothing while its data arrives", async ({ page }) => {
  await beSignedIn(page, app);
  for (const size of [{ width: 1440, height: 900 }, PHONE]) {
    await page.setViewportSize(size);
    await page.addInitScript(() => {
      Reflect.set(window, "shifted", 0);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number;
          hadRecentInput: boolean;
        })[])
          if (!entry.hadRecentInput)
            Reflect.set(window, "shifted", Number(Reflect.get(window, "shifted")) + entry.value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    const isAlive = page.waitForResponse("**/northgate/sync-status");
    const changes = page.waitForResponse("**/northgate/changes?**");
    await page.goto(`${app.address}/northgate`);
    await Promise.all([isAlive, changes]);
    await expect(page.locator(".line-row").first()).toBeVisible();
    expect(await page.evaluate(() => Number(Reflect.get(window, "shifted")))).toBeLessThanOrEqual(
      0.02,
    );
  }
});
