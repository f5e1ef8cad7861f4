import { expect, test, type Page } from "@playwright/test";
import { count } from "@/lib/domain/words/format";
import {
  addPerson,
  beSignedIn,
  demoApp,
  expectNoViolation,
  expectNoViolationInAnyForm,
  sidewaysPx,
  showAs,
  signIn,
  syncStatus,
} from "./app";
import { TIME } from "./times";

const app = demoApp();

type Ranked = { name: string; calls: number };

/** Current totals of the API, summed and ranked independently. */
async function rankedPartners(page: Page, company = "northgate"): Promise<Ranked[]> {
  const { rows } = await syncStatus(page, app, company);
  const sums = new Map<string, number>();
  for (const { partner_name, api_calls_last_24h } of rows) {
    sums.set(partner_name, (sums.get(partner_name) ?? 0) + api_calls_last_24h);
  }
  return [...sums]
    .map(([name, calls]) => ({ name, calls }))
    .toSorted((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1));
}

const partners = (page: Page) => page.getByRole("table", { name: /API calls by partner/ });
const endpoints = (page: Page) => page.getByRole("table", { name: /API calls by feed/ });
const rowOf = (page: Page, partner: string) =>
  partners(page)
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name: partner, exact: true }) });
/** The panel of the selected partner's line; the company's own line is in another one. */
const ownLine = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("radiogroup", { name: "Range" }) });
const companyLine = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: /^All partners, / }) });
const chosenLinks = (page: Page) => page.locator("main [aria-current=true]");

test("shows the API's values, ranked, in the server's HTML", async ({ page }) => {
  await beSignedIn(page, app);
  const ranked = await rankedPartners(page);
  const html = await (await page.request.get(`${app.address}/northgate/api-calls`)).text();
  const total = ranked.reduce((sum, { calls }) => sum + calls, 0);
  for (const { calls } of ranked) expect(html).toContain(count(calls));
  // The bars need no script: the longest is the first partner's.
  expect(html).toMatch(/class="calls-bar"[^>]*><i style="width:100%"/);
  expect(html.match(/class="calls-bar"/g)?.length).toBeGreaterThanOrEqual(ranked.length);

  await page.goto(`${app.address}/northgate/api-calls`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${count(total)} API calls`);
  const [, ...lines] = await partners(page).getByRole("row").allTextContents();
  expect(lines).toHaveLength(ranked.length);
  for (const [at, { name, calls }] of ranked.entries()) {
    expect(lines[at]).toContain(name);
    expect(lines[at]).toContain(count(calls));
  }
  await expect(partners(page).getByRole("link", { name: ranked[0]?.name ?? "" })).toHaveAttribute(
    "aria-current",
    "true",
  );
});

test("explains the rolling window once, and labels every chart with it", async ({ page }) => {
  await beSignedIn(page, app);
  await rankedPartners(page);
  await page.goto(`${app.address}/northgate/api-calls`);
  const heads = page.getByText("Rolling 24 h", { exact: true });
  // By partner, by endpoint, two lines over time and the largest changes.
  await expect(heads).toHaveCount(5);
  await expect(page.getByText("Each figure counts the 24 hours before it.")).toHaveCount(1);
});

test("keeps the selection in the address for keys, back, forward, reload and another browser", async ({
  page,
  browser,
}) => {
  await beSignedIn(page, app);
  const [, second] = await rankedPartners(page);
  if (second === undefined) throw new Error("northgate has partners");
  let answer = () => {};
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/northgate/sync-status", async (route) => {
    await mayAnswer;
    await route.continue();
  });
  await page.goto(`${app.address}/northgate/api-calls`);
  await partners(page).getByRole("link", { name: second.name }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/partner=/);
  // The page follows before the browser has the rows; the endpoints arrive with them.
  await expect(page.getByRole("heading", { name: `${second.name}, by feed` })).toBeVisible();
  await expect(chosenLinks(page)).toHaveText([second.name]);
  await expect(endpoints(page)).toHaveCount(0);
  answer();
  await expect(endpoints(page).getByRole("link").first()).toBeVisible();
  await page.unroute("**/northgate/sync-status");
  const endpoint = endpoints(page).getByRole("link").first();
  const endpointName = (await endpoint.textContent()) ?? "";
  await endpoint.press("Enter");
  await expect(page).toHaveURL(/endpoint=/);
  await page.getByRole("radio", { name: "7 d" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/range=30d/);
  const heading = page.getByRole("heading", {
    name: `${second.name} / ${endpointName}, past 30 days`,
  });
  await expect(heading).toBeVisible();
  const address = page.url();

  await page.reload();
  await expect(heading).toBeVisible();
  await expect(chosenLinks(page)).toHaveText([second.name, endpointName]);
  await page.goBack();
  await expect(ownLine(page).getByRole("heading", { name: /past 7 days/ })).toBeVisible();
  await page.goForward();
  await expect(heading).toBeVisible();

  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await signIn(elsewhere, app, address.slice(app.address.length));
  await expect(elsewhere).toHaveURL(address);
  await expect(chosenLinks(elsewhere)).toHaveText([second.name, endpointName]);
  await other.close();
});

test("offers the line's numbers as a table and as a file", async ({ page }) => {
  await beSignedIn(page, app);
  const [first] = await rankedPartners(page);
  if (first === undefined) throw new Error("northgate has partners");
  await page.goto(`${app.address}/northgate/api-calls?range=24h`);
  await expect(
    ownLine(page).getByRole("img", { name: /past 24 hours, from .*Rolling 24 h/ }),
  ).toBeVisible();
  await ownLine(page).getByText("Show as table").click();
  const table = ownLine(page).getByRole("table", { name: /past 24 hours/ });
  await expect(table.getByRole("row").nth(1)).toContainText(/not checked|\d/);

  const link = ownLine(page).getByRole("link", { name: "Download CSV" });
  const href = (await link.getAttribute("href")) ?? "";
  expect(new URL(href, app.address).searchParams.get("partner")).toBe(first.name);
  const file = await page.request.get(`${app.address}${href}`);
  expect(file.status()).toBe(200);
  expect(file.headers()["content-type"]).toContain("text/csv");
  expect(file.headers()["content-disposition"]).toContain("attachment");
});

test("compares the company's line with the week before, and lists the largest changes", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await rankedPartners(page);
  await page.goto(`${app.address}/northgate/api-calls`);
  // A current line, and one for the week before.
  await companyLine(page).scrollIntoViewIfNeeded();
  await expect(companyLine(page).locator(".recharts-line")).toHaveCount(2);
  await expect(
    companyLine(page).getByRole("img", { name: /The previous week is drawn beneath it\.$/ }),
  ).toBeVisible();
  const changes = page.getByRole("table", { name: "Largest changes" });
  await expect(changes.getByRole("row")).toHaveCount(7);
  await page.getByRole("radio", { name: "Since last week" }).click();
  await expect(page).toHaveURL(/since=week/);
  await expect(page.getByText("now against this time a week ago")).toBeVisible();
  const texts = await changes.getByRole("row").nth(1).getByRole("cell").allTextContents();
  const [before = 0, now = 0, change = 0] = texts.map((text) =>
    Number(text.replace("−", "-").replace(/[^\d-]/g, "")),
  );
  expect(change).toBe(now - before);
});

test("reports an unknown partner in the address", async ({ page }) => {
  await beSignedIn(page, app);
  await rankedPartners(page);
  await page.goto(`${app.address}/northgate/api-calls?partner=${encodeURIComponent("<b>~x/100%")}`);
  await expect(page.getByRole("heading", { name: "<b>~x/100%, by feed" })).toBeVisible();
  await expect(page.getByText("This partner isn’t in the latest check.")).toBeVisible();
  await expect(page.getByText("No record of that name.")).toBeVisible();
});

test("passes accessibility checks of the API calls page, in any form", async ({ page }) => {
  await beSignedIn(page, app);
  await rankedPartners(page);
  await page.goto(`${app.address}/northgate/api-calls`);
  await ownLine(page).getByText("Show as table").click();
  await expectNoViolationInAnyForm(page, async () => {
    await expect(ownLine(page).locator(".recharts-line").last()).toBeVisible();
    // The chart resizes a frame or two after the window.
    await expect.poll(() => sidewaysPx(page)).toBe(0);
  });
});

test("reports a chart whose code didn't load, retries it, and includes it in print", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await rankedPartners(page);
  const path = `${app.address}/northgate/api-calls`;
  const html = await (await page.request.get(path)).text();
  let isCutOff = true;
  await page.route("**/_next/static/**/*.js", async (route) => {
    const isOfThePage = html.includes(new URL(route.request().url()).pathname);
    if (isCutOff && !isOfThePage) await route.abort();
    else await route.continue();
  });
  await page.goto(path);
  const failed = page.getByText("Couldn’t load this chart. Retrying automatically.");
  await expect(failed.first()).toBeVisible();
  // The numbers do not wait for the chart.
  await expect(ownLine(page).getByText("Show as table")).toBeVisible();
  await expectNoViolation(page);
  isCutOff = false;
  await expect(ownLine(page).locator(".recharts-line").last()).toBeVisible();
  await expect(failed).toHaveCount(0);
  await page.emulateMedia({ media: "print" });
  await expect(ownLine(page).locator(".recharts-line").last()).toBeVisible();
  await expectNoViolation(page);
});

test("keeps its bars visible in forced colours", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/api-calls`);
  const bar = partners(page).locator(".calls-bar i").first();
  await expect(bar).toHaveCSS("forced-color-adjust", "none");
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect(bar).not.toHaveCSS("background-color", ground);
});

test("reports an unknown range as ignored until another is chosen", async ({ page }) => {
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/api-calls?range=5y`);
  const note = page.getByText(/This link has a part that isn’t valid, so it’s ignored: range=5y/);
  await expect(note).toBeVisible();
  await page.getByRole("radio", { name: "30 d" }).click();
  await expect(note).toHaveCount(0);
});

test("keeps the previous chart, labelled, while another range loads, without layout shifts", async ({
  page,
}) => {
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/api-calls`);
  await expect(ownLine(page).getByRole("img", { name: /, past 7 days, / })).toBeVisible();
  await expect(companyLine(page).getByRole("img", { name: /^All partners, / })).toBeVisible();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/history\/|\/api-calls\?.*range=30d/, async (route) => {
    await held;
    await route.continue();
  });
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const before = await height();
  await page.getByRole("radio", { name: "30 d" }).click();
  await expect(ownLine(page).locator("[aria-busy=true]")).toContainText(
    new RegExp(String.raw`Loading the past 30 days\. Showing the past 7 days as of ${TIME}`),
  );
  await expect(ownLine(page).getByRole("heading", { level: 2 })).toContainText("past 7 days");
  await expect(ownLine(page).getByRole("img", { name: /, past 7 days, / })).toBeVisible();
  expect(await height()).toBe(before);
  release();
  await expect(ownLine(page).getByRole("heading", { level: 2 })).toContainText("past 30 days");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  expect(await height()).toBe(before);
});

test("shows runs, calls per run and small lines of the same partners", async ({ page }) => {
  await beSignedIn(page, app);
  // The demo has an allowance for Procore.
  const first = (await rankedPartners(page)).find(({ name }) => name !== "Procore");
  if (first === undefined) throw new Error("northgate has other partners");
  await page.goto(`${app.address}/northgate/api-calls`);
  const row = rowOf(page, first.name);
  await expect(row.getByRole("cell", { name: /^\d[\d,]* of \d[\d,]*( seen)?$/ })).toBeVisible();
  await expect(
    row.getByRole("img", { name: /^Past 7 days: between [\d,]+ and [\d,]+$/ }),
  ).toBeVisible();
  await expect(row).toContainText("No allowance entered");
  const feed = endpoints(page).getByRole("row").nth(1);
  await expect(feed.getByRole("cell").nth(3)).toHaveText(/^[\d.,]+$|^not known$|^none completed$/);
  await expect(
    ownLine(page).getByRole("img", {
      name: /^Rate-limited runs(, past 7 days: none| per 2 h, past 7 days: )/,
    }),
  ).toBeVisible();
});

test("lets a member enter an allowance, and shows its share until it is removed", async ({
  page,
}) => {
  const company = "orchard";
  const member = await addPerson(app, { name: "Mo Berg", role: "member", company });
  await beSignedIn(page, app, member);
  const [first] = await rankedPartners(page, company);
  if (first === undefined) throw new Error("orchard has partners");
  await page.goto(`${app.address}/${company}/api-calls`);
  const row = rowOf(page, first.name);
  await row.getByRole("button", { name: /^No allowance entered ?, enter one$/ }).press("Enter");
  const dialog = page.getByRole("dialog", { name: `Allowance: ${first.name}` });
  const calls = dialog.getByLabel("Calls");
  await calls.fill("0");
  await dialog.getByRole("button", { name: "Save allowance" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(/^Enter a whole number of calls from 1 to/);
  await calls.fill("1,500");
  await dialog.getByRole("radio", { name: "per hour" }).click();
  await dialog.getByLabel("Note (optional)").fill("per contract");
  await expect(dialog.getByText("Shown as at most 36,000 a day.")).toBeVisible();
  await expectNoViolationInAnyForm(page, async () => {}, "[role=dialog]");
  await calls.press("Enter");
  await expect(dialog).toHaveCount(0);
  const change = row.getByRole("button", { name: /^of at most 36,000 a day Mo Berg, .*, change$/ });
  await expect(change).toBeFocused();
  await expect(row).toContainText(/(?:^|\D)(?:\d\d?|<1)%/);
  await expect(ownLine(page)).toContainText(
    "Allowance 1,500 an hour, at most 36,000 a day, entered by Mo Berg",
  );
  await expect(ownLine(page)).toContainText("per contract");

  // It is in the server's HTML, for viewers too, who can't change it.
  const viewer = await addPerson(app, { name: "Vi Holm", role: "viewer", company });
  await page.context().clearCookies();
  await beSignedIn(page, app, viewer);
  const html = await (await page.request.get(`${app.address}/${company}/api-calls`)).text();
  expect(html).toContain("of at most 36,000 a day");
  await page.goto(`${app.address}/${company}/api-calls`);
  await expect(row).toContainText("of at most 36,000 a day");
  await expect(ownLine(page).getByRole("img", { name: /^Rate-limited runs/ })).toBeVisible();
  await expect(
    page.locator("main").getByRole("button", { name: /allowance|, change/i }),
  ).toHaveCount(0);
  const path = `${app.address}/api/companies/${company}/allowances/${encodeURIComponent(first.name)}`;
  const headers = { Origin: app.address };
  const data = { calls: 1, per: "day" };
  expect((await page.request.put(path, { headers, data })).status()).toBe(403);
  expect((await page.request.delete(path, { headers, data: {} })).status()).toBe(403);

  await page.context().clearCookies();
  await beSignedIn(page, app, member);
  await showAs(page, "phone");
  await page.goto(`${app.address}/${company}/api-calls`);
  await page.getByRole("button", { name: "Change allowance" }).click();
  await dialog.getByRole("button", { name: "Remove allowance" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(row).toContainText("No allowance entered");
  await expect(row).not.toContainText("%");
  expect(await sidewaysPx(page)).toBeLessThanOrEqual(0);
  await page.goto(`${app.address}/${company}/activity`);
  await expect(page.getByText("Removed allowance").first()).toBeVisible();
});
