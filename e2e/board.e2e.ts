import { expect, test, type Page } from "@playwright/test";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import { compareNames } from "@/lib/domain/text/compare-names";
import {
  beSignedIn,
  connectedTo,
  demoApp,
  expectNoViolation,
  expectNoViolationInAnyForm,
  PHONE,
  sidewaysPx,
  shareMenu,
  signIn,
  startApp,
  syncStatus,
  type App,
} from "./app";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";
import { TIME } from "./times";

/** The demo polls every minute: these are beyond the limits of "live" and of "delayed". */
const DELAYED_MS = 200_000;
const BLIND_MS = 330_000;

const app = demoApp();

const grid = (page: Page) => page.getByRole("grid", { name: "Feeds" });
const filter = (page: Page) => page.getByRole("searchbox", { name: "Filter this list" });
const confidence = (page: Page, word: string) =>
  page.getByRole("status", { name: `View confidence: ${word}` });
/** Names of the endpoints in display order. */
const names = (page: Page) =>
  grid(page).locator(".line-row").getByRole("rowheader").allTextContents();

async function openBoard(page: Page, query = ""): Promise<void> {
  await beSignedIn(page, app);
  await syncStatus(page, app, "northgate");
  // The page polls once it is hydrated; before that it handles no keys.
  const isAlive = page.waitForResponse("**/northgate/sync-status");
  await page.goto(`${app.address}/northgate${query}`);
  await isAlive;
  await expect(confidence(page, "Live")).toBeVisible();
}

test("opens a row's details and page by keyboard, and returns to the same board", async ({
  page,
}) => {
  await openBoard(page, "?group=flat");
  await page.keyboard.press("j");
  const first = grid(page).locator(".line-row").first();
  await expect(first).toBeFocused();
  const tip = page.getByRole("tooltip");
  await expect(tip).toHaveText(/Data as of .* \d{4}, expected every|No data time from the source/);
  await expect(first).toHaveAccessibleDescription(/./);

  await page.keyboard.press("ArrowRight");
  await expect(tip).toHaveText(/ is failing: /);
  await page.keyboard.press("Escape");
  await expect(tip).toBeHidden();
  await page.keyboard.press("ArrowLeft");
  await expect(first).toBeFocused();

  await page.keyboard.press("ArrowDown");
  await expect(grid(page).locator(".line-row").nth(1)).toBeFocused();
  await expect(page.getByText(/^row 2 of \d+$/)).toBeVisible();
  await page.keyboard.press("End");
  await expect(page.getByText(/^row (\d+) of \1$/)).toBeVisible();
  await page.keyboard.press("Home");
  await expect(first).toBeFocused();

  const { rows } = await syncStatus(page, app, "northgate");
  const name = (await first.getByRole("rowheader").textContent()) ?? "";
  const row = rows.find((one) => `${one.partner_name} / ${one.endpoint_key}` === name);
  if (row === undefined) throw new Error(`no endpoint is called ${name}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(
    `${app.address}${endpointPath("northgate", row.partner_name, row.id)}`,
  );
  await page.goBack();
  await expect(page).toHaveURL(`${app.address}/northgate?group=flat`);
  await expect(grid(page).getByRole("columnheader", { name: "Partner / feed" })).toBeVisible();
});

test("collapses and expands a partner by keyboard, and opens its page with Enter", async ({
  page,
}) => {
  await openBoard(page, "?group=partner");
  await page.keyboard.press("j");
  const group = grid(page).locator(".line-group").first();
  await expect(group).toBeFocused();
  const partner = (await group.getByRole("link").first().textContent()) ?? "";
  await page.keyboard.press("ArrowLeft");
  await expect(group.getByRole("button", { name: `Expand ${partner}` })).toBeVisible();
  await expect(page).toHaveURL(/closed=/);
  await page.keyboard.press("Space");
  await expect(group.getByRole("button", { name: `Collapse ${partner}` })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.address}${partnerPath("northgate", partner)}`);
});

test("navigates even though text typed just before isn't in the address yet", async ({ page }) => {
  await page.clock.install();
  await openBoard(page, "?group=flat");
  await page.clock.pauseAt(Date.now() + 60_000);
  await filter(page).fill("rfis");
  await expect(grid(page).locator(".line-row").first()).toContainText("rfis");
  // The delay after typing ends while the page loads.
  await page.route(/\/partners\/.*_rsc=/, async (route) => {
    await page.clock.runFor(1000);
    await route.continue();
  });
  await grid(page).locator(".line-row").first().press("Enter");
  // The press is painted before the page is asked for.
  await page.clock.runFor(100);
  await expect(page).toHaveURL(/\/northgate\/partners\/[^/]+\/[^/?]+$/);
  await page.clock.resume();
  await page.goBack();
  await expect(filter(page)).toHaveValue("rfis");
});

test("filters by digits, searches on /, explains on ?, and has one tab stop for all rows", async ({
  page,
}) => {
  await openBoard(page);
  await page.keyboard.press("1");
  await expect(page).toHaveURL(/verdict=failing/);
  await expect(page.getByRole("button", { name: /^\d+ failing$/ })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.keyboard.press("0");
  await expect(page).not.toHaveURL(/verdict=/);
  await expect(grid(page).locator('[role="row"][tabindex="0"]')).toHaveCount(1);

  await page.keyboard.press("/");
  await expect(filter(page)).toBeFocused();
  await page.keyboard.type("no such thing");
  await expect(page.getByRole("heading", { name: "No match for “no such thing”" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(grid(page)).toBeVisible();

  await page.keyboard.press("Tab");
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toBeVisible();
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
});

test("keeps the whole view in the address across reload and another browser", async ({
  page,
  browser,
}) => {
  await openBoard(page);
  await page.getByRole("button", { name: "View", exact: true }).click();
  for (const choice of ["Flat", "Fixed order", "Fold healthy"]) {
    await page.getByRole("menuitemradio", { name: choice }).click();
    await expect(page.getByRole("menu")).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.press("Escape");
  // Not of a verdict that time changes.
  await page.getByRole("button", { name: /^\d+ webhook$/ }).click();
  await filter(page).fill("procore");
  await expect(page).toHaveURL(/q=procore/);
  const before = await names(page);
  expect(before.length).toBeGreaterThan(0);
  await page.reload();
  await expect.poll(() => names(page)).toEqual(before);
  await expect(filter(page)).toHaveValue("procore");

  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await signIn(other, app, new URL(page.url()).pathname + new URL(page.url()).search);
  await expect(other).toHaveURL(page.url());
  await expect.poll(() => names(other)).toEqual(before);
  await elsewhere.close();
});

test("shows rows before their history, and describes the strips", async ({ page }) => {
  await page.setViewportSize({ width: 1800, height: 900 });
  await openBoard(page, "?group=flat");
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route("**/history?*", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await expect(grid(page).locator(".line-row").first()).toBeVisible();
  const strip = grid(page).getByRole("img", {
    name: /^Past 24 hours: \d+ runs? seen, \d+ not completed/,
  });
  await expect(strip).toHaveCount(0);
  letGo();
  await expect(strip.first()).toBeVisible();
  const rows = await grid(page).locator(".line-row").count();
  await expect(strip).toHaveCount(rows);
  await expect(
    grid(page)
      .getByRole("img", { name: /\d .* of .* cadence$/ })
      .first(),
  ).toBeVisible();
  expect(await page.locator("*").count()).toBeLessThanOrEqual(1500);
});

/** Runs while the page's time passes in small steps only: its timers fire, however long that really takes. */
async function inSlowTime(page: Page, run: () => Promise<void>): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  const over = new AbortController();
  const passing = (async () => {
    while (!over.signal.aborted) await page.clock.runFor(20);
  })();
  try {
    await run();
  } finally {
    over.abort();
    await passing;
    await page.clock.resume();
  }
}

test("ages by its own clock without responses, in any form", async ({ page }) => {
  await page.clock.install();
  await openBoard(page, "?group=flat&verdict=fresh");
  await expectNoViolationInAnyForm(page);
  // Our server becomes unreachable: no responses, not even refusals.
  await page.route("**/api/**", (route) => route.abort());
  await page.clock.fastForward(DELAYED_MS);
  // On a busy machine these checks take longer than the view stays delayed.
  await inSlowTime(page, () =>
    expectNoViolationInAnyForm(page, async () => {
      await expect(confidence(page, "Delayed")).toBeVisible();
      await expect(
        grid(page)
          .getByText(/^Fresh \d+ m ago$/)
          .first(),
      ).toBeVisible();
    }),
  );

  await page.clock.fastForward(BLIND_MS);
  await expectNoViolationInAnyForm(page, async (form) => {
    await expect(confidence(page, "Can’t see")).toBeVisible();
    await expect(
      page.getByRole("alert").filter({ hasText: "We can’t check right now" }),
    ).toHaveCount(1);
    await expect(grid(page).getByText("was fresh").first()).toBeVisible();
    await expect(grid(page).getByText(/^(Fresh|Late|Failing)$/)).toHaveCount(0);
    await expect(page).toHaveTitle(new RegExp(String.raw`not checked since ${TIME}`));
    if (form === "phone") return;
    await expect(
      grid(page).getByRole("columnheader", { name: new RegExp(String.raw`^At ${TIME}$`) }),
    ).toBeVisible();
    await expect(grid(page).getByRole("columnheader", { name: "Age then" })).toBeVisible();
    await expect(grid(page).getByText("not known").first()).toBeVisible();
  });

  await page.unroute("**/api/**");
  await page.clock.fastForward(60_000);
  await expect(confidence(page, "Live")).toBeVisible();
});

test("keeps the board and reports missing code, and opens what was requested once it loads", async ({
  page,
}) => {
  await openBoard(page);
  const chunks = "**/_next/static/**";
  await page.route(chunks, (route) => route.abort());
  const missing = page.getByRole("alert").filter({ hasText: "Couldn’t load part of this page" });
  await grid(page).locator(".line-row .cell-age").first().hover();
  const cases = [
    { button: page.getByRole("button", { name: /^Your account/ }), opens: "menu" },
    { button: page.getByRole("button", { name: /^Find partner/ }), opens: "dialog" },
    { button: page.getByRole("button", { name: /^Inbox/ }), opens: "dialog" },
  ] as const;
  for (const { button, opens } of cases) {
    await button.click();
    await expect(missing).toBeVisible();
    await expect(page.getByRole(opens)).toHaveCount(0);
    await expect(grid(page).locator(".line-row").first()).toBeVisible();
  }
  await expectNoViolation(page);
  await page.unroute(chunks);
  for (const { button, opens } of cases) {
    await button.click();
    await expect(page.getByRole(opens).first()).toBeVisible();
    await expect(missing).toHaveCount(0);
    // A key that is pressed as soon as it is drawn may come before it listens.
    await expect(async () => {
      await page.keyboard.press("Escape");
      await expect(page.getByRole(opens)).toHaveCount(0, { timeout: 1000 });
    }).toPass();
  }
});

test("has grouping and folding in a menu on a phone", async ({ browser }) => {
  // So tall that the first partner with healthy feeds is drawn, wherever it is by now.
  const context = await browser.newContext({ viewport: { ...PHONE, height: 4000 } });
  const page = await context.newPage();
  await openBoard(page);
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "Fold healthy" }).click();
  await expect(page).toHaveURL(/rows=folded/);
  await page.keyboard.press("Escape");
  await expect(grid(page).locator(".line-fold").first()).toBeVisible();
  expect(await sidewaysPx(page)).toBe(0);
  await context.close();
});

test.describe("with a controlled upstream", () => {
  let upstream: MisbehavingUpstream;
  let ours: App;
  test.beforeAll(async () => {
    upstream = await startMisbehavingUpstream();
    ours = await startApp({
      ...connectedTo(upstream),
      V3_POLL_SECONDS: "1",
      V3_REQUESTS_PER_MINUTE: "6000",
    });
  });
  test.afterAll(async () => {
    await ours.end();
    await upstream.close();
  });

  test("moves no row under a pointer or focus, and all rows afterwards", async ({ page }) => {
    const nowMs = Date.now();
    const rows = sampleRows(12, nowMs);
    upstream.setRows(rows);
    await signIn(page, ours, "/main?group=flat");
    await expect(page.getByRole("button", { name: "12 fresh" })).toBeVisible();
    const before = await names(page);
    const last = before.at(-1) ?? "";

    await grid(page).locator(".line-row").nth(3).hover();
    upstream.setRows(
      rows.map((row) => {
        const { partner_name, endpoint_key } = row.attributes;
        if (`${partner_name} / ${endpoint_key}` !== last) return row;
        const landed = new Date(nowMs - 10 * 3_600_000).toISOString();
        return { ...row, attributes: { ...row.attributes, last_updated_at: landed } };
      }),
    );
    await expect(page.getByRole("button", { name: "1 stale" })).toBeVisible();
    // The word changes at once, in place.
    await expect(grid(page).locator(".line-row").last()).toContainText("Stale");
    expect(await names(page)).toEqual(before);

    await grid(page).locator(".line-row").nth(3).focus();
    await page.mouse.move(5, 5);
    await expect(page.getByRole("button", { name: "1 stale" })).toBeVisible();
    expect(await names(page)).toEqual(before);

    await filter(page).focus();
    await expect.poll(async () => (await names(page))[0]).toBe(last);
  });

  test("reports an empty company and a failing upstream", async ({ page }) => {
    upstream.setRows(sampleRows(12, Date.now()));
    await signIn(page, ours, "/main");
    await expect(confidence(page, "Live")).toBeVisible();
    await page.keyboard.press("1");
    await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
    await expectNoViolation(page);
    await page.getByRole("button", { name: "Show all 12" }).click();
    await expect(grid(page)).toBeVisible();

    await upstream.setFault({ kind: "error_500" });
    await expect(page.getByText("The source isn’t responding.")).toBeVisible();
    await expect(confidence(page, "Can’t see")).toBeVisible({ timeout: 20_000 });
    await page.getByRole("button", { name: "What this means" }).click();
    await expect(page.getByRole("dialog", { name: "What this means" })).toBeVisible();
    await expectNoViolation(page);
    await page.keyboard.press("Escape");
    await upstream.setFault(null);
    await expect(confidence(page, "Live")).toBeVisible({ timeout: 20_000 });
  });
});

test("draws a bar in the colour of its verdict's mark", async ({ page }) => {
  await signIn(page, app, "/northgate?group=flat");
  for (const word of ["failing", "stale", "fresh"]) {
    const colourOf = (selector: string) =>
      page
        .locator(`${selector}[data-verdict="${word}"]`)
        .first()
        .evaluate((mark) => getComputedStyle(mark).color);
    expect(await colourOf(".bar")).toBe(await colourOf(".filter .icon"));
  }
});

test("prints with its date, dark on white, also in the dark theme", async ({ page }) => {
  await page.context().addCookies([{ name: "theme", value: "dark", url: app.address }]);
  await signIn(page, app, "/northgate");
  const lightness = (property: "color" | "backgroundColor") =>
    page.evaluate((name) => {
      const colour = getComputedStyle(document.querySelector(".board") ?? document.body)[name];
      return Math.max(...(colour.match(/\d+/g) ?? []).slice(0, 3).map(Number));
    }, property);
  expect(await lightness("color")).toBeGreaterThan(200);
  await page.emulateMedia({ media: "print" });
  expect(await lightness("color")).toBeLessThan(60);
  expect(await lightness("backgroundColor")).toBe(255);

  const clock = page.locator(".clock");
  const date = await clock.evaluate((element) => getComputedStyle(element, "::after").content);
  expect(date).toContain((await clock.getAttribute("title")) ?? "no date");
  await expect(page.getByRole("button", { name: "Share" })).toBeHidden();
});

test("has what needs attention on top, and opens partners in place", async ({ page }) => {
  await openBoard(page);
  const { rows } = await syncStatus(page, app, "northgate");
  const behind = rows.filter(({ verdict }) => ["failing", "stale", "late"].includes(verdict));
  await expect(grid(page).locator(".line-row")).toHaveCount(behind.length);
  const partners = [...new Set(rows.map(({ partner_name: name }) => name))].toSorted(compareNames);
  await expect(grid(page).locator(".line-group").first()).toContainText(partners[0] ?? "");
  await expectNoViolationInAnyForm(page);

  const partner = partners[0] ?? "";
  await grid(page)
    .getByRole("button", { name: `Expand ${partner}` })
    .click();
  await expect(page).toHaveURL(/open=/);
  const own = rows.filter(({ partner_name: name }) => name === partner).length;
  await expect(grid(page).locator(".is-in-group")).toHaveCount(own);
  await page.reload();
  await expect(grid(page).locator(".is-in-group")).toHaveCount(own);

  await grid(page).getByRole("button", { name: "Open all" }).click();
  await expect(page).toHaveURL(/partners=open/);
  await expect(grid(page).getByRole("button", { name: "Close all" })).toBeVisible();
  await grid(page)
    .getByRole("button", { name: `Collapse ${partner}` })
    .click();
  await expect(page).toHaveURL(/group=attention/);
  await page.reload();
  await expect(grid(page).getByRole("button", { name: `Expand ${partner}` })).toBeVisible();
});

test("keeps the next sync at every width", async ({ page }) => {
  await openBoard(page);
  for (const width of [390, 641, 800, 980, 1240, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const row = grid(page).locator(".line-row").first();
    for (const cell of ["verdict", "name", "bar", "over", "next", "who"])
      await expect(row.locator(`.cell-${cell}`), `${cell} at ${width}`).toBeVisible();
    expect(await sidewaysPx(page), `${width}`).toBe(0);
  }
});

test("explains a verdict where it is pressed, by keyboard too", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openBoard(page);
  const row = grid(page).locator(".line-row").first();
  const button = row.getByRole("button", { name: /: what it means$/ });
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowRight");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /: what it means$/ });
  await expect(dialog).toBeVisible();
  await expect(row).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByText("What to do")).toBeVisible();
  await expectNoViolationInAnyForm(page);
  await dialog.getByRole("button", { name: "Copy paragraph" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/ feed “.*” is behind\./);
  await dialog.getByRole("button", { name: "All eight verdicts" }).click();
  for (const word of ["Failing", "Webhook", "Stuck", "Rate limited", "Not checked"])
    await expect(dialog.getByText(word, { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  // Tab past its last button leads back, too.
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("button", { name: "Copy paragraph" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dialog.getByRole("button", { name: "All eight verdicts" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});

test("tells the customer from a line, by keyboard too", async ({ page }) => {
  await openBoard(page);
  await page.keyboard.press("j");
  await page.keyboard.press("t");
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(/ behind[:.,]/);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("says that the customer's paragraph is about all feeds while a filter is on", async ({
  page,
}) => {
  await signIn(page, app, "/northgate?verdict=attention");
  const said = /About all of .+, not only what the filter shows/;
  await expect(await shareMenu(page)).toContainText(said);
  await page.goto(`${app.address}/northgate`);
  const menu = await shareMenu(page);
  await expect(menu).toContainText("With the customer");
  await expect(menu).not.toContainText(said);
});
