import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import { people, sessions } from "@/lib/server/store/schema/people";
import { inviteSlackUser } from "@/lib/server/store/slack/slack-accounts";
import { ADMIN, expectNoViolation, NO_UPSTREAM, onRecord, startApp, type App } from "./app";
import { freePort, startIdentityProvider } from "./identity-provider";

const RULES = {
  rules: [
    { claim: "groups", equals: "cs-emea", role: "member", companies: ["main"] },
    { claim: "groups", equals: "it-ops", role: "administrator", companies: "all" },
  ],
};
const ACCOUNTS = {
  bea: { name: "Bea Lund", email: "bea@example.com", groups: ["cs-emea"] },
  ida: { name: "Ida Ops", email: "ida@example.com", groups: ["it-ops"] },
  sam: { name: "Sam Stranger", email: "sam@example.com", groups: ["sales"] },
  mia: { name: "Mia Many", email: "mia@example.com", hasgroups: true },
};

/** Goes through the provider's sign-in page. */
async function continueAs(page: Page, name: keyof typeof ACCOUNTS): Promise<void> {
  await page.getByRole("button", { name: "Continue with Example ID" }).click();
  await page.locator('input[name="login"]').fill(name);
  await page.locator('input[name="password"]').fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

const disable = (app: App, subject: string) =>
  onRecord(app, ({ orm }) =>
    orm.update(people).set({ disabledAt: new Date() }).where(eq(people.subject, subject)),
  );

test("signs people in and out through their identity provider", async ({ page, browser }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-identity-"));
  const accessFile = path.join(folder, "access.json");
  writeFileSync(accessFile, JSON.stringify(RULES));
  const port = await freePort();
  const appUrl = `http://127.0.0.1:${port}`;
  const provider = await startIdentityProvider(appUrl, ACCOUNTS);
  const app = await startApp({
    ...NO_UPSTREAM,
    ...provider.env,
    PORT: String(port),
    APP_URL: appUrl,
    ACCESS_FILE: accessFile,
  });
  try {
    // Returns to the exact address of the link.
    const place = `${appUrl}/main/activity?action=delete#here`;
    await page.goto(place);
    await expect(page).toHaveURL(/\/signin/);
    await expectNoViolation(page);
    await continueAs(page, "bea");
    await expect(page).toHaveURL(place);
    await page.getByRole("button", { name: /^Your account/ }).click();
    await expect(page.getByText("bea@example.com")).toBeVisible();

    // Reauthentication: the provider requires a login despite its session, and returns its time.
    await page.keyboard.press("Escape");
    const provenAt = async () => {
      const me = (await (await page.request.get(`${appUrl}/api/me`)).json()) as {
        sessions: { current: boolean; authenticated_at: string | null }[];
      };
      return Date.parse(me.sessions.find(({ current }) => current)?.authenticated_at ?? "");
    };
    const before = await provenAt();
    const { csrfToken } = (await (await page.request.get(`${appUrl}/api/auth/csrf`)).json()) as {
      csrfToken: string;
    };
    // In whole seconds.
    await expect.poll(() => Date.now() - before).toBeGreaterThan(1_000);
    const sent = await page.request.post(`${appUrl}/api/auth/signin/oidc?max_age=0`, {
      headers: { origin: appUrl },
      form: { csrfToken, callbackUrl: "/main/activity?action=delete#here", json: "true" },
    });
    await page.goto(((await sent.json()) as { url: string }).url);
    await page.locator('input[name="login"]').fill("bea");
    await page.locator('input[name="password"]').fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await expect(page).toHaveURL(place);
    expect(await provenAt()).toBeGreaterThan(before);
    // Otherwise they would see this message, and still be signed in.
    await page.goto(`${appUrl}/signin?error=NotProvenAgain&callbackUrl=%2Fmain%2Factivity`);
    await expect(page.locator("main").getByRole("alert").first()).toContainText(
      "Example ID didn’t confirm that you just signed in again",
    );
    await expect(page.getByRole("button", { name: "Continue with Example ID" })).toHaveCount(0);
    await expectNoViolation(page);
    await page.getByRole("link", { name: "Back to where you were" }).click();
    await expect(page).toHaveURL(`${appUrl}/main/activity`);
    await page.getByRole("button", { name: /^Your account/ }).click();

    // Signing out here also signs out there: the provider requires a password again.
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Yes, sign me out" }).click();
    await expect(page).toHaveURL(`${appUrl}/signin`);
    await continueAs(page, "bea");
    await expect(page).toHaveURL(/\/(main)?$/);

    // Refused, with the reason, and not signed in.
    for (const [who, why] of [
      ["sam", "Your account isn’t in any group that has access. We looked at: groups."],
      ["mia", "too many groups for Example ID"],
    ] as const) {
      const context = await browser.newContext();
      const other = await context.newPage();
      await other.goto(`${appUrl}/main`);
      await continueAs(other, who);
      await expect(other.locator("main").getByRole("alert").first()).toContainText(why);
      await expectNoViolation(other);
      expect((await other.request.get(`${appUrl}/api/companies`)).status()).toBe(401);
      await context.close();
    }

    // Reauthentication leads to the provider, and back to the open dialog.
    const ops = await browser.newContext();
    const ida = await ops.newPage();
    await ida.goto(`${appUrl}/settings/people?which=local`);
    await continueAs(ida, "ida");
    await onRecord(app, ({ orm }) =>
      orm.update(sessions).set({ authenticatedAt: new Date(Date.now() - 2 * 3_600_000) }),
    );
    await ida.getByRole("button", { name: "Invite someone" }).click();
    await ida.getByLabel("Name", { exact: true }).fill("Harriet Vane");
    await ida.getByLabel("Email", { exact: true }).fill("harriet@example.com");
    await ida.getByRole("radio", { name: "Administrator" }).check();
    await ida.getByRole("button", { name: "Invite Harriet Vane" }).click();
    const proof = ida.getByRole("alertdialog", { name: "Confirm it’s you" });
    await proof.getByRole("button", { name: "Continue with Example ID" }).click();
    await ida.locator('input[name="login"]').fill("ida");
    await ida.locator('input[name="password"]').fill("any");
    await ida.getByRole("button", { name: "Sign-in" }).click();
    await expect(ida).toHaveURL(`${appUrl}/settings/people?which=local`);
    await expect(ida.getByLabel("Email", { exact: true })).toHaveValue("harriet@example.com");
    await expect(ida.getByRole("radio", { name: "Administrator" })).toBeChecked();
    await ida.getByRole("button", { name: "Invite Harriet Vane" }).click();
    await expect(ida.getByText("Send this link to them.")).toBeVisible();

    // A one-time link from Slack isn't lost by it either.
    const secret = newSecret();
    await onRecord(app, async (database) => {
      const user = { teamId: "T1", userId: "U1", teamName: "Example", userName: "ida" };
      const nowMs = Date.now();
      const invited = { tokenHash: secretHash(secret), expiresMs: nowMs + 600_000, nowMs };
      await inviteSlackUser(database, user, invited);
      await database.orm
        .update(sessions)
        .set({ authenticatedAt: new Date(Date.now() - 2 * 3_600_000) });
    });
    await ida.goto(`${appUrl}/settings/me#slack=${secret}`);
    const linking = ida.getByRole("alertdialog", { name: "Link your Slack account?" });
    await linking.getByRole("button", { name: "Link account" }).click();
    await proof.getByRole("button", { name: "Continue with Example ID" }).click();
    await ida.locator('input[name="login"]').fill("ida");
    await ida.locator('input[name="password"]').fill("any");
    await ida.getByRole("button", { name: "Sign-in" }).click();
    await expect(ida).toHaveURL(`${appUrl}/settings/me`);
    await linking.getByRole("button", { name: "Link account" }).click();
    await expect(ida.getByText("ida in Slack can now acknowledge incidents as you.")).toBeVisible();
    await ops.close();

    // Disabled while the page is open.
    await disable(app, "bea");
    await expect
      .poll(async () => (await page.request.get(`${appUrl}/api/companies`)).status(), {
        timeout: 5_000,
      })
      .toBe(401);
    await page.goto(`${appUrl}/signin`);
    await page.getByRole("button", { name: "Continue with Example ID" }).click();
    await expect(page.getByText("Your account is disabled.")).toBeVisible();

    // Without the provider the first administrator can still sign in.
    await provider.close();
    await expect(async () => {
      await page.goto(`${appUrl}/main`);
      const notice = page.getByText("You can sign in with a Plumbline account.");
      await expect(notice).toBeVisible({ timeout: 500 });
    }).toPass();
    await page.getByRole("button", { name: "Continue with Example ID" }).click();
    await expect(page.getByText("Example ID isn’t responding. Try again.")).toBeVisible();
    await expectNoViolation(page);
    await page.getByLabel("Work email").fill(ADMIN.email);
    await page.getByLabel("Password").fill(ADMIN.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(`${appUrl}/main`);
  } finally {
    await app.end();
    await provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
