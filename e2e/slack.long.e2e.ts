import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import { inviteSlackUser } from "@/lib/server/store/slack/slack-accounts";
import { addPerson, expectNoViolationInAnyForm, onRecord, signIn, startApp, type App } from "./app";
import { startConnectProxy, type ConnectProxy } from "./slack/connect-proxy";
import { startFakeSlack, type FakeSlack } from "./slack/fake-slack";
import { SLACK_CERTIFICATE } from "./slack/slack-certificate";

// Slack is reached through a proxy only: its API and its connections, by TLS.

let slack: FakeSlack;
let proxy: ConnectProxy;
let folder: string;
let app: App;
test.beforeAll(async () => {
  slack = await startFakeSlack({ certificate: SLACK_CERTIFICATE, host: "wss.slack.com" });
  proxy = await startConnectProxy(slack.port);
  folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-slack-"));
  const authority = path.join(folder, "slack.pem");
  writeFileSync(authority, SLACK_CERTIFICATE.cert);
  app = await startApp({
    V3_SERVICE: "demo",
    HTTPS_PROXY: proxy.address,
    NODE_EXTRA_CA_CERTS: authority,
  });
});
test.afterAll(async () => {
  await app.end();
  proxy.close();
  await slack.close();
  rmSync(folder, { recursive: true });
});

const saved = (page: Page) => page.getByRole("row").filter({ hasText: "#sync-alerts" }).first();

test("adds Slack on one page: the app, a channel that was tested, and the first rule", async ({
  page,
}) => {
  await signIn(page, app, "/settings/channels");
  await page.getByRole("link", { name: "Add Slack" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Add Slack");
  await page.getByText("Show the manifest").click();
  const manifest = JSON.parse(await page.locator("pre").innerText()) as {
    features: { unfurl_domains: string[] };
  };
  expect(manifest.features.unfurl_domains).toEqual([new URL(app.address).hostname]);
  await expectNoViolationInAnyForm(page);

  // What is missing is said, and its field gets the focus.
  const send = page.getByRole("button", { name: /^Save and (send a test|test again)$/ });
  await send.click();
  const problem = page.locator("main form").getByRole("alert").filter({ hasText: /./ });
  await expect(problem).toHaveText([
    "Enter the bot token. It begins with xoxb-.",
    "Enter the Slack channel.",
  ]);
  const token = page.getByLabel("Bot token");
  await expect(token).toBeFocused();
  await token.fill("xoxb-t1-secret");
  await page.getByLabel("App-level token (optional)").fill("xapp-1-secret");
  await page.getByLabel("Slack channel").fill("C04N7T2");
  await page.getByLabel("Name in Plumbline (optional)").fill("#sync-alerts");

  // A test that fails says what to do. The channel is saved, but nothing is sent to it yet.
  slack.answer = (call, response) => {
    if (call.method !== "chat.postMessage") return false;
    response.end(JSON.stringify({ ok: false, error: "not_in_channel" }));
  };
  // The channel is saved, but the answer is lost; then the page is left before its address was used for anything.
  await page.route("**/api/channels/*", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send.click();
  await expect(problem).toHaveText(/./);
  await page.unroute("**/api/channels/*");
  await page.reload();
  await expect(page.getByLabel("Slack channel")).toHaveValue("C04N7T2");
  await send.click();
  const outcome = page.locator("main form").getByRole("status").first();
  await expect(outcome).toContainText("Slack answered: not_in_channel.");
  await expect(outcome).toContainText("type /invite @Plumbline in the channel");
  await expect(page.getByText("Available once a test has arrived.")).toBeVisible();
  slack.answer = null;
  await send.click();
  await expect(outcome).toContainText("Test accepted. Slack accepted it.");
  expect(slack.callsOf("chat.postMessage").at(-1)).toMatchObject({ channel: "C04N7T2" });

  // A reload continues at the same step.
  await page.reload();
  await expect(token).toHaveValue("");
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(
    "To #sync-alerts",
  );
  await expect(page.getByRole("complementary", { name: "Rehearsal" })).toContainText(
    /Would have sent/,
  );
  await expectNoViolationInAnyForm(page);
  await page.route("**/api/rules/*", async (route) => {
    if (route.request().method() !== "PUT") return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await page.getByRole("button", { name: "Create rule" }).click();
  await expect(page.locator("main").getByRole("alert").filter({ hasText: /./ })).toHaveText(/./);
  await page.unroute("**/api/rules/*");
  await page.reload();
  await page.getByRole("button", { name: "Create rule" }).click();
  await expect(page).toHaveURL(`${app.address}/settings/rules`);
  const rules = page.getByRole("row").filter({ hasText: "To #sync-alerts" });
  await expect(rules).toContainText("#sync-alerts");
  await expect(rules).toHaveCount(1);

  await page.goto(`${app.address}/settings/channels`);
  await expect(page.getByRole("row").filter({ hasText: "#sync-alerts" })).toHaveCount(1);
  await expect(saved(page)).toContainText("Button and link previews: connected.");
  expect(new Set(proxy.targets)).toEqual(new Set(["slack.com:443", "wss.slack.com:443"]));

  // The app-level token can be removed, and with it the connection.
  await saved(page).getByRole("button", { name: "Edit: #sync-alerts" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: /^Remove the app-level token/ }).check();
  await expect(dialog.getByLabel("App-level token (optional)")).toBeDisabled();
  await expectNoViolationInAnyForm(page, undefined, "[role=dialog]");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(saved(page)).not.toContainText("Button and link previews");
  await expect.poll(() => slack.sockets.at(-1)?.isOpen).toBe(false);
});

test("links the Slack account of a person once, and lists and unlinks it", async ({ page }) => {
  const member = await addPerson(app, { name: "Mo Berg", role: "member", company: "northgate" });
  const secret = newSecret();
  const nowMs = Date.now();
  const user = { teamId: "T1", userId: "U1", teamName: "Example", userName: "mo" };
  await onRecord(app, (database) =>
    inviteSlackUser(database, user, {
      tokenHash: secretHash(secret),
      expiresMs: nowMs + 600_000,
      nowMs,
    }),
  );
  const link = `/settings/me#slack=${secret}`;
  await signIn(page, app, link, member);
  const sure = page.getByRole("alertdialog", { name: "Link your Slack account?" });
  await expect(sure).toContainText("mo in the Slack workspace Example");
  // Neither the history nor a copied address has the secret.
  await expect(page).toHaveURL(`${app.address}/settings/me`);
  await expectNoViolationInAnyForm(page, undefined, "[role=alertdialog]");
  await sure.getByRole("button", { name: "Link account" }).click();
  await expect(page.getByText("mo in Slack can now acknowledge incidents as you.")).toBeVisible();
  const section = page.getByRole("region", { name: "Slack" });
  await expect(section).toContainText("Can acknowledge incidents as you since");
  await expectNoViolationInAnyForm(page);

  await page.goto("about:blank");
  await page.goto(app.address + link);
  await expect(page.getByText("has expired or was already used")).toBeVisible();
  await section.getByRole("button", { name: "Unlink mo" }).click();
  await expect(page.getByText("mo in Slack can no longer act as you.")).toBeVisible();
  await expect(section).toHaveCount(0);
});
