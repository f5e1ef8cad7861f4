import { execFile } from "node:child_process";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test, type Page } from "@playwright/test";
import { NO_TIME } from "@/lib/domain/report/day-times";
import { writeRolledUpDay } from "@/lib/server/store/report/rolled-up-days";
import {
  AMPLE_BUDGET,
  addPerson,
  connectedTo,
  expectNoViolation,
  onRecord,
  signIn,
  startApp,
  type App,
} from "./app";
import { dialog, dock, filesOf, lines, names } from "./files-page";
import { startMisbehavingUpstream } from "./upstream/misbehaving-upstream";
import { sampleFiles } from "./upstream/sample-rows";
import { DAY_MS } from "@/lib/domain/time/units";

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, "..");

/** Makes a hanging command fail with its own name before the test times out. */
const COMMAND_LIMIT_MS = 60_000;

/** One of our commands, as npm runs it. */
async function command(name: string, file: string, dataDir: string): Promise<string> {
  const { stdout } = await run("npm", ["run", "-s", name, "--", file], {
    cwd: root,
    timeout: COMMAND_LIMIT_MS,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      DATA_DIR: dataDir,
    },
  });
  return stdout;
}

const MONTH = "2026-02";

/** A month of an endpoint that has since been removed, with an unobserved day. */
async function rollUpMonth(app: App): Promise<void> {
  await onRecord(app, async (database) => {
    for (let date = 1; date <= 28; date += 1) {
      const fromMs = Date.UTC(2026, 1, date);
      const day = {
        day: new Date(fromMs).toISOString().slice(0, 10),
        timeZone: "UTC",
        fromMs,
        untilMs: fromMs + DAY_MS,
        incidents: null,
      };
      const row = {
        id: "gone-1",
        endpointKey: "daily_logs",
        partnerName: "Procore",
        ...NO_TIME,
        [date === 9 ? "notObservedMs" : "onTimeMs"]: DAY_MS,
        worst: null,
        overdue: { leadMs: 0, longestMs: 0, tailMs: 0 },
        completed: 24,
        failed: 0,
        timedOut: 0,
        rateLimited: 0,
      };
      await writeRolledUpDay(database, "main", day, [row], fromMs + 2 * DAY_MS);
    }
  });
}

/** In the page: hides that deletions are paused until a deletion is requested. */
function hidePauseUntilRequested() {
  const { fetch } = globalThis;
  let isHidden = true;
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    const isOfDeletions = pathname === "/api/companies/main/deletions";
    if (isOfDeletions && init?.method === "POST") isHidden = false;
    const answer = await fetch(input, init);
    if (!isOfDeletions || !isHidden || !answer.ok) return answer;
    return Response.json({ ...(await answer.json()), paused: null });
  };
}

const banner = (page: Page) => page.getByRole("status").filter({ hasText: "Deletions are paused" });

test("restores a backup of a running Plumbline, and deletes nothing until an administrator resumes", async ({
  page,
  browser,
}) => {
  const upstream = await startMisbehavingUpstream({ files: sampleFiles(5, Date.now()) });
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-restored-"));
  const env = { ...connectedTo(upstream), ...AMPLE_BUDGET };
  const file = path.join(dataDir, "moment.plumbline");
  const deletes = () => upstream.requests.filter(({ method }) => method === "DELETE").length;
  let app = await startApp(env, dataDir);
  try {
    const operator = await addPerson(app, { name: "Bo", role: "operator", company: "main" });
    await signIn(page, app, "/main/schedules?view=files");
    await expect
      .poll(async () => (await filesOf(page, app, "main")).scopes.delete, { timeout: 30_000 })
      .toBe(true);
    await expect(banner(page)).toHaveCount(0);
    await rollUpMonth(app);
    const closedMonth = async () => {
      const address = `${app.address}/api/companies/main/report`;
      const read = async (url: string) => (await page.request.get(url)).text();
      return {
        json: await read(`${address}?month=${MONTH}`),
        csv: await read(`${address}/csv?month=${MONTH}`),
      };
    };
    const monthBefore = await closedMonth();
    expect(JSON.parse(monthBefore.json)).toMatchObject({ closed: true, observed: 96.4 });
    expect(await command("backup", file, dataDir)).toMatch(/moment\.plumbline: [\d,]+ rows/);
    await app.end();
    renameSync(path.join(dataDir, "postgres"), path.join(dataDir, "postgres.before"));
    expect(await command("restore", file, dataDir)).toContain(
      "Paused until an administrator resumes them",
    );

    app = await startApp(env, dataDir);
    const other = await browser.newContext();
    const theirs = await other.newPage();
    await signIn(theirs, app, "/main/schedules?view=files", operator);
    await expect(banner(theirs)).toContainText("An administrator can resume them.");
    await expect(theirs.getByRole("button", { name: "Resume deletions" })).toHaveCount(0);
    const refused = await theirs.request.post(`${app.address}/api/pauses/deletions/resume`, {
      data: {},
      headers: { Origin: app.address },
    });
    expect(refused.status()).toBe(403);

    // Their session was in the backup, and the restore ended it.
    await page.goto(`${app.address}/main/schedules?view=files`);
    await expect(page).toHaveURL(/\/signin/);
    await signIn(page, app, "/settings/links");
    const waiting = page.getByRole("status").filter({ hasText: "are paused." });
    await expect(waiting).toContainText(
      "Deletions, messages, displays, share links, and API tokens are paused.",
    );
    await expect(waiting).toContainText("restored from a backup made at");
    await expectNoViolation(page);
    await waiting.getByRole("button", { name: "Resume share links" }).click();
    await expect(waiting).toContainText(
      "Deletions, messages, displays, and API tokens are paused.",
    );
    await theirs.goto(`${app.address}/settings/me`);
    const theirBanner = theirs.getByRole("status").filter({ hasText: "are paused." });
    await expect(theirBanner).toContainText("An administrator can resume them.");
    await expect(theirs.getByRole("button", { name: /^Resume/ })).toHaveCount(0);
    await theirs.goto(`${app.address}/main/schedules?view=files`);
    expect(await closedMonth()).toEqual(monthBefore);
    await page.goto(`${app.address}/main/schedules?view=files`);
    await expect
      .poll(async () => (await filesOf(page, app, "main")).scopes.delete, { timeout: 30_000 })
      .toBe(true);
    await page.reload();
    await expect(names(page).first()).toBeVisible();
    await expect(banner(page)).toContainText("restored from a backup made at");
    await expectNoViolation(page);
    const openFirst = async () => {
      await lines(page).nth(1).hover();
      await lines(page)
        .nth(1)
        .getByRole("button", { name: /^Delete/ })
        .click();
    };
    const confirmFirst = dialog(page).getByRole("button", { name: /^Delete/ });
    const paused = dialog(page)
      .getByRole("alert")
      .filter({ hasText: "An administrator can resume them" });
    await lines(page).nth(1).getByRole("checkbox").click();
    await lines(page).nth(2).getByRole("checkbox").click();
    await expect(page.getByRole("button", { name: "Delete 2 files" })).toBeDisabled();
    await expect(page.getByRole("region", { name: "Selection" })).toContainText("paused until");
    await page.getByRole("button", { name: "Clear" }).click();
    await openFirst();
    await expect(paused).toBeVisible();
    await expect(confirmFirst).toBeDisabled();
    await page.keyboard.press("Escape");
    expect(deletes()).toBe(0);

    // For a person with the dialog already open, who learns of it only from the request.
    await page.addInitScript(hidePauseUntilRequested);
    await page.reload();
    await openFirst();
    await confirmFirst.click();
    await expect(paused).toBeVisible();
    await expect(confirmFirst).toBeDisabled();
    // The page may know before the response arrives, and until then nothing closes the dialog.
    await expect(dialog(page).getByRole("button", { name: "Keep file" })).toBeEnabled();
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    expect(deletes()).toBe(0);

    await page.getByRole("button", { name: "Resume deletions" }).click();
    await expect(banner(page)).toHaveCount(0);
    // Other people with the page open see it within seconds.
    await expect(banner(theirs)).toHaveCount(0, { timeout: 15_000 });
    await openFirst();
    await confirmFirst.click();
    await expect(dock(page)).toContainText(/Deleted \d\d:\d\d:\d\d/, { timeout: 40_000 });
    expect(deletes()).toBe(1);
    await page.goto(`${app.address}/main/activity`);
    // Of share links, then of deletions.
    await expect(page.getByText("Resumed", { exact: true })).toHaveCount(2);
    await other.close();
  } finally {
    await app.end();
    await upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
