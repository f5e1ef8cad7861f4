import { expect, test, type Page } from "@playwright/test";
import { addPerson, expectNoViolationInAnyForm, PHONE, signIn, type App } from "./app";
import { fleetOfTests, rowsWith } from "./fleet";
import { TIME } from "./times";

const PROCORE = "Procore";
const fleet = fleetOfTests([
  {
    slug: "north",
    name: "Northgate Builders",
    // Trouble begins within half an hour.
    rows: () => rowsWith(5, ["failing", "late"], PROCORE, { failing: 110 }),
  },
  { slug: "fjord", name: "Fjordline Tunnel JV", rows: () => rowsWith(4, ["late"], PROCORE) },
  { slug: "harbour", name: "Harbour Civil Works", rows: () => rowsWith(4, ["late"], PROCORE) },
  { slug: "calm", name: "Ashdown Estates", rows: () => rowsWith(6, ["due"], PROCORE) },
]);
let app: App;
test.beforeAll(() => {
  ({ app } = fleet);
});

const PATH = "/partners/Procore";
const incident = (page: Page) => page.getByRole("region", { name: "One incident, 3 customers" });
const table = (page: Page) => page.getByRole("table", { name: "Procore by customer" });
const row = (page: Page, name: string) => table(page).getByRole("row").filter({ hasText: name });

/** Opens the page once all three are one incident. */
async function opened(page: Page, as?: Parameters<typeof signIn>[3]) {
  await signIn(page, app, PATH, as);
  await expect(async () => {
    await page.goto(app.address + PATH);
    await expect(incident(page)).toBeVisible({ timeout: 2000 });
  }).toPass();
}

test("shows the incident that several customers have in common, with its chart and timeline", async ({
  page,
}) => {
  await opened(page);
  const section = incident(page);
  await expect(section).toContainText(
    new RegExp(String.raw`Failing.*since .*next attempt in \d+ m, ${TIME}`),
  );
  await expect(section).toContainText("0 of 3 told");
  await expect(
    section.getByRole("img", { name: /^3 customers behind now, at most 3, since / }),
  ).toBeVisible();
  await section.getByText(/^Timeline/).click();
  await expect(section.getByRole("list", { name: "Timeline" })).toContainText(
    "Behind at 3 customers",
  );
  await section.getByText(/^Timeline/).click();
  const onTime = page.getByRole("list", { name: "Customers on time" });
  await expect(onTime).toContainText(new RegExp(String.raw`Ashdown Estates.*in \d+ m ${TIME}`));
  await expectNoViolationInAnyForm(page, async (form) => {
    if (form === "phone")
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  });
});

test("is acknowledged at all customers at once, and that can be undone", async ({ page }) => {
  await opened(page);
  const section = incident(page);
  await section.getByRole("button", { name: "I’m on it", exact: true }).click();
  await expect(section).toContainText("You since");
  for (const name of ["Northgate", "Fjordline", "Harbour"])
    await expect(row(page, name)).toContainText("You");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(row(page, "Harbour")).toContainText("No one yet");

  // One customer, by key.
  await row(page, "Harbour").getByRole("link").focus();
  await page.keyboard.press("a");
  await expect(row(page, "Harbour")).toContainText("You");
  await expect(section).toContainText("You, 1 of 3");
  await expect(section.getByRole("button", { name: "I’m on it", exact: true })).toBeHidden();
});

test("says which customers were told: one by one, or all by a note", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await opened(page);
  const north = row(page, "Northgate");
  await north.getByRole("button", { name: "Copy paragraph for Northgate Builders" }).click();
  await north.getByRole("button", { name: "Mark as told: Northgate Builders" }).click();
  await expect(north).toContainText(new RegExp(String.raw`Told ${TIME}`));
  await expect(incident(page)).toContainText("1 of 3 told");

  await incident(page).getByRole("button", { name: "Add a note" }).click();
  const dialog = page.getByRole("dialog", { name: "Note on Procore, 3 customers" });
  await dialog.getByRole("textbox", { name: "Note" }).fill("Called everyone");
  await dialog.getByRole("checkbox", { name: "I told all of these customers" }).check();
  await dialog.getByRole("button", { name: "Add note" }).click();
  await expect(dialog).toBeHidden();
  await expect(incident(page)).toContainText("3 of 3 told");
});

test("is handed over only to a person who can handle all of it", async ({ page }) => {
  const all = ["fjord", "north", "harbour"];
  // Offered are those of the company that joined first, whichever that is.
  for (const company of all) await addPerson(app, { name: "Part Timer", role: "member", company });
  await addPerson(app, { name: "Whole Timer", role: "member", company: all });
  await opened(page);
  await incident(page).getByRole("button", { name: "Hand over" }).click();
  const dialog = page.getByRole("dialog", { name: "Hand over Procore" });
  const owner = dialog.getByRole("combobox", { name: "Owner" });
  await owner.selectOption({ label: "Part Timer" });
  await dialog.getByRole("button", { name: "Hand over" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(
    "This person can’t handle incidents of all these customers. Choose someone else.",
  );
  await owner.selectOption({ label: "Whole Timer" });
  await dialog.getByRole("button", { name: "Hand over" }).click();
  await expect(dialog).toBeHidden();
  await incident(page)
    .getByText(/^Timeline/)
    .click();
  await expect(incident(page).getByRole("list", { name: "Timeline" })).toContainText(
    "Whole Timer at Harbour Civil Works",
  );
});

test("offers no acts to those who can only look; the past says that it is the past above all lists", async ({
  page,
}) => {
  const viewer = { name: "Vera", role: "viewer", company: ["north", "fjord", "harbour"] } as const;
  await opened(page, await addPerson(app, viewer));
  await expect(table(page)).toContainText(/No one yet|administrators/);
  for (const name of [/^I’m on it/, "Add a note", "Hand over"])
    await expect(page.getByRole("button", { name })).toBeHidden();
  await page.goto(`${app.address}${PATH}?at=${encodeURIComponent(new Date().toISOString())}`);
  const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
  await expect(page.locator("[aria-labelledby=past-banner]")).toBeVisible();
  await expect(table(page)).toContainText("was");
  expect(await top("[aria-labelledby=past-banner]")).toBeLessThan(await top(".pe-lead"));
});
