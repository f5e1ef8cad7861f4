import { expect, test } from "@playwright/test";
import { addPerson, beSignedIn, PHONE, sidewaysPx, signIn } from "./app";
import { fleetOfTests, rowsWith } from "./fleet";

// Names and counts of which nothing says how long they are: they break or end in "…", and push nothing out of its place.

const PARTNER = `Integrationsplattform${"fürbauwesen".repeat(9)}`;
const COMPANY = `Bauunternehmungsgesellschaft${"fürinfrastruktur".repeat(10)}`;
const CALLS = 2_469_134;
const rows = () =>
  rowsWith(4, ["late"], PARTNER).map(({ attributes, ...row }) => ({
    ...row,
    attributes: { ...attributes, api_calls_last_24h: CALLS },
  }));
const fleet = fleetOfTests([
  { slug: "north", name: "Northgate Builders", rows },
  { slug: "fjord", name: "Fjordline Tunnel JV", rows },
  { slug: "harbour", name: "Harbour Civil Works", rows },
  { slug: "tunnel", name: COMPANY, rows: () => rowsWith(3, ["late"]) },
]);

const partnerPath = `/partners/${encodeURIComponent(PARTNER)}`;

test("keeps a phone's page of a partner within its width when a person with a long name acknowledged", async ({
  page,
}) => {
  const { app } = fleet;
  const name = "Bartholomäusmaximilianferdinandalexandervonundzuhohenlohewaldenburg";
  const member = await addPerson(app, {
    name,
    role: "member",
    company: ["north", "fjord", "harbour"],
  });
  await signIn(page, app, partnerPath, member);
  await expect(async () => {
    await page.goto(app.address + partnerPath);
    await expect(page.getByRole("region", { name: /^One incident/ })).toBeVisible({
      timeout: 2000,
    });
  }).toPass();
  await page
    .getByRole("region", { name: /^One incident/ })
    .getByRole("button", { name: /^I’m on it/ })
    .click();
  const other = await page.context().browser()?.newPage();
  if (other === undefined) throw new Error("no browser");
  await other.setViewportSize(PHONE);
  await signIn(other, app, partnerPath);
  await expect(other.getByRole("region", { name: /^One incident/ })).toContainText(name);
  expect(await sidewaysPx(other)).toBe(0);
  await other.close();
});

test("keeps a shared incident within a phone's width", async ({ page }) => {
  const { app } = fleet;
  await beSignedIn(page, app);
  const answer = await page.request.post(`${app.address}/api/companies/north/links`, {
    headers: { origin: app.address },
    data: { incident: 1, shows: "both" },
  });
  expect(answer.status()).toBe(201);
  const { url } = (await answer.json()) as { url: string };
  await page.setViewportSize(PHONE);
  await page.goto(url);
  await expect(page.locator(".sub")).toContainText(PARTNER);
  expect(await sidewaysPx(page)).toBe(0);
});

test("shows large counts of calls whole, in tables and beside their charts", async ({ page }) => {
  await signIn(page, fleet.app, "/north/api-calls");
  await expect(
    page.locator("main svg text").getByText("5M", { exact: true }).first(),
  ).toBeVisible();
  const left = await page.locator("main svg text").evaluateAll((texts) =>
    texts
      .map((text) => {
        const chart = text.closest("svg")?.getBoundingClientRect().left ?? 0;
        return text.getBoundingClientRect().left - chart;
      })
      .filter((px) => px < 0),
  );
  expect(left).toEqual([]);
  const figures = page.getByRole("cell", { name: /^\d{1,3}(?:,\d{3})+$/ });
  await expect(figures.first()).toBeVisible();
  const short = await figures.evaluateAll((cells) =>
    cells
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map((cell) => `${cell.className} ${cell.textContent}`),
  );
  expect(short).toEqual([]);
});

test("says at how many customers on a wall, beside a name that is cut off", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await signIn(page, fleet.app, "/north/wall");
  await page.goto(`${fleet.app.address}/wall`);
  const whose = page.locator(".wall-at").first();
  await expect(whose).toHaveText("3 customers");
  expect(await whose.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
});

test("shows what to tell everyone within its dialog", async ({ page }) => {
  await signIn(page, fleet.app, partnerPath);
  await page.getByRole("button", { name: "Tell everyone" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("blockquote").first()).toContainText(PARTNER);
  expect(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test("lists customers with long names within the dialog that hands them over", async ({ page }) => {
  await signIn(page, fleet.app, "/incidents");
  await page.getByRole("button", { name: "Hand over" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(COMPANY);
  expect(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test("opens a menu of long names within a phone's width", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await signIn(page, fleet.app, "/tunnel");
  await page.getByRole("button", { name: /^Customer/ }).click();
  const menu = page.getByRole("menu");
  await expect(menu.getByText(COMPANY)).toHaveAttribute("title", COMPANY);
  const { x = -1, width = 0 } = (await menu.boundingBox()) ?? {};
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(PHONE.width);
});

test("prints the report of a customer with a long name as large as others", async ({ page }) => {
  await signIn(page, fleet.app, "/tunnel/report");
  // What is wider than the paper makes a browser print everything smaller.
  await page.setViewportSize({ width: 700, height: 1000 });
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText(/^Printed by /)).toBeVisible();
  expect(await sidewaysPx(page)).toBe(0);
});

test("keeps a wall's long sentence away from its clock", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await signIn(page, fleet.app, "/north/wall");
  await expect(page.locator(".wall-who h1")).toHaveText("Northgate Builders");
  const { sentence, title, clock } = await page.evaluate((names) => {
    const of = (selector: string) => document.querySelector(selector);
    const text = of(".wall-who p");
    if (text === null) throw new Error("no sentence");
    text.textContent += `; disconnected: ${names}`;
    return {
      sentence: text.getBoundingClientRect().right,
      title: of(".wall-who h1")?.clientWidth ?? 0,
      clock: of(".wall-clock")?.getBoundingClientRect().left ?? 0,
    };
  }, COMPANY);
  expect(title).toBeGreaterThan(100);
  expect(sentence).toBeLessThan(clock);
});
