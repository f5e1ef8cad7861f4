import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, test, type Locator, type Page } from "@playwright/test";
import {
  ADMIN,
  AMPLE_BUDGET,
  addPerson,
  expectNoViolationInAnyForm,
  signIn,
  startApp,
  type App,
} from "./app";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";

// From an empty installation to the first verdict, and to the end of its demo.

const PASSWORD = "seven quiet lanterns drift";
const ENV = { ...AMPLE_BUDGET, ALLOWED_TARGETS: "127.0.0.0/8" };

let app: App;
let api: MisbehavingUpstream;
let folder: string;
let site: { address: string; close: () => void };
test.beforeAll(async () => {
  site = await startSite();
  folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-connect-"));
  [app, api] = await Promise.all([
    startApp(ENV, path.join(folder, "data")),
    startMisbehavingUpstream(),
  ]);
});
test.afterAll(async () => {
  site.close();
  await Promise.all([app.end(), api.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** A web site that isn't an API: it has pages, and knows nothing below `/missing`. */
async function startSite(): Promise<typeof site> {
  const server = createServer(({ url = "" }, response) => {
    const status = url.startsWith("/missing") ? 404 : 200;
    response.writeHead(status, { "content-type": "text/html" }).end("<!doctype html><p>Hello</p>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** An administrator, who may run six checks a minute. */
const administrator = () => addPerson(app, { name: "Ada", role: "administrator", company: "" });

async function openForm(page: Page): Promise<void> {
  await signIn(page, app, "/settings/connections/new", await administrator());
}

async function fillIn(
  page: Page,
  values: { name?: string; baseUrl?: string; clientSecret?: string } = {},
): Promise<void> {
  const { baseUrl, clientId, clientSecret } = { ...api, ...values };
  await page.getByLabel("Name", { exact: true }).fill(values.name ?? "Halden Construction");
  await page.getByLabel("Base URL").fill(baseUrl);
  await page.getByLabel("Client ID").fill(clientId);
  await page.getByLabel("Client secret").fill(clientSecret);
}

const step = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ hasText: new RegExp(`^${name}`) });

test("connects a company within three minutes and twelve presses, from the printed password to the first verdict", async ({
  page,
}) => {
  // Without a password of its own, so that one is printed.
  const fresh = await startApp({ ...ENV, ADMIN_PASSWORD: "" });
  try {
    await connectFirst(page, fresh);
  } finally {
    await fresh.end();
  }
});

async function connectFirst(page: Page, fresh: App): Promise<void> {
  let presses = 0;
  const press = async (what: Locator) => {
    presses += 1;
    await what.click();
  };
  const button = (name: string | RegExp) => page.getByRole("button", { name });
  const printed = /^password: (\S+)$/m.exec(fresh.output())?.[1] ?? "";
  const startedMs = Date.now();
  await page.goto(fresh.address);
  await page.getByLabel("Work email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(printed);
  await press(button("Sign in"));

  const line = page.getByRole("region", { name: "Demo data" });
  await expect(line).toContainText("This is demo data.");
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("link")).toHaveText(["Connect", "Invite", "Add a channel"]);
  await press(line.getByRole("link", { name: "Connect your first company" }));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connect a company");
  await expect(page.getByLabel("Name", { exact: true })).toBeDisabled();
  await expect(button("Check")).toBeDisabled();
  await expectOthersToWait(page, fresh);
  await press(page.getByRole("link", { name: "Go to your account" }));
  const dialog = page.getByRole("dialog");
  for (const name of ["Change password", "Set up"]) {
    await button(name).click();
    await expect(dialog.locator("input:not([hidden])").first()).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(button(name)).toBeFocused();
  }
  await press(button("Change password"));
  await dialog.getByLabel("Current password").fill(printed);
  await dialog.getByLabel("New password").fill(PASSWORD);
  await dialog.getByLabel("Repeat it").fill(PASSWORD);
  await press(dialog.getByRole("button", { name: "Change password" }));
  // Two slow hashes, while the new demo writes its past.
  await expect(dialog).toHaveCount(0, { timeout: 60_000 });

  await press(line.getByRole("link", { name: "Connect your first company" }));
  await expect(page.getByText("Change your password first.")).toHaveCount(0);
  await fillIn(page);
  await expect(page.getByLabel("Address", { exact: true })).toHaveValue("halden");
  await expectNoViolationInAnyForm(page);
  await press(button("Check"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Halden Construction can be connected",
  );
  await expect(step(page, "First rows")).toContainText("12 feeds");
  await expectNoViolationInAnyForm(page);
  const saved = page.waitForResponse(
    (response) => response.url().endsWith("/api/connections") && response.status() === 201,
  );
  await press(button("Connect Halden Construction"));
  const savedMs = Date.parse((await (await saved).headerValue("date")) ?? "");
  await expect(page).toHaveURL(`${fresh.address}/halden`, { timeout: 30_000 });
  await expect(page.getByRole("button", { name: "12 fresh" })).toBeVisible();
  const then = `${fresh.address}/api/companies/halden/sync-status?at=${new Date().toISOString()}`;
  const { recorded_from: firstSnapshot } = (await (await page.request.get(then)).json()) as {
    recorded_from: string;
  };
  expect(Date.parse(firstSnapshot) - savedMs).toBeLessThan(10_000);
  expect(Date.now() - startedMs).toBeLessThan(180_000);
  expect(presses).toBeLessThanOrEqual(12);
  await expect(page.getByRole("region", { name: "Demo data" })).toContainText(
    "Some of this is demo data.",
  );
}

/** Another administrator sees at once that nothing can be connected yet. */
async function expectOthersToWait(page: Page, fresh: App): Promise<void> {
  const other = await addPerson(fresh, { name: "Bea", role: "administrator", company: "" });
  const theirs = await page.context().browser()?.newPage();
  if (theirs === undefined) throw new Error("a page has a browser");
  await signIn(theirs, fresh, "/settings/connections/new", other);
  await expect(theirs.getByRole("note")).toContainText(
    `The password of ${ADMIN.email} has to be changed first.`,
  );
  await expect(theirs.getByRole("link", { name: "Go to your account" })).toHaveCount(0);
  await theirs.close();
}

test("asks for what is missing before anything is sent", async ({ page }) => {
  await openForm(page);
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByLabel("Base URL")).toBeFocused();
  await expect(page.getByLabel("Base URL")).toHaveAccessibleDescription(/Enter the base URL/);
  await page.getByLabel("Base URL").fill("api.halden.example");
  await page.getByLabel("Client ID").fill("id");
  await page.getByLabel("Client secret").fill("env:SECRET");
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByLabel("Client secret")).toHaveAccessibleDescription(
    /works in CONNECTIONS_FILE only/,
  );
  await expectNoViolationInAnyForm(page);
});

/** What an API does, the step that says so, and the way out. */
const FAILURES: readonly {
  what: string;
  break?: () => Promise<void>;
  baseUrl?: () => string;
  clientSecret?: string;
  at: string;
  says: RegExp;
  wayOut: RegExp;
}[] = [
  {
    what: "a wrong path",
    baseUrl: () => `${site.address}/missing`,
    at: "Address|Token",
    says: /not a v3 API|no v3 API at/,
    wayOut: /\/api\/v3|base URL/,
  },
  {
    what: "a wrong secret",
    clientSecret: "not-the-secret",
    at: "Token",
    says: /client ID or secret was rejected/,
    wayOut: /Check both/,
  },
  {
    what: "a web page",
    baseUrl: () => `${site.address}/api/v3`,
    at: "Address|Token",
    says: /answered with a web page/,
    wayOut: /Check the path/,
  },
  {
    what: "a redirect",
    break: () => api.setFault({ kind: "redirect" }, { path: "/" }),
    at: "Address|Token",
    says: /redirects to/,
    wayOut: /aren’t followed/,
  },
  {
    what: "a private address",
    baseUrl: () => "https://10.1.2.3/api/v3",
    at: "Address",
    says: /private or reserved address/,
    wayOut: /ALLOWED_TARGETS/,
  },
  {
    what: "a rate limit",
    break: () => api.setFault({ kind: "token_rate_limited", headers: "retry_after", seconds: 2 }),
    at: "Address|Token",
    says: /limits our requests/,
    wayOut: /Try again/,
  },
];

for (const failure of FAILURES) {
  test(`says what ${failure.what} means, and what to do about it`, async ({ page }) => {
    await openForm(page);
    const { baseUrl, clientSecret } = failure;
    await fillIn(page, {
      ...(baseUrl && { baseUrl: baseUrl() }),
      ...(clientSecret !== undefined && { clientSecret }),
    });
    await failure.break?.();
    try {
      await page.getByRole("button", { name: "Check" }).click();
      const failed = step(page, `(?:${failure.at})`).filter({ hasText: failure.says });
      await expect(failed).toBeVisible({ timeout: 60_000 });
      await expect(failed).toContainText(failure.wayOut);
      await expect(failed).toContainText("Failed");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(
        "Halden Construction can’t be read yet",
      );
      await expect(page.getByRole("button", { name: "Connect anyway" })).toBeVisible();
      await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
      await expectNoViolationInAnyForm(page);
    } finally {
      await api.setFault(null);
    }
  });
}

test("can be connected without a scope, and says what that hides", async ({ page }) => {
  // Another host, because the one before may still limit our requests.
  const scoped = await startMisbehavingUpstream();
  await scoped.setFault({
    kind: "narrow_scope",
    scopes: ["read:sync_status", "read:schedule_files"],
  });
  await openForm(page);
  await fillIn(page, { name: "Scoped", ...scoped });
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Scoped can be connected; 1 scope is missing",
  );
  await expect(step(page, "Scopes")).toContainText("not granted: deleting schedule files");
  await expect(page.getByRole("button", { name: "Connect Scoped" })).toBeVisible();
  // Another secret needs another check.
  await page.getByLabel("Client secret").fill("other");
  await expect(page.getByRole("button", { name: "Connect Scoped" })).toHaveCount(0);
  await expect(page.getByText("You changed the values since this check.")).toBeVisible();
  await scoped.close();
});

test("saves a company whose check failed, and leaves the form as it was", async ({ page }) => {
  await openForm(page);
  await fillIn(page, { name: "Acme Bridges", baseUrl: `${site.address}/missing` });
  await page.getByRole("button", { name: "Check" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Check again" })).toBeFocused();
  await page.getByRole("button", { name: "Connect anyway" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Acme Bridges is saved");
  await expect(page.getByRole("region", { name: "What we found" })).toBeFocused();
  await expect(page.getByRole("region", { name: "First check" })).toContainText(
    "The first check failed.",
    { timeout: 30_000 },
  );
  await expect(page.getByLabel("Address", { exact: true })).toHaveValue("acme");
  await expect(page.locator("[aria-invalid=true]")).toHaveCount(0);
  await expectNoViolationInAnyForm(page);
  const removed = await page.request.delete(`${app.address}/api/connections/acme`, {
    headers: { origin: app.address },
    data: {},
  });
  expect(removed.ok()).toBe(true);
});

test("edits, pauses, rotates, imports and removes from the list", async ({ page }) => {
  const other = await startMisbehavingUpstream({ clientSecret: "first-secret" });
  try {
    const person = await administrator();
    await signIn(page, app, "/settings/connections", person);
    const { baseUrl, clientId } = other;
    const rows = [
      { slug: "fjord", name: "Fjord Rail", base_url: baseUrl, client_id: clientId },
      { slug: "settings", name: "Reserved", base_url: baseUrl, client_id: clientId },
    ].map((row) => ({ ...row, client_secret: "first-secret" }));
    const file = path.join(folder, "import.json");
    writeFileSync(file, JSON.stringify(rows));
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("File").setInputFiles(file);
    await expect(dialog.getByRole("status")).toContainText("1 of 2 lines can be imported.");
    await expectNoViolationInAnyForm(page, undefined, "[role=dialog]");
    await dialog.getByRole("button", { name: "Import 1 company" }).click();
    await expect(dialog.getByRole("status")).toContainText("1 company is connected.");
    await dialog.getByRole("button", { name: "Close" }).click();

    const row = page.getByRole("row").filter({ hasText: "Fjord Rail" });
    await expect(row).toContainText("connected here");
    await expect(row).toContainText("Live", { timeout: 30_000 });
    await expectNoViolationInAnyForm(page);
    const act = async (name: string) => {
      await row.getByRole("button", { name: /^More actions/ }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await act("Edit");
    await dialog.getByLabel("Owner").selectOption({ label: "Ada" });
    await dialog.getByLabel("External ID (optional)").fill("CRM-7");
    await expectNoViolationInAnyForm(page, undefined, "[role=dialog]");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row).toContainText("Ada");

    await act("Replace secret");
    await dialog.getByLabel("New client secret").fill("wrong-secret");
    await dialog.getByRole("button", { name: "Check and replace" }).click();
    await expect(dialog.getByRole("alert")).toContainText("the current secret stays in use");
    await expect(dialog).toContainText("client ID or secret was rejected");
    await expect(dialog.getByRole("button", { name: "Replace anyway" })).toBeVisible();
    await expectNoViolationInAnyForm(page, undefined, "[role=dialog]");
    await dialog.getByLabel("New client secret").fill("first-secret");
    await dialog.getByRole("button", { name: "Check and replace" }).click();
    await expect(dialog).toHaveCount(0);

    const question = page.getByRole("alertdialog");
    await act("Pause");
    await expectNoViolationInAnyForm(page, undefined, "[role=alertdialog]");
    await question.getByRole("button", { name: "Pause" }).click();
    await expect(row).toContainText(/Paused since/);
    await act("Resume");
    await question.getByRole("button", { name: "Resume" }).click();
    await expect(row).toContainText("Live", { timeout: 30_000 });

    await row.getByRole("button", { name: "Check now: Fjord Rail" }).click();
    await expect(page.locator(".settings-result")).toContainText("12 feeds reported.");

    await act("Remove");
    await expect(question).toContainText("stays readable to administrators");
    await expectNoViolationInAnyForm(page, undefined, "[role=alertdialog]");
    await question.getByRole("button", { name: "Remove" }).click();
    const left = page.getByRole("region", { name: /^No longer connected/ });
    await expect(left).toContainText("Fjord Rail", { timeout: 30_000 });
    await expect(left).toContainText("Connect the same host and client ID again to resume it.");
    for (const secret of ["first-secret", "wrong-secret"])
      expect(await page.content()).not.toContain(secret);
  } finally {
    await other.close();
  }
});

test("the demo ends for good when an administrator removes it", async ({ page, browser }) => {
  const viewer = await addPerson(app, { name: "Bo", role: "viewer", company: "northgate" });
  const theirs = await browser.newPage();
  await signIn(theirs, app, "/northgate", viewer);
  const line = (of: Page) => of.getByRole("region", { name: "Demo data" });
  await expect(line(theirs)).toContainText("This is demo data. One invented customer");
  await expect(line(theirs).getByRole("link")).toHaveCount(0);
  await expect(line(theirs).getByRole("button")).toHaveCount(0);

  const person = await administrator();
  await signIn(page, app, "/settings/people", person);
  const { baseUrl, clientId, clientSecret } = api;
  const connected = await page.request.post(`${app.address}/api/connections`, {
    headers: { origin: app.address },
    data: {
      slug: "halden",
      name: "Halden",
      base_url: baseUrl,
      client_id: clientId,
      client_secret: clientSecret,
    },
  });
  expect(connected.status()).toBe(201);
  await page.reload();
  await page.getByRole("button", { name: "Remove the demo" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText(
    "This deletes Northgate Builders, Harbour Civil Works, and Orchard Homes",
  );
  await expectNoViolationInAnyForm(page, undefined, "[role=alertdialog]");
  const startedMs = Date.now();
  await question.getByRole("button", { name: "Remove the demo" }).click();
  // The list of companies leads to the only one.
  await page.waitForURL(`${app.address}/halden`);
  expect(Date.now() - startedMs).toBeLessThan(10_000);
  await expect(line(page)).toHaveCount(0);
  const slugs = async () => {
    const answer = await page.request.get(`${app.address}/api/companies`);
    const { companies } = (await answer.json()) as { companies: { slug: string }[] };
    return companies.map(({ slug }) => slug);
  };
  expect(await slugs()).toEqual(["halden"]);
  const gone = await theirs.request.get(`${app.address}/api/companies/northgate/sync-status`);
  expect(gone.status()).toBe(404);
  // On a busy machine the browser is answered before all of it is deleted.
  const demoPeople = async () => {
    const people = await page.request.get(`${app.address}/api/people?q=demo.plumbline.local`);
    return ((await people.json()) as { data: unknown[] }).data;
  };
  await expect.poll(demoPeople, { timeout: 60_000 }).toEqual([]);
  const log = await page.request.get(`${app.address}/api/activity`);
  expect(await log.text()).toContain("remove-demo");
  await theirs.close();

  await app.end();
  app = await startApp(ENV, path.join(folder, "data"));
  await signIn(page, app, "/settings/connections", person);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 connection");
  expect(await slugs()).toEqual(["halden"]);
  expect(app.output()).not.toContain("demo viewer");
});
