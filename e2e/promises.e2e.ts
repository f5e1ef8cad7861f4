import { expect, test, type Page } from "@playwright/test";
import type { PromisesView } from "@/lib/contracts/promises";
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

const app = demoApp();
const COMPANY = "orchard";
const PATH = `/${COMPANY}/promises`;
const api = `${app.address}/api/companies/${COMPANY}/promises`;
const headers = { Origin: app.address };

const table = (page: Page) => page.getByRole("region", { name: "Promises" });
const rows = (page: Page) => table(page).locator("tbody tr");

/** Removes all promises of the company. */
async function removeAll(page: Page): Promise<void> {
  const { data } = (await (await page.request.get(api)).json()) as PromisesView;
  for (const { id } of data)
    expect((await page.request.delete(`${api}/${id}`, { headers, data: {} })).status()).toBe(204);
}

/** An active feed of the company with a cadence. */
async function someFeed(page: Page) {
  const { rows: all } = await syncStatus(page, app, COMPANY);
  const feed = all.find((row) => row.status === "active" && (row.frequency_minutes ?? 0) > 0);
  if (feed === undefined) throw new Error(`${COMPANY} has active feeds`);
  return feed;
}

test.afterEach(async ({ page }) => {
  await page.context().clearCookies();
  await beSignedIn(page, app);
  await removeAll(page);
});

test("a member makes a promise after a rehearsal, and everyone sees it where its feed is", async ({
  page,
}) => {
  const member = await addPerson(app, { name: "Mo Berg", role: "member", company: COMPANY });
  await signIn(page, app, PATH, member);
  await removeAll(page);
  const feed = await someFeed(page);
  await page.goto(app.address + PATH);
  await expect(page.getByText("No promises yet")).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Add a promise" }).click();
  await expect(page).toHaveURL(/promise=new/);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toBeFocused();

  const problem = page.locator("form [role=alert]").filter({ hasText: /./ });
  await page.getByRole("button", { name: "Save promise" }).click();
  await expect(problem).toHaveText("Choose which feeds the promise is about.");
  await page
    .getByRole("combobox", { name: "Feeds", exact: true })
    .selectOption({ label: feed.partner_name });
  await page
    .getByRole("combobox", { name: "Feed", exact: true })
    .selectOption({ label: feed.endpoint_key });
  const by = page.getByRole("textbox", { name: "New data by" });
  await by.fill("quarter past");
  await page.getByRole("button", { name: "Save promise" }).click();
  await expect(problem).toHaveText("Enter a time like 07:30 or 7:30 pm.");
  await expect(by).toBeFocused();
  await expect(by).toHaveAttribute("aria-invalid", "true");
  await expect(by).toHaveAccessibleDescription("Enter a time like 07:30 or 7:30 pm.");
  await by.fill("7");
  for (const day of ["Saturday", "Sunday"]) await page.getByRole("button", { name: day }).click();

  // What isn't valid is said, and the rehearsal waits for it.
  const rehearsal = page.getByRole("complementary", { name: "Rehearsal" });
  const counts = page.getByRole("textbox", { name: "Data counts from" });
  await counts.fill("08:00");
  await counts.press("Tab");
  await expect(rehearsal).toContainText("Complete the form");
  await page.getByRole("button", { name: "Save promise" }).click();
  await expect(problem).toHaveText("“Counts from” must be a time before the promised one.");
  await counts.fill("");
  await counts.press("Tab");
  const target = page.getByRole("textbox", { name: /^Target/ });
  await target.fill("101");
  await page.getByRole("button", { name: "Save promise" }).click();
  await expect(problem).toHaveText("The target must be between 0 and 100%.");
  await expect(target).toBeFocused();
  await expect(target).toHaveAccessibleDescription("The target must be between 0 and 100%.");
  await expect(by).not.toHaveAttribute("aria-invalid");
  // Of several, each is named, and the first has the focus.
  await by.fill("quarter past");
  await by.press("Tab");
  await page.getByRole("button", { name: "Save promise" }).click();
  await expect(problem).toHaveText([
    "Enter a time like 07:30 or 7:30 pm.",
    "The target must be between 0 and 100%.",
  ]);
  await expect(by).toBeFocused();
  await by.fill("7");
  await expect(problem).toHaveText("The target must be between 0 and 100%.");
  await target.fill("97.5");
  await expect(problem).toHaveCount(0);
  const from = page.getByRole("textbox", { name: "From", exact: true });
  await from.fill("1 Jan 2020");
  await page.getByRole("button", { name: "Save promise" }).click();
  await expect(problem).toHaveText("The first day must be today or later.");
  await from.fill("next week");
  await page.getByRole("button", { name: "Save promise" }).click();
  await expect(problem).toHaveText(/^Enter a date like /);
  await from.fill("");
  await page.getByRole("textbox", { name: "Note" }).fill("Contract 4.2");

  await rehearsal.getByRole("radio", { name: "90 days" }).click();
  await expect(rehearsal.getByRole("heading", { level: 2 })).toHaveText(
    /^Would have been kept on \d+ of \d+ mornings? over the last 90 days|^We can’t tell for the last 90 days/,
  );
  await expectNoViolationInAnyForm(page, async () => {}, "main");
  await page.getByRole("button", { name: "Save promise" }).click();

  await expect(rows(page)).toHaveCount(1);
  await expect(heading).toBeFocused();
  await expect(rows(page)).toContainText(`${feed.partner_name} / ${feed.endpoint_key}`);
  await expect(rows(page)).toContainText("by 07:00 every day");
  await expect(rows(page)).toContainText("target 97.5%");
  await expectNoViolationInAnyForm(page, async () => {}, "main");

  // The next check gives the feed its promise: within a minute.
  await expect
    .poll(
      async () =>
        (await syncStatus(page, app, COMPANY)).rows.find(({ id }) => id === feed.id)?.promise,
      { timeout: 90_000 },
    )
    .not.toBeNull();
  await page.goto(
    `${app.address}/${COMPANY}/partners/${encodeURIComponent(feed.partner_name)}/${feed.id}`,
  );
  const panel = page.getByRole("region", { name: "Promise" });
  await expect(panel).toContainText(/by (?:\w{3} )?07:00/);
  await expect(panel).toContainText("Promised by 07:00 every day");
  await expectNoViolation(page);
  await page.goto(`${app.address}/${COMPANY}?group=flat`);
  const line = page.locator("[data-line]").filter({ hasText: feed.endpoint_key }).first();
  await expect(line.locator(".row-below")).toContainText(/by (?:\w{3} )?07:00/);

  // N makes one, J and K move through the list.
  await page.goto(app.address + PATH);
  await page.keyboard.press("j");
  await expect(rows(page).getByRole("button", { name: /^Edit: / })).toBeFocused();
  await expect(async () => {
    await page.keyboard.press("n");
    await expect(page).toHaveURL(/promise=new/, { timeout: 1_000 });
  }).toPass();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("j");
  await expect(rows(page).getByRole("button", { name: /^Edit: / })).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("move from promise to promise");
  // The note isn't shown to viewers of a wall, and stays in the editor.
  await page.goto(app.address + PATH);
  await rows(page)
    .getByRole("button", { name: /^Edit: / })
    .click();
  await expect(page.getByRole("textbox", { name: "Note" })).toHaveValue("Contract 4.2");
  await page.getByRole("button", { name: "Delete promise" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete promise" }).click();
  await expect(page.getByText("No promises yet")).toBeVisible();
  await expect(heading).toBeFocused();
});

test("a viewer reads promises, and can neither change nor rehearse them", async ({ page }) => {
  await beSignedIn(page, app);
  await removeAll(page);
  const made = await page.request.post(api, {
    headers,
    data: { by: "16:00", days: ["mon"], time_zone: "Europe/Oslo", note: "Contract 4.2" },
  });
  expect(made.status()).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const viewer = await addPerson(app, { name: "Vi Holm", role: "viewer", company: COMPANY });
  await page.context().clearCookies();
  await signIn(page, app, PATH, viewer);
  await expect(rows(page)).toContainText("by 16:00 on Mondays");
  await expect(rows(page)).toContainText("Oslo time");
  const main = page.locator("main");
  await expect(main.getByRole("button", { name: /^(?:Add|Import|Edit)/ })).toHaveCount(0);
  await rows(page)
    .getByRole("button", { name: /^Details: / })
    .click();
  await expect(main.getByRole("button", { name: "Back" })).toBeVisible();
  await expect(main.getByRole("button", { name: /promise$/ })).toHaveCount(0);
  await expect(main.getByRole("heading", { level: 1 })).toHaveText(
    "All feeds, by 16:00 on Mondays",
  );
  await expect(main).toContainText("Contract 4.2");
  await expect(main.getByRole("textbox")).toHaveCount(0);
  await expect(main.getByRole("complementary", { name: "Rehearsal" })).toHaveCount(0);
  await expectNoViolation(page);
  await page.goto(`${app.address}${PATH}?promise=new`);
  await expect(rows(page)).toHaveCount(1);
  const promise = { by: "07:00", days: ["mon"], time_zone: "UTC" };
  for (const [method, path, data] of [
    ["post", api, promise],
    ["patch", `${api}/${id}`, { by: "08:00" }],
    ["delete", `${api}/${id}`, {}],
    ["post", `${api}/import`, { csv: "", dry_run: true }],
    ["post", `${api}/rehearsal`, { ...promise, since: "2026-11-01", until: "2026-11-02" }],
  ] as const)
    expect((await page.request[method](path, { headers, data })).status(), path).toBe(403);
});

test("imports pasted lines after a dry run, which names what is wrong, and takes its export back", async ({
  page,
}) => {
  const member = await addPerson(app, { name: "Mo Berg", role: "member", company: COMPANY });
  await signIn(page, app, PATH, member);
  await removeAll(page);
  const { partner_name: partner } = await someFeed(page);
  const head = "partner,endpoint_id,by,days,month_days,time_zone,holidays";
  const good = `"${partner}",,07:00,mon tue,,Europe/Oslo,2026-12-25`;
  const bad = `"${partner}",,25:00,mon,,Europe/Oslo,`;
  await page.getByRole("button", { name: "Import CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Import promises" });
  await expectNoViolationInAnyForm(page, async () => {}, "[role=dialog]");
  const text = dialog.getByLabel("Or paste it here");
  await text.fill([head, good, bad].join("\n"));
  await dialog.getByRole("button", { name: "Check" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("1 line isn’t valid. Nothing was imported.");
  await expect(dialog.getByRole("region", { name: "Lines with errors" })).toContainText("3");
  await expect(dialog.getByRole("button", { name: "Import", exact: true })).toHaveCount(0);

  await text.fill([head, good].join("\n"));
  await dialog.getByRole("button", { name: "Check" }).click();
  await expect(dialog.getByRole("status")).toHaveText("1 promise would be added, 0 changed.");
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(dialog.getByRole("status")).toHaveText("1 promise was added, 0 changed.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(rows(page)).toContainText("by 07:00 on Mon and Tue");

  const csv = await (await page.request.get(`${api}/csv`)).text();
  await page.getByRole("button", { name: "Import CSV" }).click();
  await text.fill(csv);
  await dialog.getByRole("button", { name: "Check" }).click();
  await expect(dialog.getByRole("status")).toHaveText(
    "Nothing to import: 1 promise is already there.",
  );
  await expect(dialog.getByRole("button", { name: "Check" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await showAs(page, "phone");
  await page.goto(app.address + PATH);
  await expect(rows(page)).toHaveCount(1);
  expect(await sidewaysPx(page)).toBeLessThanOrEqual(0);
});

test("a calendar link is created, read without an account, and revoked after a question", async ({
  page,
  playwright,
}) => {
  const member = await addPerson(app, { name: "Cal Lind", role: "member", company: COMPANY });
  await signIn(page, app, PATH, member);
  await page.getByRole("button", { name: "Calendar" }).click();
  const dialog = page.getByRole("dialog", { name: "Calendar links" });
  await expect(dialog).toContainText("No calendar links yet.");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = dialog.getByRole("textbox", { name: "Calendar link" });
  await expect(link).toBeFocused();
  await expectNoViolationInAnyForm(page, undefined, "[role=dialog]");
  const url = await link.inputValue();
  const stranger = await playwright.request.newContext();
  const read = await stranger.get(url);
  expect(read.status()).toBe(200);
  expect(await read.text()).toContain("BEGIN:VCALENDAR");

  await dialog.getByRole("button", { name: /^Revoke: link created/ }).click();
  const sure = page.getByRole("alertdialog", { name: /^Revoke the link created/ });
  await expect(sure.getByRole("button", { name: "Keep link" })).toBeFocused();
  await sure.getByRole("button", { name: "Keep link" }).click();
  expect((await stranger.get(url)).status()).toBe(200);
  await dialog.getByRole("button", { name: /^Revoke: link created/ }).click();
  await sure.getByRole("button", { name: "Revoke link" }).click();
  await expect(sure).toHaveCount(0);
  await expect(dialog).toContainText("Link revoked.");
  await expect(dialog).toContainText("No calendar links yet.");
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await expect.poll(async () => (await stranger.get(url)).status(), { timeout: 10_000 }).toBe(404);
  await stranger.dispose();
});
