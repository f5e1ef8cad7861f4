import { expect, test, type Page } from "@playwright/test";
import {
  ADMIN,
  AMPLE_BUDGET,
  expectNoViolation,
  signIn,
  signInByForm,
  startApp,
  type App,
} from "./app";

const CHOSEN = "vk27-tqpz-9dhw";

let app: App;
test.beforeAll(async () => {
  app = await startApp({ V3_SERVICE: "demo", ...AMPLE_BUDGET });
});
test.afterAll(async () => {
  await app.end();
});

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

async function choosePassword(page: Page, password: string, again = password) {
  await page.getByLabel("New password").fill(password);
  await page.getByLabel("Repeat it").fill(again);
  await page.getByRole("button", { name: /^Set/ }).click();
}

test("somebody is invited, chooses a password without scripts, is changed and disabled while signed in", async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  await signIn(page, app, "/settings/people");
  await expect(row(page, ADMIN.email)).toContainText("Local, first administrator");
  await page.getByRole("button", { name: "Invite someone" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Harriet Vane");
  await page.getByLabel("Email", { exact: true }).fill("Harriet@Example.com");
  await page.getByRole("radio", { name: "Member" }).check();
  await page.getByRole("button", { name: "Invite Harriet Vane" }).click();
  await expect(page.getByRole("alert")).toHaveText("Choose at least one company.");
  await page.getByLabel("Add a company").selectOption({ label: "Northgate Builders" });
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Invite Harriet Vane" }).click();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  expect(link).toContain(`${app.address}/signin/password/`);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(row(page, "Harriet Vane")).toContainText("Member, Northgate Builders");
  await expect(row(page, "Harriet Vane")).toContainText("Invited");
  await expectNoViolation(page);

  const plain = await browser.newContext({ javaScriptEnabled: false });
  const invited = await plain.newPage();
  const referers: string[] = [];
  invited.on("request", (request) => {
    const { referer } = request.headers();
    if (referer !== undefined) referers.push(referer);
  });
  const answer = await invited.goto(link);
  expect(answer?.headers()["referrer-policy"]).toBe("no-referrer");
  await expect(invited.getByRole("heading", { level: 1 })).toHaveText("Welcome to Plumbline");
  await choosePassword(invited, "harriet@example.com");
  await expect(invited.getByText(/^Too easy to guess: it’s built on your name/)).toBeVisible();
  await choosePassword(invited, CHOSEN, `${CHOSEN}x`);
  await expect(invited.getByText("The two passwords differ. Type them again.")).toBeVisible();
  await choosePassword(invited, CHOSEN);
  await expect(invited.getByRole("heading", { level: 1 })).toHaveText("Your password is set");
  await invited.goto(link);
  await expect(invited.getByRole("heading", { level: 1 })).toHaveText("This link was already used");
  const secret = link.split("/").at(-1) ?? "";
  expect(referers.join()).not.toContain(secret);
  await plain.close();
  expect(app.output()).not.toContain(secret);

  const theirs = await browser.newContext();
  const harriet = await theirs.newPage();
  await signInByForm(harriet, app, "/", { email: "harriet@example.com", password: CHOSEN });
  await harriet.goto(`${app.address}/settings/people`);
  await expect(harriet.getByText("You don’t have access to people")).toBeVisible();

  await page.getByRole("button", { name: "Edit: Harriet Vane" }).click();
  await page.getByLabel("Role at Northgate Builders").selectOption("operator");
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(row(page, "Harriet Vane")).toContainText("Operator, Northgate Builders");
  await page.getByRole("button", { name: "Edit: Harriet Vane" }).click();
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await page.getByRole("button", { name: "Disable Harriet Vane" }).click();
  await expect(row(page, "Harriet Vane")).toContainText("Disabled");
  await expect(async () => {
    await harriet.goto(`${app.address}/northgate`);
    await expect(harriet).toHaveURL(/\/signin/);
  }).toPass({ timeout: 6_000 });
  await theirs.close();

  // Nobody takes the last administrator away.
  await page.getByRole("button", { name: "Edit: Administrator" }).click();
  await page.getByLabel("Role at All companies").selectOption("viewer");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toContainText("This is the last administrator.");
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.goto(`${app.address}/settings/activity`);
  await expect(row(page, "Change access")).toContainText(
    "Member at northgate → operator at northgate",
  );
  await expect(row(page, "Disable")).toContainText("harriet@example.com");
  await expect(row(page, "Set password")).toContainText("Harriet Vane");
  await expectNoViolation(page);
});

test("a link that doesn't work says so and how to get one", async ({ page }) => {
  await page.goto(`${app.address}/signin/password/${"A".repeat(43)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link doesn’t work");
  await expectNoViolation(page);
});
