import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { people, sessions } from "@/lib/server/store/schema/people";
import {
  ADMIN,
  AMPLE_BUDGET,
  addPerson,
  expectNoViolation,
  expectNoViolationInAnyForm,
  onRecord,
  signInByForm,
  startApp,
  type App,
} from "./app";
import { dialog, dock, filesOf, lines, names } from "./files-page";
import { sampleFiles } from "./upstream/sample-rows";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { AT_TIME } from "./times";

let upstream: MisbehavingUpstream;
let app: App;
let folder: string;
const files = sampleFiles(12, Date.parse("2026-03-02T12:00:00Z"));
const baselines = files.filter((file) => file.is_baseline);

test.beforeAll(async () => {
  upstream = await startMisbehavingUpstream({ files });
  folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-me-"));
  const file = path.join(folder, "connections.json");
  const { baseUrl, clientId, clientSecret } = upstream;
  const connections = ["Northgate", "Harbour"].map((name) => ({
    slug: name.toLowerCase(),
    name,
    base_url: baseUrl,
    client_id: clientId,
    client_secret: clientSecret,
  }));
  writeFileSync(file, JSON.stringify(connections));
  app = await startApp({ CONNECTIONS_FILE: file, ...AMPLE_BUDGET });
});
test.afterAll(async () => {
  await app.end();
  await upstream.close();
  rmSync(folder, { recursive: true });
});

/** Dates back every session's last sign-in. */
const proveBefore = (ms: number) =>
  onRecord(app, ({ orm }) =>
    orm.update(sessions).set({ authenticatedAt: new Date(Date.now() - ms) }),
  );
const HOUR = 3_600_000;

const proof = (page: Page) => page.getByRole("alertdialog", { name: "Confirm it’s you" });

test("shows permissions with reasons and sessions on the personal page, and reports an ended session", async ({
  page,
  browser,
}) => {
  const operator = await addPerson(app, { name: "Bo", role: "operator", company: "northgate" });
  await signInByForm(page, app, "/northgate", operator);
  await page.getByRole("button", { name: /^Your account/ }).click();
  const items = page.getByRole("menuitem");
  await expect(items).toHaveText(["Me", "My alerts", "Share links", "API tokens", "Sign out"]);
  await items.first().click();
  await expect(page).toHaveURL(`${app.address}/settings/me`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Bo");
  await expect(page.getByRole("row", { name: /^Operator/ })).toContainText("Northgate");
  await expect(page.getByRole("row", { name: /^Operator/ })).toContainText("Set up on the server");

  // The administrator in two browsers.
  const [desk, other] = [await browser.newPage(), await browser.newPage()];
  await signInByForm(desk, app, "/settings/me");
  const nav = desk.getByRole("navigation", { name: "Settings" });
  await expect(nav.getByRole("link")).toHaveText([
    "Me",
    "My alerts",
    "Share links",
    "People",
    "Channels",
    "Rules",
    "Displays",
    "Connections",
    "API tokens",
    "Activity",
  ]);
  await expect(nav.getByRole("link", { name: "Me" })).toHaveAttribute("aria-current", "page");
  await expectNoViolationInAnyForm(desk);
  const there = `${app.address}/northgate/schedules?q=Schedule#later`;
  await signInByForm(other, app, "/northgate/schedules?q=Schedule#later");
  await expect(names(other).first()).toBeVisible();

  const rows = desk.getByRole("table").nth(1).getByRole("row");
  await expect(rows).toHaveCount(3, { timeout: 30_000 });
  await expect(rows.nth(1)).toContainText("Chrome on Linux this one");
  // All others are ended only after a question.
  await desk.getByRole("button", { name: "End all other sessions" }).click();
  await expect(desk.getByRole("alertdialog")).toHaveAccessibleName("End your other session?");
  await desk.getByRole("button", { name: "Keep session" }).click();
  await expect(rows).toHaveCount(3);
  await rows.nth(2).getByRole("button", { name: /^End/ }).click();
  await expect(desk.getByText("Ended the session: Chrome on Linux.")).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expect(desk.getByRole("button", { name: "End all other sessions" })).toBeDisabled();

  // It reports the end, and keeps its content.
  const over = other.getByRole("region", { name: "Session" });
  await expect(over).toContainText(
    new RegExp(
      String.raw`Your session has ended\. This page shows what was known ${AT_TIME} and no longer updates`,
    ),
    { timeout: 30_000 },
  );
  await expect(names(other).first()).toBeVisible();
  await expect(other).toHaveURL(there);
  await expectNoViolation(other);
  await over.getByRole("button", { name: "Sign in" }).click();
  await other.getByLabel("Work email").fill(ADMIN.email);
  await other.getByLabel("Password").fill(ADMIN.password);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other).toHaveURL(there);
  await expect(over).toHaveCount(0);

  // Start page of a visit.
  await desk.getByLabel("Start page").selectOption("Harbour");
  await desk.goto(`${app.address}/`);
  await expect(desk).toHaveURL(`${app.address}/harbour`);
  await desk.getByRole("link", { name: "Plumbline, home" }).click();
  await expect(desk).toHaveURL(`${app.address}/`);
  await expect(desk.getByRole("link", { name: /Northgate/ }).first()).toBeVisible();
  await desk.context().addCookies([{ name: "start", value: "nowhere", url: app.address }]);
  await desk.goto(`${app.address}/`);
  await expect(desk).toHaveURL(`${app.address}/`);
  await desk.close();
  await other.close();
});

test("requires a sign-in within the hour for a baseline, asks for it in place, and continues", async ({
  page,
}) => {
  await signInByForm(page, app, "/northgate/schedules?view=files");
  await expect
    .poll(async () => (await filesOf(page, app, "northgate")).scopes.delete, { timeout: 30_000 })
    .toBe(true);
  await page.reload();
  const ask = async (name: string) => {
    const line = lines(page).filter({ has: page.getByRole("link", { name, exact: true }) });
    await line.hover();
    await line.getByRole("button", { name: /^Delete/ }).click();
    await dialog(page).getByRole("textbox").fill(name);
    await dialog(page)
      .getByRole("button", { name: /^Delete/ })
      .click();
  };
  const [first, second] = baselines as [(typeof baselines)[0], (typeof baselines)[0]];
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/deletions"))
      keys.push(request.headers()["idempotency-key"]);
  });

  await proveBefore(2 * HOUR);
  await ask(first.name);
  await expect(proof(page)).toContainText(
    new RegExp(
      String.raw`To delete a baseline, confirm it’s you\. You last signed in ${AT_TIME}\. Nothing has been deleted yet\.`,
    ),
  );
  const password = proof(page).getByLabel(`Password for ${ADMIN.email}`);
  await expect(password).toBeFocused();
  await expectNoViolation(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  await expect(proof(page)).toHaveCount(0);
  await expect(dialog(page).getByRole("textbox")).toHaveValue(first.name);
  await dialog(page)
    .getByRole("button", { name: /^Delete/ })
    .click();
  await password.fill("a wrong password");
  await proof(page).getByRole("button", { name: "Confirm" }).click();
  await expect(proof(page)).toContainText("Wrong password.");
  await password.fill(ADMIN.password);
  await password.press("Enter");
  await expect(dock(page)).toContainText(`Deleting ${first.name}`);
  await expect(dialog(page)).toHaveCount(0);
  expect(new Set(keys).size).toBe(1);
  expect(keys).toHaveLength(3);
  await dock(page).getByRole("button", { name: "Undo" }).click();

  // A provider's account is redirected there and returns to the same dialog.
  keys.length = 0;
  const asProvider = (given: { issuer: string | null; subject: string | null }) =>
    onRecord(app, ({ orm }) => orm.update(people).set(given).where(eq(people.email, ADMIN.email)));
  await asProvider({ issuer: "https://id.example", subject: "1" });
  const kind = async () =>
    (await (await page.request.get(`${app.address}/api/me`)).json()).person.kind;
  await expect.poll(kind).toBe("oidc");
  await proveBefore(2 * HOUR);
  await page.route("**/api/auth/signin/oidc?max_age=0", (route) =>
    route.fulfill({ json: { url: "https://id.example/authorize" } }),
  );
  await page.route("https://id.example/**", async (route) => {
    await proveBefore(0);
    await route.fulfill({ status: 302, headers: { location: page.url() } });
  });
  await ask(second.name);
  await expect(proof(page)).toContainText("brings you back to this dialog");
  await expectNoViolation(page);
  await proof(page)
    .getByRole("button", { name: /^Continue with/ })
    .click();
  await expect(dialog(page)).toContainText(second.name);
  await expect(proof(page)).toHaveCount(0);
  await expect(dialog(page).getByRole("textbox")).toHaveValue(second.name);
  await dialog(page)
    .getByRole("button", { name: /^Delete/ })
    .click();
  await expect(dock(page)).toContainText(`Deleting ${second.name}`);
  expect(new Set(keys).size).toBe(1);
  expect(keys).toHaveLength(2);
  await dock(page).getByRole("button", { name: "Undo" }).click();

  // Several files come back by name, too.
  await page.goto(page.url().replace(/[?#].*/, "?view=files"));
  const several = files.filter((file) => !file.is_baseline).slice(0, 6);
  for (const { name } of several)
    await lines(page)
      .filter({ has: page.getByRole("link", { name, exact: true }) })
      .getByRole("checkbox")
      .check();
  await proveBefore(2 * HOUR);
  await page.getByRole("button", { name: "Delete 6 files" }).click();
  await dialog(page).getByLabel("Type 6 to continue").fill("6");
  await dialog(page).getByRole("button", { name: "Delete 6 files" }).click();
  await proof(page)
    .getByRole("button", { name: /^Continue with/ })
    .click();
  for (const { name } of several) await expect(dialog(page)).toContainText(name);
  await expectNoViolation(page);
  await asProvider({ issuer: null, subject: null });
});
