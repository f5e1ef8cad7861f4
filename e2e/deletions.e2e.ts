import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import type { DeletionView } from "@/lib/contracts/deletions";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import {
  AMPLE_BUDGET,
  addPerson,
  beSignedIn,
  connectedToAll,
  expectNoViolation,
  signIn,
  startApp,
  type App,
} from "./app";
import { dialog, dock, filesOf, grid, heading, lines, names } from "./files-page";
import {
  UPSTREAM_DESCRIPTION,
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";

const TOWER = { id: 10, name: "Tower", source: "procore", customer_project_id: "T-1" };
const LONG = "A very long name ".repeat(15).trim();
const HOSTILE = [
  `<img src=x onerror="document.title='owned'">.xer`,
  "\u202Egnp.elif-live.xer",
  '=HYPERLINK("http://evil.example","click")',
  "{{constructor.constructor('alert(1)')()}} \u0000 \ud800",
  LONG,
];
const WORDS = ["Anna", "Berta", "Carla", "Dora", "Emma", "Frida", "Gerda", "Hanna", "Ida", "Jana"];

/** Ids in upload order, newest first. */
function files(): ServedScheduleFile[] {
  const all = [...WORDS.map((word) => `${word}, plan.xer`), "The baseline, as agreed", ...HOSTILE];
  return all.map((name, at) => ({
    id: 500 - at,
    name,
    is_baseline: name.startsWith("The baseline"),
    company_id: 1,
    customer_project: at % 2 === 0 ? TOWER : null,
    created_at: new Date(Date.parse("2026-03-02T12:00:00Z") - at * 3_600_000).toISOString(),
    file_type: "xer",
    partner_token_id: null,
  }));
}

let upstream: MisbehavingUpstream;
/** Upstreams of other companies with fewer scopes: without deletion, and without reading files. */
let undeletable: MisbehavingUpstream;
let unreadable: MisbehavingUpstream;
let folder: string;
let app: App;
test.beforeAll(async () => {
  upstream = await startMisbehavingUpstream({ files: files() });
  undeletable = await startMisbehavingUpstream({
    files: files(),
    scopes: ["read:sync_status", "read:schedule_files"],
  });
  unreadable = await startMisbehavingUpstream({ scopes: ["read:sync_status"] });
  folder = mkdtempSync(join(os.tmpdir(), "plumbline-deletions-"));
  const connections = join(folder, "connections.json");
  app = await startApp({
    ...connectedToAll(connections, { main: upstream, undeletable, unreadable }),
    ...AMPLE_BUDGET,
  });
});
test.afterAll(async () => {
  await app.end();
  for (const one of [upstream, undeletable, unreadable]) await one.close();
  rmSync(folder, { recursive: true });
});

const deletesOf = (id: number) =>
  upstream.requests.filter(
    ({ method, path }) => method === "DELETE" && path === `/schedule_files/${id}`,
  ).length;
const idOf = (word: string) => {
  const file = files().find(({ name }) => name.startsWith(word));
  if (file === undefined) throw new Error(`there is no file ${word}`);
  return file.id;
};
const line = (page: Page, word: string) =>
  lines(page).filter({ has: page.getByRole("link", { name: new RegExp(`^${word}`) }) });
const outcomeOf = async (page: Page, id: string): Promise<DeletionView> =>
  (await page.request.get(`${app.address}/api/companies/main/deletions/${id}`)).json();

async function open(page: Page, person?: { email: string; password: string }): Promise<void> {
  await beSignedIn(page, app, person);
  await expect
    .poll(async () => (await filesOf(page, app, "main")).scopes.delete, { timeout: 30_000 })
    .toBe(true);
  await page.goto(`${app.address}/main/schedules?view=files`);
  await expect(names(page).first()).toBeVisible();
}

/** Opens the deletion of one file, up to the final button. */
async function askFor(page: Page, word: string): Promise<void> {
  await line(page, word).hover();
  await line(page, word)
    .getByRole("button", { name: /^Delete/ })
    .click();
  await expect(dialog(page)).toContainText(word);
}
const confirm = (page: Page) => dialog(page).getByRole("button", { name: /^Delete/ });

test("deletes one file by keyboard, ten seconds after the request", async ({ page }) => {
  await open(page);
  const link = line(page, "Anna").getByRole("link");
  await link.press("ArrowRight");
  await expect(line(page, "Anna").getByRole("button", { name: /^Delete/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog(page)).toBeVisible();
  for (const fact of ["Anna, plan.xer", ".xer", `ID ${idOf("Anna")}`, "Tower", "2 Mar 2026"])
    await expect(dialog(page)).toContainText(fact);
  await expect(dialog(page).getByRole("button", { name: "Keep file" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dialog(page).getByRole("button", { name: "Delete Anna, plan.xer" })).toBeFocused();
  const responding = page.waitForResponse((response) => response.request().method() === "POST");
  await page.keyboard.press("Enter");
  const deletion = (await (await responding).json()) as DeletionView;
  await expect(dock(page)).toContainText("Deleting Anna, plan.xer");
  const undoUntilMs = Date.parse(deletion.undo_until);

  await page.goto(`${app.address}/main`);
  await expect(dock(page)).toContainText("Deleting Anna, plan.xer");
  expect(deletesOf(idOf("Anna"))).toBe(0);
  await expect(dock(page)).toContainText(/Anna, plan\.xer: Deleted \d\d:\d\d:\d\d/, {
    timeout: 30_000,
  });
  await expectNoViolation(page);
  const { items, state } = await outcomeOf(page, deletion.id);
  expect(state).toBe("done");
  expect(Date.parse(items[0]?.outcome_at ?? "")).toBeGreaterThanOrEqual(undoUntilMs);
  expect(deletesOf(idOf("Anna"))).toBe(1);
  await page.goto(`${app.address}/main/schedules?view=files`);
  await expect(names(page).first()).toBeVisible();
  await expect(line(page, "Anna")).toHaveCount(0);
  await page.goto(`${app.address}/main/schedules/${idOf("Anna")}`);
  await expect(page.getByRole("main")).toContainText(/Deleted by .+ at \d\d:\d\d:\d\d/);
  await page.getByRole("link", { name: "Show in activity" }).click();
  await expect(page).toHaveURL(`${app.address}/main/activity?q=${idOf("Anna")}`);
});

test("undoes a deletion by keyboard within ten seconds, without sending anything", async ({
  page,
}) => {
  await open(page);
  await askFor(page, "Berta");
  const responding = page.waitForResponse((response) => response.request().method() === "POST");
  await confirm(page).click();
  const { id } = (await (await responding).json()) as DeletionView;
  await expect(dock(page).getByRole("button", { name: "Undo" })).toBeEnabled();
  await expect(line(page, "Berta")).toContainText("Deletion pending");
  await expect(line(page, "Berta").getByRole("checkbox")).toBeDisabled();
  await page.keyboard.press("z");
  await expect(dock(page)).toContainText("Undone; not deleted");
  await expect(line(page, "Berta")).not.toContainText("Deletion pending");
  await expect(line(page, "Berta").getByRole("checkbox")).toBeEnabled();
  const { state, items } = await outcomeOf(page, id);
  expect([state, items[0]?.outcome]).toEqual(["undone", "undone"]);
  await expect(line(page, "Berta")).toHaveCount(1);
  expect(deletesOf(idOf("Berta"))).toBe(0);
});

test("keeps the undo across a reload, and requests nothing when the file is kept", async ({
  page,
}) => {
  await open(page);
  await askFor(page, "Carla");
  await dialog(page).getByRole("button", { name: "Keep file" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(dock(page)).toHaveCount(0);
  await askFor(page, "Carla");
  await confirm(page).click();
  await expect(dock(page)).toContainText("Deleting Carla, plan.xer");
  await page.reload();
  await dock(page).getByRole("button", { name: "Undo" }).click();
  await expect(dock(page)).toContainText("Undone; not deleted");
  expect(deletesOf(idOf("Carla"))).toBe(0);
});

test("deletes nothing when the question about a baseline among several files is escaped", async ({
  page,
}) => {
  await open(page);
  for (const word of ["Emma", "Frida", "The baseline"])
    await line(page, word).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Delete 3 files" }).click();
  await dialog(page).getByLabel("Type 3 to continue").fill("3");
  await dialog(page).getByRole("button", { name: "Continue to 1 baseline" }).click();
  await expect(dialog(page)).toContainText(
    "The other 2 files are deleted whether you keep this baseline or not.",
  );
  await expect(dialog(page).getByRole("button", { name: "Don’t delete anything" })).toBeFocused();
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(dock(page)).toHaveCount(0);
  expect(deletesOf(idOf("Emma")) + deletesOf(idOf("Frida"))).toBe(0);
});

test("explains the consequences for a baseline, and requires its whole name", async ({ page }) => {
  await open(page);
  await askFor(page, "The baseline");
  await expect(dialog(page)).toContainText("only known baseline of Tower");
  await expect(dialog(page).getByRole("button", { name: "Keep baseline" })).toBeFocused();
  const button = confirm(page);
  await expect(button).toBeDisabled();
  const typed = dialog(page).getByLabel(/^Type the file name/);
  await typed.fill("the baseline, as agreed");
  await expect(button).toBeDisabled();
  await typed.fill("The baseline, as");
  await expect(dialog(page)).toContainText("16 of 23 characters match");
  await typed.fill("The baseline, as agreed");
  await expect(button).toBeEnabled();
  await typed.press("Enter");
  await expect(dock(page)).toContainText("Deleting The baseline, as agreed");
  await expectNoViolation(page);
  await expect(dock(page)).toContainText(/Deleted \d\d:\d\d:\d\d/, { timeout: 30_000 });
  expect(deletesOf(idOf("The baseline"))).toBe(1);
});

test("deletes several files once each, waiting out a 429", async ({ page }) => {
  const words = ["Emma", "Frida", "Gerda", "Hanna"];
  await open(page);
  for (const word of words) await line(page, word).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Delete 4 files" }).click();
  await expect(dialog(page)).toContainText("None are baselines.");
  const go = dialog(page).getByRole("button", { name: "Delete 4 files" });
  await expect(go).toBeDisabled();
  const typed = dialog(page).getByLabel("Type 4 to continue");
  await typed.fill("5");
  await expect(go).toBeDisabled();
  await typed.fill("4");
  const limited = { path: "/schedule_files/", method: "DELETE", after: 2, times: 1 };
  await upstream.setFault({ kind: "rate_limited", headers: "retry_after", seconds: 3 }, limited);
  await go.click();
  await expect(page).toHaveURL(/deletion=/);
  await expect(dialog(page)).toContainText("Nothing deleted yet.");
  await expectNoViolation(page);
  await expect(dialog(page)).toContainText("2 of 4 done.", { timeout: 30_000 });
  await expect(dialog(page)).toContainText(/Waiting \d+ s/);
  // It survives a reload of the page.
  await page.reload();
  await expect(dialog(page).getByRole("heading")).toHaveText("4 files: 4 deleted", {
    timeout: 30_000,
  });
  await expectNoViolation(page);
  await upstream.setFault(null);
  // The request answered with 429 was not executed, so it was sent again.
  expect(words.map((word) => deletesOf(idOf(word))).toSorted((a, b) => a - b)).toEqual([
    1, 1, 1, 2,
  ]);
  const csv = page.waitForEvent("download");
  await dialog(page).getByRole("link", { name: "Download CSV" }).click();
  expect((await csv).suggestedFilename()).toMatch(/\.csv$/);
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await expect(page).not.toHaveURL(/deletion=/);
  for (const word of words) await expect(line(page, word)).toHaveCount(0);
  expect(await page.content()).not.toContain(UPSTREAM_DESCRIPTION);
});

test("deletes a file once when two people do, and reports it as already gone to the second", async ({
  page,
  browser,
}) => {
  const operator = await addPerson(app, { name: "Bo Lind", role: "operator", company: "main" });
  const other = await (await browser.newContext()).newPage();
  await open(page);
  await open(other, operator);
  for (const one of [page, other]) {
    await askFor(one, "Ida");
    await confirm(one).click();
  }
  const outcomes: string[] = [];
  for (const one of [page, other]) {
    await expect(dock(one)).toContainText(/Deleted \d|Already gone/, { timeout: 30_000 });
    outcomes.push(/Deleted|Already gone/.exec(await dock(one).innerText())?.[0] ?? "");
  }
  expect(outcomes.toSorted()).toEqual(["Already gone", "Deleted"]);
  await page.goto(`${app.address}/main/activity?q=${idOf("Ida")}`);
  const actions = page.getByRole("table").getByRole("row");
  await expect(actions).toHaveCount(3);
  await expect(actions.filter({ hasText: "Bo Lind" })).toHaveCount(1);
  await other.context().close();
});

test("reports a lost response as unknown, and resolves it by reading again", async ({ page }) => {
  await open(page);
  await askFor(page, "Jana");
  await upstream.setFault(
    { kind: "answer_lost" },
    { path: `/schedule_files/${idOf("Jana")}`, method: "DELETE", times: 1 },
  );
  await confirm(page).click();
  await expect(dock(page)).toContainText("Outcome unknown", { timeout: 30_000 });
  await expect(dock(page)).toContainText("no need to repeat it");
  await expect(dock(page)).toContainText(/Deleted \d\d:\d\d:\d\d/, { timeout: 30_000 });
  expect(deletesOf(idOf("Jana"))).toBe(1);
  await upstream.setFault(null);
});

test("leaves a file alone that changed while the dialog was open", async ({ page }) => {
  await open(page);
  await askFor(page, "Dora");
  const before = files().filter(({ id }) => id !== idOf("Dora"));
  const changed = files().filter(({ id }) => id === idOf("Dora"));
  upstream.setFiles([...changed.map((file) => ({ ...file, is_baseline: true })), ...before]);
  await confirm(page).click();
  await expect(dock(page)).toContainText("Changed after you confirmed; not deleted", {
    timeout: 30_000,
  });
  expect(deletesOf(idOf("Dora"))).toBe(0);
  upstream.setFiles(files());
});

test("shows hostile names as text everywhere", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("dialog", (box) => complaints.push(box.message()));
  await open(page);
  await expect(names(page).filter({ hasText: "<img src=x" })).toHaveCount(1);
  await expect(names(page).filter({ hasText: "=HYPERLINK" })).toHaveCount(1);
  await expect(names(page).filter({ hasText: "{{constructor" })).toHaveCount(1);
  // Direction overrides are left out.
  await expect(names(page).filter({ hasText: /^gnp\.elif-live\.xer$/ })).toHaveCount(1);
  await expectNoViolation(page);
  const last = lines(page).last();
  await expect(last).toContainText("A very long name");
  await last.hover();
  await last.getByRole("button", { name: /^Delete/ }).click();
  const box = await dialog(page).boundingBox();
  expect(box?.width).toBeLessThan(600);
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  const script = names(page).filter({ hasText: "<img src=x" }).getByRole("link");
  await script.click();
  await expect(heading(page)).toContainText("<img src=x");
  await expect(page).toHaveTitle(/schedule|<img/i);
  expect(complaints).toEqual([]);
});

test("explains the missing scope and offers no deletion", async ({ page }) => {
  await signIn(page, app, "/undeletable/schedules?view=files");
  await expect(page.getByText("doesn’t have the write:schedule_files scope")).toBeVisible({
    timeout: 30_000,
  });
  await expect(names(page).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Delete/ })).toHaveCount(0);
  await expect(grid(page).getByRole("checkbox")).toHaveCount(0);
  const [file] = (await filesOf(page, app, "undeletable")).data;
  const refused = await page.request.post(`${app.address}/api/companies/undeletable/deletions`, {
    headers: { "Idempotency-Key": crypto.randomUUID(), Origin: app.address },
    data: { files: [file] },
  });
  expect(refused.status()).toBe(403);
  expect(undeletable.requests.some(({ method }) => method === "DELETE")).toBe(false);
});

test("explains the missing scope to read", async ({ page }) => {
  await signIn(page, app, "/unreadable/schedules");
  await expect(page.getByRole("heading", { name: "Can’t read schedule files" })).toBeVisible({
    timeout: 30_000,
  });
  await expectNoViolation(page);
});
