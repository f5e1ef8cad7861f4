import { readFile } from "node:fs/promises";
import { expect, test, type Page } from "@playwright/test";
import type { ActivityView } from "@/lib/contracts/activity";
import type { DeletionView } from "@/lib/contracts/deletions";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import {
  AMPLE_BUDGET,
  beSignedIn,
  connectedTo,
  addPerson,
  expectNoViolation,
  expectNoViolationInAnyForm,
  openWithoutScripts,
  sidewaysPx,
  signIn,
  startApp,
  type App,
} from "./app";
import {
  UPSTREAM_DESCRIPTION,
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";

const NAMES = ["Tower, contract", "=1+1", "<b>bold</b>", "Tunnel, wk 46", "Tunnel, wk 47"];
const FILES = NAMES.map((name, at): ServedScheduleFile => ({
  id: 700 + at,
  name,
  is_baseline: at === 0,
  company_id: 1,
  customer_project: null,
  created_at: `2026-03-0${at + 1}T12:00:00Z`,
  file_type: "xer",
  partner_token_id: null,
}));

// Later tests build on what earlier ones did.
test.describe.configure({ mode: "serial" });

let upstream: MisbehavingUpstream;
let app: App;
test.beforeAll(async () => {
  upstream = await startMisbehavingUpstream({ files: FILES });
  app = await startApp({ ...connectedTo(upstream), ...AMPLE_BUDGET });
});
test.afterAll(async () => {
  await app.end();
  await upstream.close();
});

const rows = (page: Page) => page.getByRole("table").locator("tbody tr");
const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name });
const outcomeFilter = (page: Page) => page.getByRole("combobox", { name: "Outcome" });

async function activity(page: Page, query = ""): Promise<ActivityView> {
  const answer = await page.request.get(`${app.address}/api/companies/main/activity?${query}`);
  return (await answer.json()) as ActivityView;
}

/** Requests the deletion of files, as the page does. */
async function remove(page: Page, ...files: readonly ServedScheduleFile[]): Promise<DeletionView> {
  const answer = await page.request.post(`${app.address}/api/companies/main/deletions`, {
    headers: { "Idempotency-Key": crypto.randomUUID(), Origin: app.address },
    data: {
      files: files.map(({ id, name, is_baseline, created_at }) => ({
        id,
        name,
        is_baseline,
        created_at,
      })),
    },
  });
  expect(answer.status()).toBe(202);
  return (await answer.json()) as DeletionView;
}

const end = (page: Page, { id }: DeletionView, how: "undo") =>
  page.request.post(`${app.address}/api/companies/main/deletions/${id}/${how}`, {
    headers: { Origin: app.address },
    data: {},
  });

test("shows an empty state before any action, in any form", async ({ page }) => {
  await signIn(page, app, "/main/activity");
  await expectNoViolationInAnyForm(page, () =>
    expect(page.getByRole("heading", { name: "No activity yet" })).toBeVisible(),
  );
});

test("shows an action from request to outcome without a reload", async ({ page }) => {
  await signIn(page, app, "/main");
  await expect
    .poll(
      async () => {
        const answer = await page.request.get(`${app.address}/api/companies/main/schedule-files`);
        return ((await answer.json()) as { scopes: { delete: boolean | null } }).scopes.delete;
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  await upstream.setFault(
    { kind: "answer_lost" },
    { path: "/schedule_files/701", method: "DELETE", times: 1 },
  );
  const undone = await remove(page, ...FILES.slice(4));
  const deletion = await remove(page, ...FILES.slice(0, 3));
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(rowOf(page, "Tower, contract")).toContainText("Waiting");
  await expect(rowOf(page, "Tower, contract")).toContainText("Baseline");
  expect((await end(page, undone, "undo")).status()).toBe(200);
  await expect(rowOf(page, "Tunnel, wk 47")).toContainText("Undone by");

  await expect(rowOf(page, "=1+1")).toContainText("Outcome unknown", { timeout: 30_000 });
  await expect(page.getByText("1 outcome is unknown.")).toBeVisible();
  await expect(rowOf(page, "=1+1")).toContainText(/We’ll check again( at \d\d:\d\d:\d\d)?\./);
  await expect(rowOf(page, "=1+1")).toContainText("Deleted", { timeout: 30_000 });
  await expect(page.getByText("outcome is unknown")).toHaveCount(0);
  await upstream.setFault(null);

  const { data } = await activity(page);
  expect(data.map(({ file, outcome }) => [file?.name, outcome])).toEqual([
    ["<b>bold</b>", "deleted"],
    ["=1+1", "deleted"],
    ["Tower, contract", "deleted"],
    ["Tunnel, wk 47", "undone"],
  ]);
  for (const entry of data) {
    const sentMs = Date.parse(entry.sent_at ?? "");
    if (entry.outcome === "undone") expect(entry.sent_at).toBeNull();
    else expect(sentMs).toBeGreaterThanOrEqual(Date.parse(deletion.undo_until));
    expect(entry.request_id).toMatch(/./);
  }
  expect(JSON.stringify(data)).not.toContain(UPSTREAM_DESCRIPTION);
});

test("keeps filters in the address across reloads, and matches the API", async ({ page }) => {
  await signIn(page, app, "/main/activity");
  await outcomeFilter(page).selectOption({ label: "Deleted" });
  await expect(rows(page)).toHaveCount(3);
  await expect(page).toHaveURL(/outcome=deleted/);
  await page.getByLabel("Search activity").fill("TOWER");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=TOWER/);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(outcomeFilter(page)).toHaveValue("deleted");
  await page.getByLabel("Search activity").fill("702");
  await expect(rowOf(page, "<b>bold</b>")).toHaveCount(1);
  await expect(rows(page)).toHaveCount(1);

  await page.getByLabel("From").fill("2030-01-01");
  await page.getByLabel("From").press("Enter");
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
  await expect(page).toHaveURL(/from=20/);
  await expectNoViolation(page);
  await page.reload();
  await expect(page.getByLabel("From")).toHaveValue("1 Jan 2030");
  await page.getByRole("button", { name: "Show all activity" }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(page).toHaveURL(`${app.address}/main/activity`);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
});

test("empties a date field with invalid text when all is shown", async ({ page }) => {
  await signIn(page, app, "/main/activity?q=zzz");
  await page.getByRole("textbox", { name: "To", exact: true }).fill("next Tuesday");
  await page.getByRole("textbox", { name: "To", exact: true }).press("Enter");
  await expect(page.getByRole("textbox", { name: "To", exact: true })).toHaveAttribute(
    "aria-invalid",
    "true",
  );
  await page.getByRole("button", { name: "Show all activity" }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(page.getByRole("textbox", { name: "To", exact: true })).toHaveValue("");
  await expect(page.getByLabel("Search activity")).toHaveValue("");
});

test("adds no step to the history for changes of a date on a touch screen", async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await signIn(page, app, "/main/activity");
  const from = page.getByLabel("From");
  await expect(from).toHaveAttribute("type", "date");
  const steps = () => page.evaluate(() => history.length);
  const before = await steps();
  for (const day of ["2030-01-01", "2030-01-02"]) {
    await from.fill(day);
    await expect(page).toHaveURL(/from=20/);
  }
  expect(await steps()).toBe(before);
  await context.close();
});

test("applies a filter chosen before hydration", async ({ page }) => {
  await beSignedIn(page, app);
  const wake = await openWithoutScripts(page, `${app.address}/main/activity`, outcomeFilter(page));
  await outcomeFilter(page).selectOption({ label: "Undone" });
  await page.getByLabel("From").fill("2025-01-01");
  wake();
  await expect(page).toHaveURL(/outcome=undone/);
  await expect(page).toHaveURL(/from=20/);
  await expect(rows(page)).toHaveCount(1);
  await expect(outcomeFilter(page)).toHaveValue("undone");
});

test("applies the only filter when it is chosen before hydration", async ({ page }) => {
  await beSignedIn(page, app);
  const wake = await openWithoutScripts(page, `${app.address}/main/activity`, outcomeFilter(page));
  await outcomeFilter(page).selectOption({ label: "Undone" });
  wake();
  await expect(page).toHaveURL(/outcome=undone/);
  await expect(rows(page)).toHaveCount(1);
  await expect(outcomeFilter(page)).toHaveValue("undone");
});

test("links a file to its page, and shares the same view", async ({ page, browser }) => {
  const viewer = await addPerson(app, { name: "Vi", role: "viewer", company: "main" });
  const other = await (await browser.newContext()).newPage();
  await signIn(other, app, "/main/activity?outcome=undone", viewer);
  await expect(rows(other)).toHaveCount(1);
  await expect(rowOf(other, "Tunnel, wk 47")).toHaveCount(1);
  await rows(other).getByRole("link", { name: "Tunnel, wk 47" }).click();
  await expect(other).toHaveURL(`${app.address}/main/schedules/704`);
  await other.context().close();

  await signIn(page, app, "/main/activity?page=9");
  await expect(page.getByRole("heading", { name: "No more pages" })).toBeVisible();
  await page.getByRole("button", { name: "Newer" }).click();
  await expect(rows(page)).toHaveCount(4);
});

test("downloads the same rows, without anything that a spreadsheet would execute", async ({
  page,
}) => {
  await signIn(page, app, "/main/activity?outcome=deleted");
  await expect(rows(page)).toHaveCount(3);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("activity-main.csv");
  const text = await readFile(await download.path(), "utf8");
  expect(text.trim().split("\r\n")).toHaveLength(4);
  expect(text).toContain(",'=1+1,");
});

test("refuses strangers, other companies and other methods as everywhere", async ({
  page,
  request,
}) => {
  for (const path of ["activity", "activity/csv"]) {
    const address = `${app.address}/api/companies/main/${path}`;
    expect((await request.get(address)).status()).toBe(401);
  }
  await beSignedIn(page, app);
  for (const path of ["activity", "activity/csv"]) {
    const address = `${app.address}/api/companies/main/${path}`;
    const answer = await page.request.get(address);
    expect(answer.headers()["cache-control"]).toBe("private, no-store");
    expect((await page.request.delete(address)).status()).toBe(405);
    expect((await page.request.get(address.replace("main", "other"))).status()).toBe(404);
    const wrong = await page.request.get(`${address}?outcome=gone`);
    expect(wrong.status()).toBe(400);
    expect(await wrong.json()).toMatchObject({ error: "invalid_request" });
  }
});

test("passes accessibility checks of the list, in any form", async ({ page }) => {
  await signIn(page, app, "/main/activity");
  await expectNoViolationInAnyForm(page, async () => {
    await expect(rows(page)).toHaveCount(4);
    await expect(rows(page).first()).toContainText("Deleted");
    expect(await sidewaysPx(page)).toBeLessThanOrEqual(0);
  });
});
