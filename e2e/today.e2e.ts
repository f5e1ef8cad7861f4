import { expect, test, type Page } from "@playwright/test";
import { FleetIncident, FleetIncidentsView } from "@/lib/contracts/fleet-incidents";
import type { IncidentsView } from "@/lib/contracts/incidents";
import {
  addPerson,
  expectNoViolation,
  expectNoViolationInAnyForm,
  signIn,
  type App,
  shareMenu,
} from "./app";
import { fleetOfTests, rowsWith } from "./fleet";
import { AT_TIME } from "./times";

const PROCORE = "Procore";
const ACONEX = "Aconex";
const fleet = fleetOfTests([
  { slug: "calm", name: "Ashdown Estates", rows: () => rowsWith(6, ["due"], ACONEX) },
  {
    slug: "north",
    name: "Northgate Builders",
    // Trouble with Procore begins within half an hour.
    rows: () => rowsWith(5, ["failing", "late"], PROCORE, { failing: 110 }),
  },
  { slug: "fjord", name: "Fjordline Tunnel JV", rows: () => rowsWith(4, ["late"], PROCORE) },
  { slug: "harbour", name: "Harbour Civil Works", rows: () => rowsWith(4, ["late"], PROCORE) },
  { slug: "osmond", name: "Osmond Steel", rows: () => rowsWith(4, ["stale"], ACONEX) },
  { slug: "tarn", name: "Tarn Airports", rows: () => rowsWith(3, ["late"], ACONEX) },
]);
let app: App;
test.beforeAll(() => {
  ({ app } = fleet);
});

const sentence = (page: Page) => page.getByRole("heading", { level: 1 });
const list = (page: Page) => page.getByRole("table", { name: /^Behind/ });
const line = (page: Page, name: string | RegExp) =>
  list(page).getByRole("row").filter({ hasText: name });
const topOf = async (page: Page) => (await page.locator(".today-line").first().boundingBox())?.y;

/** Waits until the incidents of all troubles are open, and the page says so. */
async function opened(page: Page) {
  await expect(sentence(page)).toHaveText(
    new RegExp(
      String.raw`^6 feeds of 5 customers are behind; no one is on 6; the next attempt is ${AT_TIME}$`,
    ),
    { timeout: 60_000 },
  );
  await expect(list(page)).not.toContainText("no incident yet");
  await expect(line(page, "3 of 6 customers")).toBeVisible();
}

test("says what is wrong in one sentence and one line an incident, whose parts act and filter", async ({
  page,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, app);
  await opened(page);

  // A fleet incident is one line, which folds out in place.
  const partner = line(page, "3 of 6 customers");
  await expect(partner).toContainText("Failing");
  await expect(partner).toContainText("Procore / 4 feeds");
  await partner.getByRole("button", { name: "3 of 6 customers" }).click();
  await expect(line(page, "Fjordline Tunnel JV")).toContainText("Late");
  await expect(line(page, "Northgate Builders")).toHaveCount(2);
  await partner.getByRole("button", { name: "3 of 6 customers" }).click();
  await expect(line(page, "Northgate Builders")).toHaveCount(0);
  // Who is well, of how many feeds.
  const well = page.getByRole("list", { name: "Customers on time" }).getByRole("listitem");
  await expect(well).toHaveText(/Ashdown Estates6 of 6 on time/);

  // Acknowledged in the line, by key and by button, and taken back.
  const incident = async () => {
    const answer = await page.request.get(
      `${app.address}/api/companies/osmond/incidents?state=open`,
    );
    return ((await answer.json()) as IncidentsView).data[0];
  };
  const osmond = line(page, "Osmond Steel");
  await osmond.getByRole("button", { name: "I’m on it: Osmond Steel, Aconex" }).click();
  await expect(osmond).toContainText("You");
  await expect(sentence(page)).toContainText("no one is on 5");
  await expect(page.getByText("Osmond Steel, Aconex: you’re on it.")).toBeVisible();
  expect((await incident())?.acknowledged?.is_you).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(osmond).toContainText("No one yet");
  expect((await incident())?.acknowledged).toBeNull();
  // The keyboard continues at the line that was pressed last.
  await page.keyboard.press("j");
  await expect(osmond.locator("[data-primary]")).toBeFocused();
  await page.keyboard.press("k");
  await expect(list(page).locator("[data-primary]").first()).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await expect(line(page, "Osmond Steel")).toContainText("You");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(sentence(page)).toContainText("no one is on 6");

  // Filters are in the address, and every number is theirs.
  await page.getByRole("button", { name: "no one is on 6" }).click();
  await expect(page).toHaveURL(`${app.address}/?unattended=1`);
  await page.keyboard.press("3");
  await expect(page).toHaveURL(`${app.address}/?unattended=1&verdict=late`);
  await expect(sentence(page)).toHaveText(/^4 feeds of 4 customers are behind/);
  await expect(page).toHaveTitle(/Today: 4 feeds of 4 customers behind$/);
  await page.reload();
  await expect(sentence(page)).toHaveText(/^4 feeds of 4 customers are behind/);
  await page.getByRole("button", { name: "4 feeds" }).click();
  await expect(page).toHaveURL(`${app.address}/`);
  await page.keyboard.press("1");
  await expect(page).toHaveURL(`${app.address}/?verdict=failing`);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${app.address}/`);
  await page.keyboard.press("/");
  await page.keyboard.type("osm");
  await expect(page).toHaveURL(`${app.address}/?q=osm`);
  await expect(sentence(page)).toHaveText(/^1 feed of 1 customer is behind/);
  await page.keyboard.type(" zzz");
  await expect(sentence(page)).toHaveText("Nothing matches");
  await expect(page).toHaveTitle(/Today: nothing matches$/);
  await expect(page.getByText("Verdicts are frozen, not current.")).toBeHidden();
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Show all" }).click();
  await opened(page);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(`${app.address}/?order=next`);
  await page.keyboard.press("n");

  // What to tell the customer, without leaving the list.
  await line(page, "Osmond Steel").locator("[data-primary]").focus();
  await page.keyboard.press("t");
  const tell = page.getByRole("dialog", { name: "Osmond Steel: Aconex" });
  await expect(tell.getByRole("blockquote")).toContainText("One of your four Aconex feeds");
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  await expect(line(page, "Osmond Steel").locator("[data-primary]")).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("next sync first, or worst first");
  await page.keyboard.press("Escape");

  // A copied link shows this moment, marked as past, without acts.
  const menu = await shareMenu(page);
  await expect(menu.getByRole("heading")).toHaveText(["With a colleague"]);
  await expectNoViolation(page);
  await menu.getByRole("button", { name: "Copy for chat" }).click();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await expect
    .poll(clipboard)
    .toMatch(/^Plumbline · today: 6 feeds of 5 customers are behind, worst Procore, .+, as of /);
  const link = (await clipboard()).split("\n")[1] ?? "";
  expect(link).toMatch(/\/\?at=\d{4}-/);
  await page.goto(link);
  await expect(sentence(page)).toHaveText(
    new RegExp(String.raw`^6 feeds of 5 customers were behind ${AT_TIME}$`),
  );
  await expect(line(page, "Osmond Steel")).toContainText("was stale");
  await expect(line(page, "Osmond Steel")).toContainText("not known");
  await expect(page.getByRole("button", { name: /I’m on it/ })).toHaveCount(0);
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Back to live" }).click();
  await expect(page).toHaveURL(`${app.address}/`);
  await opened(page);
});

test("begins high on the page, in every form, and its first number is in the server's HTML", async ({
  page,
}) => {
  await signIn(page, app);
  await opened(page);
  await expectNoViolationInAnyForm(page, async (form) => {
    await expect
      .poll(async () => (await topOf(page)) ?? Infinity)
      .toBeLessThan(form === "phone" ? 320 : 150);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await width()).toBe(page.viewportSize()?.width);
    const osmond = line(page, "Osmond Steel");
    await expect(osmond.locator(".today-over")).toBeVisible();
    await expect(osmond.locator(".today-next")).toBeVisible();
    await expect(osmond.locator(".today-since")).toHaveText(/\d{2}:\d{2}$/);
    if (form === "phone") await expect(osmond.getByText(/^since /)).toBeVisible();
  });
  const html = await (await page.request.get(app.address)).text();
  expect(html).toMatch(/6 feeds<\/button>/);
  expect(html).toContain("Osmond Steel");
});

test("shows a person only their own customers, and one with a single customer its overview", async ({
  page,
}) => {
  const one = { name: "Bo Ek", role: "member", company: "osmond" } as const;
  await signIn(page, app, "/", await addPerson(app, one));
  await expect(page).toHaveURL(`${app.address}/osmond`);
});

test("has a partner's trouble at several customers as one incident over HTTP", async ({ page }) => {
  await signIn(page, app);
  await opened(page);
  const address = `${app.address}/api/fleet-incidents`;
  const { data } = FleetIncidentsView.parse(await (await page.request.get(address)).json());
  expect(data).toMatchObject([{ partner_name: "Procore", ended_at: null }]);
  expect(data[0]?.companies.map(({ company }) => company)).toEqual(["fjord", "harbour", "north"]);
  const noted = await page.request.post(`${address}/${data[0]?.id}/notes`, {
    headers: { origin: app.address },
    data: { text: "Procore is looking into it" },
  });
  expect(noted.status()).toBe(201);
  const { timeline } = FleetIncident.parse(await noted.json());
  expect(timeline.filter(({ kind }) => kind === "noted")).toHaveLength(3);
});

test("leads links of the list of companies to where it is now", async ({ page }) => {
  await signIn(page, app, "/?whose=mine&order=name");
  await expect(page).toHaveURL(`${app.address}/companies?whose=mine&order=name`);
  await page.goto(`${app.address}/?verdict=attention`);
  await expect(page).toHaveURL(`${app.address}/companies?verdict=attention`);
  await page.getByRole("link", { name: "Today", exact: true }).click();
  await expect(page).toHaveURL(`${app.address}/`);
  await page.getByRole("link", { name: "Customers", exact: true }).click();
  await expect(page).toHaveURL(`${app.address}/companies`);
});

test("never calls what it can't see well: a customer, or Plumbline itself", async ({
  page,
  context,
}) => {
  await signIn(page, app);
  await opened(page);
  await fleet.apiOf("tarn").setFault({ kind: "error_500" });
  const tarn = line(page, "Tarn Airports");
  await expect(tarn).toContainText("Can’t see", { timeout: 60_000 });
  await expect(tarn).toContainText(
    /We can’t see it: no answer from its API\. 1 of 3 feeds was behind/,
  );
  await expect(sentence(page)).toHaveText(/^5 feeds of 4 customers are behind/);
  await expect(page).toHaveTitle(/5 feeds of 4 customers behind, can’t see 1$/);
  await expect(page.getByText(/We can’t see 1 customer: Tarn Airports, since/)).toBeVisible();
  await expectNoViolation(page);

  const state = page.getByRole("status", { name: /View confidence/ });
  await expect(state).toHaveAccessibleName(/Can’t see, 1 customer$/);
  await context.setOffline(true);
  await expect(page.getByText(/This browser is offline\. It lost its connection/)).toBeVisible();
  await expect(sentence(page)).toHaveText(/were behind at/, { timeout: 30_000 });
  await expect(line(page, "Osmond Steel")).toContainText("was stale");
  await expect(state).toContainText("Can’t see");
  await context.setOffline(false);
  await expect(sentence(page)).toHaveText(/are behind/, { timeout: 30_000 });
  await fleet.apiOf("tarn").setFault(null);
});
