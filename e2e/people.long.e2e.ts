import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test, type Page } from "@playwright/test";
import { SMTPServer } from "smtp-server";
import { sessions } from "@/lib/server/store/schema/people";
import {
  ADMIN,
  AMPLE_BUDGET,
  expectNoViolation,
  onRecord,
  signIn,
  signInByForm,
  startApp,
  type App,
} from "./app";
import { freePort } from "./identity-provider";

const CHOSEN = "vk27-tqpz-9dhw";

let app: App;
/** Mails received by the mail server, and whether it accepts any. */
const mails: string[] = [];
let takesMail = true;
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData(stream, _session, done) {
    const parts: Buffer[] = [];
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("end", () => {
      const content = Buffer.concat(parts).toString();
      if (takesMail) mails.push(content);
      done(takesMail ? null : new Error(content));
    });
  },
});

test.beforeAll(async () => {
  const listening = mailServer.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const port = await freePort();
  app = await startApp({
    V3_SERVICE: "demo",
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    MAIL_FROM: "Plumbline <plumbline@example.com>",
    ...AMPLE_BUDGET,
  });
});
test.afterAll(async () => {
  await app.end();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});

/** Dates back every session's last sign-in by two hours. */
const proveBefore = () =>
  onRecord(app, ({ orm }) =>
    orm.update(sessions).set({ authenticatedAt: new Date(Date.now() - 2 * 3_600_000) }),
  );
const proof = (page: Page) => page.getByRole("alertdialog", { name: "Confirm it’s you" });
async function prove(page: Page) {
  await proof(page)
    .getByLabel(/^Password for/)
    .fill(ADMIN.password);
  await proof(page).getByRole("button", { name: "Confirm" }).click();
}

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

async function choosePassword(page: Page, password: string, again = password) {
  await page.getByLabel("New password").fill(password);
  await page.getByLabel("Repeat it").fill(again);
  await page.getByRole("button", { name: /^Set/ }).click();
}

test("invites a person, who chooses a password without scripts, and changes and disables them while signed in", async ({
  page,
  browser,
}) => {
  await signIn(page, app, "/settings/people");
  await expect(row(page, ADMIN.email)).toContainText("Password (first administrator)");
  const sent = await (await page.request.get(`${app.address}/settings/people`)).text();
  expect(sent).toContain("4 people");
  expect(sent).toContain("Password (first administrator)");
  const filtered = `${app.address}/settings/people?q=vera&which=local`;
  expect(await (await page.request.get(filtered)).text()).toContain("Vera Holt");
  await proveBefore();
  await page.getByRole("button", { name: "Invite someone" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Harriet Vane");
  await page.getByLabel("Email", { exact: true }).fill("Harriet@Example.com");
  await page.getByRole("radio", { name: "Member" }).check();
  await page.getByRole("button", { name: "Invite Harriet Vane" }).click();
  await expect(page.getByRole("alert")).toHaveText("Choose at least one company.");
  await expect(page.getByLabel("Add a company")).toHaveAccessibleDescription(
    "Choose at least one company.",
  );
  await page.getByLabel("Add a company").selectOption({ label: "Northgate Builders" });
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Invite Harriet Vane" }).click();
  await expect(proof(page)).toContainText("To invite someone, confirm it’s you.");
  await expect(proof(page)).toContainText("No one has been invited yet.");
  await expectNoViolation(page);
  await proof(page)
    .getByLabel(/^Password for/)
    .fill("not my password");
  await proof(page).getByRole("button", { name: "Confirm" }).click();
  await expect(proof(page).getByText("Wrong password.").first()).toBeVisible();
  await proof(page).getByRole("button", { name: "Back" }).click();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("Harriet@Example.com");
  expect(mails).toEqual([]);
  await page.getByRole("button", { name: "Invite Harriet Vane" }).click();
  await prove(page);
  await expect(
    page.getByText("The mail server accepted an email with this link for Harriet@Example.com."),
  ).toBeVisible();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  expect(link).toContain(`${app.address}/signin/password/`);
  expect(mails.map((mail) => mail.replaceAll("=\r\n", ""))).toEqual([
    expect.stringContaining(`${link}\r\n`),
  ]);
  await expectNoViolation(page);
  await expect(page.getByRole("button", { name: "Done" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Link", { exact: true })).toBeVisible();
  await page.getByLabel("I’ve copied the link or don’t need it").check();
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
  await expect(invited.getByLabel("Repeat it")).toHaveAccessibleDescription(
    "The passwords don’t match.",
  );
  await expect(invited.getByLabel("New password")).toHaveAccessibleDescription("");
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
  await proveBefore();
  await page.getByRole("button", { name: "Save" }).click();
  await prove(page);
  await expect(row(page, "Harriet Vane")).toContainText("Operator, Northgate Builders");
  await page.getByRole("button", { name: "Edit: Harriet Vane" }).click();
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await proveBefore();
  await page.getByRole("button", { name: "Disable Harriet Vane" }).click();
  await prove(page);
  await expect(row(page, "Harriet Vane")).toContainText("Disabled");
  await expect(async () => {
    await harriet.goto(`${app.address}/northgate`);
    await expect(harriet).toHaveURL(/\/signin/);
  }).toPass({ timeout: 6_000 });
  await theirs.close();

  // The first administrator can't be removed, and the page says why.
  await page.getByRole("button", { name: "Edit: Administrator" }).click();
  await expect(page.getByLabel("Role at All companies")).toBeDisabled();
  await expect(page.getByRole("button", { name: "Disable", exact: true })).toHaveCount(0);
  await expect(page.getByText("This is the first administrator (ADMIN_EMAIL).")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.goto(`${app.address}/settings/activity`);
  await expect(row(page, "Changed access")).toContainText(
    "Member at Northgate Builders → operator at Northgate Builders",
  );
  await expect(row(page, "Disable")).toContainText("harriet@example.com");
  await expect(row(page, "Set password")).toContainText("Harriet Vane");
  await expectNoViolation(page);
});

test("reports a link whose mail was rejected, to be passed on manually", async ({ page }) => {
  await signIn(page, app, "/settings/people?q=milo");
  takesMail = false;
  await page.getByRole("button", { name: "Edit: Milo Brandt" }).click();
  await page.getByRole("button", { name: "Create password link" }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  await expect(
    page.getByText("We couldn’t email this link to member@demo.plumbline.local."),
  ).toBeVisible();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  // The mail server quoted the whole mail in its response.
  expect(app.output()).toContain("mail_not_sent");
  expect(app.output()).not.toContain(link.split("/").at(-1));
  await page.getByLabel("I’ve copied the link or don’t need it").check();
  await page.getByRole("button", { name: "Done" }).click();
  takesMail = true;
});

test("reports an invalid link and how to get a new one", async ({ page }) => {
  await page.goto(`${app.address}/signin/password/${"A".repeat(43)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link doesn’t work");
  await expectNoViolation(page);
});
