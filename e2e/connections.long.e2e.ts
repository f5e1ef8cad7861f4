import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { AMPLE_BUDGET, addPerson, expectNoViolation, signIn, startApp } from "./app";
import {
  UPSTREAM_DESCRIPTION,
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { AT_TIME, TIME } from "./times";

/** Replaces a file atomically, as editors do. */
function put(file: string, content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

function entry(slug: string, name: string, api: MisbehavingUpstream, more: object = {}) {
  const { baseUrl, clientId, clientSecret } = api;
  return {
    slug,
    name,
    base_url: baseUrl,
    client_id: clientId,
    client_secret: clientSecret,
    ...more,
  };
}

test("shows, checks and reloads connections, and keeps the record of a company that leaves", async ({
  page,
  browser,
}) => {
  const apis = await Promise.all([startMisbehavingUpstream(), startMisbehavingUpstream()]);
  const [one, two] = apis;
  const folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-connections-"));
  const file = path.join(folder, "connections.json");
  const northgate = entry("northgate", "Northgate", one);
  const harbour = entry("harbour", "Harbour", two);
  put(file, JSON.stringify([northgate, harbour]));
  const app = await startApp({ CONNECTIONS_FILE: file, ...AMPLE_BUDGET });
  try {
    const viewer = await addPerson(app, { name: "Bo", role: "viewer", company: "northgate" });
    await signIn(page, app, "/northgate");
    await page.getByRole("button", { name: /^Your account/ }).click();
    await page.getByRole("menuitem", { name: "Connections" }).click();
    await expect(page).toHaveURL(`${app.address}/settings/connections`);
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 connections");
    await expect(row("Northgate")).toContainText("Live");
    await expect(row("Northgate")).toContainText("reads feeds and files, deletes files");
    await expect(row("Northgate")).toContainText(/until (?:[A-Z][a-z]+ )?\d\d:\d\d/);
    await expect(
      page.getByText(/^CONNECTIONS_FILE read .*, 2 companies, 2 hosts, no errors$/),
    ).toBeVisible();

    await page.getByRole("button", { name: "Check now: Northgate" }).click();
    const result = page.locator(".settings-result");
    await expect(result).toContainText("Connected and signed in.");
    await expect(result).toContainText("12 feeds reported.");
    await page.emulateMedia({ colorScheme: "light" });
    await expectNoViolation(page);

    await two.setFault({ kind: "unauthorized" });
    await page.getByRole("button", { name: "Check now: Harbour" }).click();
    await expect(result.filter({ hasText: "The source rejected our credentials." })).toHaveCount(1);
    await two.setFault(null);
    const text = await page.content();
    for (const secret of [UPSTREAM_DESCRIPTION, one.clientSecret, two.clientSecret]) {
      expect(text).not.toContain(secret);
    }

    // An invalid file is refused, and nothing changes.
    put(file, JSON.stringify([entry("northgate", "Northgate", one, { base_url: "nowhere" })]));
    const alert = page.getByRole("alert").filter({ hasText: "CONNECTIONS_FILE was rejected" });
    await expect(alert).toContainText("CONNECTIONS_FILE[0].base_url: must be", { timeout: 30_000 });
    await expect(row("Harbour")).toBeVisible();
    await page.emulateMedia({ colorScheme: "dark" });
    await expectNoViolation(page);

    // A valid one is applied: one company leaves.
    put(file, JSON.stringify([northgate]));
    await expect(alert).toHaveCount(0, { timeout: 30_000 });
    const left = page.getByRole("region", { name: "No longer connected, 1" });
    await expect(left).toContainText(new RegExp(String.raw`Harbour\s*disconnected ${TIME}`), {
      timeout: 30_000,
    });
    await left.getByRole("link", { name: "Harbour" }).click();
    await expect(page).toHaveURL(`${app.address}/harbour`);
    await expect(page.getByRole("status").filter({ hasText: "was disconnected" })).toHaveText(
      new RegExp(String.raw`Harbour.* was disconnected ${AT_TIME}\. You’re seeing its history\.`),
    );
    await expect(page.getByRole("status", { name: "View confidence: Can’t see" })).toBeVisible();
    await expectNoViolation(page);
    const deletion = await page.request.post(`${app.address}/api/companies/harbour/deletions`, {
      data: {
        files: [{ id: 1, name: "x", is_baseline: false, created_at: new Date().toISOString() }],
      },
      headers: { Origin: app.address, "Idempotency-Key": crypto.randomUUID() },
    });
    expect(deletion.status()).toBe(503);
    const list = await page.request.get(`${app.address}/api/companies`);
    expect(await list.text()).not.toContain("harbour");

    // Hidden from people who aren't administrators.
    const theirs = await browser.newPage();
    await signIn(theirs, app, "/settings/connections", viewer);
    await expect(theirs.getByText("No access to connections")).toBeVisible();
    for (const address of ["/api/connections", "/api/companies/harbour/sync-status"]) {
      const { status } = await theirs.request
        .get(`${app.address}${address}`)
        .then((answer) => ({ status: answer.status() }));
      expect(status).toBe(address === "/api/connections" ? 403 : 404);
    }
    await theirs.close();

    // Five hundred companies: visible ones are rendered, and the keyboard reaches the last.
    const away = { base_url: "http://127.0.0.1:9/api/v3" };
    const many = Array.from({ length: 499 }, (_, n) => entry(`c-${n}`, `Company ${n}`, two, away));
    put(file, JSON.stringify([northgate, ...many]));
    const seen = async () =>
      (await (await page.request.get(`${app.address}/api/companies`)).json()).companies.length;
    await expect.poll(seen, { timeout: 30_000 }).toBe(500);
    await page.goto(`${app.address}/companies`);
    await expect(page.getByText(/^500 customers, /)).toBeVisible();
    await page.locator("[data-line] a").first().focus();
    await page.keyboard.press("End");
    await expect(page.locator('[aria-rowindex="501"] a')).toBeFocused();
    expect(await page.locator("body *").count()).toBeLessThan(1_500);
  } finally {
    await app.end();
    await Promise.all(apis.map((api) => api.close()));
    rmSync(folder, { recursive: true });
  }
});
