import { expect, test, type Page } from "@playwright/test";
import type { DeletionView } from "@/lib/contracts/deletions";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import {
  AMPLE_BUDGET,
  connectedTo,
  FORMS,
  addPerson,
  expectNoViolation,
  signIn,
  startApp,
  type App,
} from "./app";
import {
  UPSTREAM_DESCRIPTION,
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";

const grid = (page: Page) => page.getByRole("grid", { name: "Schedule files" });
const lines = (page: Page) => grid(page).locator("[data-line]");
const names = (page: Page) => grid(page).getByRole("rowheader");
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const dialog = (page: Page) => page.getByRole("alertdialog");
const dock = (page: Page) => page.getByRole("region", { name: "Deletions" });
const search = (page: Page) => page.getByLabel("Name or project");

async function filesOf(
  page: Page,
  app: App,
  company: string,
  query = "",
): Promise<ScheduleFilesView> {
  const answer = await page.request.get(
    `${app.address}/api/companies/${company}/schedule-files?${query}`,
  );
  return (await answer.json()) as ScheduleFilesView;
}

/** The demo's files, all of them known. Until the polls have shown what they need, the index waits a minute. */
async function whole(page: Page, app: App, company: string): Promise<ScheduleFilesView> {
  await expect
    .poll(async () => (await filesOf(page, app, company)).index.complete, { timeout: 90_000 })
    .toBe(true);
  return filesOf(page, app, company, "per_page=100");
}

/** The rows in view are the first of these; rows out of view are not drawn. */
async function expectFirst(page: Page, wanted: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      const drawn = await names(page).allTextContents();
      return drawn.length > 0 && drawn.every((name, at) => name === wanted[at]);
    })
    .toBe(true);
}

test.describe("finding files", () => {
  test.describe.configure({ timeout: 180_000 });
  let app: App;
  test.beforeAll(async () => {
    app = await startApp();
  });
  test.afterAll(() => app.end());

  test("all files are there, newest first, down to the last one", async ({ page }) => {
    await signIn(page, app, "/northgate");
    const { data, meta } = await whole(page, app, "northgate");
    await page.getByRole("link", { name: "Schedules" }).click();
    await expect(heading(page)).toHaveText(`${meta.total_count} schedule files`);
    await expect(grid(page)).toHaveAttribute("aria-rowcount", String(meta.total_count + 1));
    await expect(names(page).first()).toHaveText(data[0]?.name ?? "");
    expect(await names(page).count()).toBeLessThan(meta.total_count);

    const oldest = (await filesOf(page, app, "northgate", "sort=uploaded&per_page=1")).data[0];
    await lines(page).first().focus();
    await page.keyboard.press("End");
    await expect(lines(page).last()).toHaveAttribute("data-line", String(meta.total_count - 1));
    await expect(names(page).last()).toHaveText(oldest?.name ?? "");
  });

  test("search, filters and order are in the address, and survive reload and another browser", async ({
    page,
    browser,
  }) => {
    await signIn(page, app, "/northgate/schedules");
    await whole(page, app, "northgate");
    await page.reload();
    await page.keyboard.press("/");
    await expect(search(page)).toBeFocused();
    await page.keyboard.type("tunnel");
    await page.getByRole("radio", { name: "XML" }).click();
    await page.getByRole("radio", { name: "Not baselines" }).click();
    await grid(page).getByRole("button", { name: "Name" }).click();
    await expect(page).toHaveURL(/q=tunnel/);
    await expect(page).toHaveURL(/type=xml/);
    await expect(page).toHaveURL(/baseline=false/);
    await expect(page).toHaveURL(/sort=name/);
    const wanted = await filesOf(
      page,
      app,
      "northgate",
      "q=tunnel&type=xml&baseline=false&sort=name&per_page=100",
    );
    expect(wanted.meta.total_count).toBeGreaterThan(2);
    const wantedNames = wanted.data.map(({ name }) => name);
    expect(wantedNames.every((name) => /tunnel/i.test(name))).toBe(true);
    await expectFirst(page, wantedNames);
    await expect(grid(page).getByRole("columnheader", { name: "Name" })).toHaveAttribute(
      "aria-sort",
      "ascending",
    );
    const address = page.url();
    await page.reload();
    await expectFirst(page, wantedNames);
    await expect(search(page)).toHaveValue("tunnel");

    const other = await (await browser.newContext()).newPage();
    await signIn(other, app, new URL(address).pathname + new URL(address).search);
    await expectFirst(other, wantedNames);
    await other.context().close();
  });

  test("a project and an integration narrow the list, and nothing found leads back to all", async ({
    page,
  }) => {
    await signIn(page, app, "/northgate/schedules");
    const { data, meta } = await whole(page, app, "northgate");
    await page.reload();
    const project = data.find((file) => file.customer_project !== null)?.customer_project;
    await page.getByRole("button", { name: /^Project:/ }).click();
    await page.getByRole("menuitemradio", { name: project?.name ?? "" }).click();
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(new RegExp(`project=${project?.id}`));
    const ofProject = await filesOf(page, app, "northgate", `project=${project?.id}`);
    await expect(grid(page)).toHaveAttribute(
      "aria-rowcount",
      String(ofProject.meta.total_count + 1),
    );
    await search(page).fill("no such file anywhere");
    await expect(page.getByRole("heading", { name: /^No match/ })).toBeVisible();
    await page.getByRole("button", { name: `Show all ${meta.total_count} files` }).click();
    await expect(grid(page)).toHaveAttribute("aria-rowcount", String(meta.total_count + 1));
  });

  test("by keys only: to a file, its own page with every field, and back", async ({ page }) => {
    await signIn(page, app, "/northgate/schedules");
    const { data } = await whole(page, app, "northgate");
    const file = data[1];
    if (file === undefined) throw new Error("northgate has files");
    await page.reload();
    await expect(names(page).first()).toHaveText(data[0]?.name ?? "");
    // Until the page is awake nothing listens.
    await expect(async () => {
      await page.keyboard.press("j");
      await expect(lines(page).first()).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await expect(lines(page).nth(1)).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${app.address}/northgate/schedules/${file.id}`);
    await expect(heading(page)).toContainText(file.name);
    const main = page.getByRole("main");
    for (const member of Object.keys(file)) await expect(main).toContainText(member);
    await expect(main).toContainText(`id ${file.id}`);
    await page.goBack();
    await expect(page).toHaveURL(`${app.address}/northgate/schedules`);
  });

  test("an address that names no file says so, and a company without files says that", async ({
    page,
  }) => {
    await signIn(page, app, "/northgate/schedules/999999999");
    await expect(page.getByRole("heading", { name: "No schedule file 999999999" })).toBeVisible();
    await page.goto(`${app.address}/northgate/schedules/nothing`);
    await expect(page.getByRole("heading", { name: /names no schedule file/ })).toBeVisible();
    await whole(page, app, "orchard");
    await page.goto(`${app.address}/orchard/schedules`);
    await expect(page.getByRole("heading", { name: "No schedule files" })).toBeVisible();
  });

  test("a viewer finds every file and nothing to delete it with", async ({ page }) => {
    const viewer = await addPerson(app, { name: "Vi", role: "viewer", company: "northgate" });
    await signIn(page, app, "/northgate/schedules", viewer);
    const { data } = await whole(page, app, "northgate");
    await page.reload();
    await expect(names(page).first()).toHaveText(data[0]?.name ?? "");
    await expect(page.getByRole("button", { name: /delete/i })).toHaveCount(0);
    await expect(page.getByRole("checkbox")).toHaveCount(0);
    const [file] = data;
    const refused = await page.request.post(`${app.address}/api/companies/northgate/deletions`, {
      headers: { "Idempotency-Key": crypto.randomUUID(), Origin: app.address },
      data: { files: [file] },
    });
    expect(refused.status()).toBe(403);
    await page.goto(`${app.address}/northgate/schedules/${file?.id}`);
    await expect(heading(page)).toContainText(file?.name ?? "");
    await expect(page.getByRole("button", { name: /delete/i })).toHaveCount(0);
    const elsewhere = await page.request.get(`${app.address}/api/companies/harbour/schedule-files`);
    expect(elsewhere.status()).toBe(404);
  });

  for (const [form, options] of Object.entries(FORMS)) {
    test(`nobody is locked out by the ${form} form of the pages and dialogs`, async ({
      browser,
    }) => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await signIn(page, app, "/northgate/schedules");
      const { data } = await whole(page, app, "northgate");
      const baselines = await filesOf(page, app, "northgate", "baseline=true");
      await page.reload();
      await expect(names(page).first()).toHaveText(data[0]?.name ?? "");
      await expectNoViolation(page);

      await test.step("a menu", async () => {
        await page.getByRole("button", { name: /^Project:/ }).click();
        await expect(page.getByRole("menu")).toBeVisible();
        await expectNoViolation(page);
        await page.keyboard.press("Escape");
      });
      await test.step("nothing found", async () => {
        await search(page).fill("no such file anywhere");
        await expect(page.getByRole("heading", { name: /^No match/ })).toBeVisible();
        await expectNoViolation(page);
        await search(page).fill("");
      });
      await test.step("several chosen", async () => {
        await expect(names(page).first()).toHaveText(data[0]?.name ?? "");
        for (const at of [0, 1]) await lines(page).nth(at).getByRole("checkbox").check();
        await expect(page.getByRole("region", { name: "Selection" })).toBeVisible();
        await expectNoViolation(page);
        await page.getByRole("button", { name: "Delete 2 files" }).click();
        await expect(dialog(page)).toBeVisible();
        await expectNoViolation(page);
        await page.keyboard.press("Escape");
        await expect(dialog(page)).toBeHidden();
      });
      for (const file of [data.find((one) => !one.is_baseline), baselines.data[0]]) {
        await test.step(`a file, ${file?.is_baseline === true ? "baseline" : "ordinary"}`, async () => {
          await page.goto(`${app.address}/northgate/schedules/${file?.id}`);
          await expect(heading(page)).toContainText(file?.name ?? "");
          await expectNoViolation(page);
          await page.getByRole("button", { name: /^Delete/ }).click();
          await expect(dialog(page)).toBeVisible();
          await expectNoViolation(page);
          await page.keyboard.press("Escape");
          await expect(dialog(page)).toBeHidden();
        });
      }
      for (const path of ["/northgate/schedules/999999999", "/orchard/schedules"]) {
        await page.goto(`${app.address}${path}`);
        await expect(heading(page)).toBeVisible();
        await expectNoViolation(page);
      }
      await context.close();
    });
  }
});

test.describe("deleting files", () => {
  const TOWER = { id: 10, name: "Tower", source: "procore", customer_project_id: "T-1" };
  const LONG = "A very long name ".repeat(15).trim();
  const HOSTILE = [
    `<img src=x onerror="document.title='owned'">.xer`,
    "\u202Egnp.elif-live.xer",
    '=HYPERLINK("http://evil.example","click")',
    "{{constructor.constructor('alert(1)')()}} \u0000 \ud800",
    LONG,
  ];
  const WORDS = [
    "Anna",
    "Berta",
    "Carla",
    "Dora",
    "Emma",
    "Frida",
    "Gerda",
    "Hanna",
    "Ida",
    "Jana",
  ];

  /** Ids in the order of upload, newest first. */
  function files(): ServedScheduleFile[] {
    const all = [
      ...WORDS.map((word) => `${word}, plan.xer`),
      "The baseline, as agreed",
      ...HOSTILE,
    ];
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
  let app: App;
  test.beforeAll(async () => {
    upstream = await startMisbehavingUpstream({ files: files() });
    app = await startApp({ ...connectedTo(upstream), ...AMPLE_BUDGET });
  });
  test.afterAll(async () => {
    await app.end();
    await upstream.close();
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
    await signIn(page, app, "/main/schedules", person);
    await expect
      .poll(async () => (await filesOf(page, app, "main")).scopes.delete, { timeout: 30_000 })
      .toBe(true);
    await page.reload();
    await expect(names(page).first()).toBeVisible();
  }

  /** Asks for one file to be deleted, as far as the button that does it. */
  async function askFor(page: Page, word: string): Promise<void> {
    await line(page, word).hover();
    await line(page, word)
      .getByRole("button", { name: /^Delete/ })
      .click();
    await expect(dialog(page)).toContainText(word);
  }
  const confirm = (page: Page) => dialog(page).getByRole("button", { name: /^Delete/ });

  test("one file: asked for by keys, nothing sent for ten seconds, then deleted and gone", async ({
    page,
  }) => {
    await open(page);
    const link = line(page, "Anna").getByRole("link");
    await link.press("ArrowRight");
    await expect(line(page, "Anna").getByRole("button", { name: /^Delete/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toBeVisible();
    for (const fact of ["Anna, plan.xer", ".xer", `id ${idOf("Anna")}`, "Tower", "02 Mar 2026"])
      await expect(dialog(page)).toContainText(fact);
    await expect(dialog(page).getByRole("button", { name: "Keep file" })).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(dialog(page).getByRole("button", { name: "Delete Anna, plan.xer" })).toBeFocused();
    const asked = page.waitForResponse((response) => response.request().method() === "POST");
    await page.keyboard.press("Enter");
    const deletion = (await (await asked).json()) as DeletionView;
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
    await page.goto(`${app.address}/main/schedules`);
    await expect(names(page).first()).toBeVisible();
    await expect(line(page, "Anna")).toHaveCount(0);
    await page.goto(`${app.address}/main/schedules/${idOf("Anna")}`);
    await expect(page.getByRole("main")).toContainText("Gone");
  });

  test("undone within the ten seconds, by a key: nothing is ever sent", async ({ page }) => {
    await open(page);
    await askFor(page, "Berta");
    const asked = page.waitForResponse((response) => response.request().method() === "POST");
    await confirm(page).click();
    const { id } = (await (await asked).json()) as DeletionView;
    await expect(dock(page).getByRole("button", { name: "Undo" })).toBeEnabled();
    await page.keyboard.press("z");
    await expect(dock(page)).toContainText("Left where it is");
    const { state, items } = await outcomeOf(page, id);
    expect([state, items[0]?.outcome]).toEqual(["undone", "undone"]);
    await expect(line(page, "Berta")).toHaveCount(1);
    expect(deletesOf(idOf("Berta"))).toBe(0);
  });

  test("a reload within the ten seconds keeps the undo, and keeping the file asks for nothing", async ({
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
    await expect(dock(page)).toContainText("Left where it is");
    expect(deletesOf(idOf("Carla"))).toBe(0);
  });

  test("a baseline: what is lost is said, and only its whole name makes the button work", async ({
    page,
  }) => {
    await open(page);
    await askFor(page, "The baseline");
    await expect(dialog(page)).toContainText("only baseline of Tower that we know of");
    await expect(dialog(page).getByRole("button", { name: "Keep baseline" })).toBeFocused();
    const button = confirm(page);
    await expect(button).toBeDisabled();
    const typed = dialog(page).getByLabel(/^Type the file name/);
    await typed.fill("the baseline, as agreed");
    await expect(button).toBeDisabled();
    await typed.fill("The baseline, as");
    await expect(dialog(page)).toContainText("16 of 23 characters match so far");
    await typed.fill("The baseline, as agreed");
    await expect(button).toBeEnabled();
    await typed.press("Enter");
    await expect(dock(page)).toContainText("Deleting The baseline, as agreed");
    await expectNoViolation(page);
    await expect(dock(page)).toContainText(/Deleted \d\d:\d\d:\d\d/, { timeout: 30_000 });
    expect(deletesOf(idOf("The baseline"))).toBe(1);
  });

  test("several, with a 429 in the middle: it waits as told, goes on, and each is deleted once", async ({
    page,
  }) => {
    test.setTimeout(120_000);
    const words = ["Emma", "Frida", "Gerda", "Hanna"];
    await open(page);
    for (const word of words) await line(page, word).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Delete 4 files" }).click();
    await expect(dialog(page)).toContainText("None of them is a baseline");
    const go = dialog(page).getByRole("button", { name: "Delete 4 files" });
    await expect(go).toBeDisabled();
    const typed = dialog(page).getByLabel(/^Type how many files/);
    await typed.fill("5");
    await expect(go).toBeDisabled();
    await typed.fill("4");
    const limited = { path: "/schedule_files/", method: "DELETE", after: 2, times: 1 };
    await upstream.setFault({ kind: "rate_limited", headers: "retry_after", seconds: 3 }, limited);
    await go.click();
    await expect(page).toHaveURL(/deletion=/);
    await expect(dialog(page)).toContainText("Nothing is deleted yet.");
    await expectNoViolation(page);
    await expect(dialog(page)).toContainText("2 of 4 done.", { timeout: 30_000 });
    await expect(dialog(page)).toContainText(/Waiting \d+ s/);
    // It survives the reload of the page that shows it.
    await page.reload();
    await expect(dialog(page).getByRole("heading")).toHaveText("4 files: 4 deleted", {
      timeout: 30_000,
    });
    await expectNoViolation(page);
    await upstream.setFault(null);
    // The one that was answered 429 was not executed, so it was sent again.
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

  test("two people at once: one deletes it, for the other it was already gone", async ({
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
    const told: string[] = [];
    for (const one of [page, other]) {
      await expect(dock(one)).toContainText(/Deleted \d|Already gone/, { timeout: 30_000 });
      told.push(/Deleted|Already gone/.exec(await dock(one).innerText())?.[0] ?? "");
    }
    expect(told.toSorted()).toEqual(["Already gone", "Deleted"]);
    await page.goto(`${app.address}/main/activity?q=${idOf("Ida")}`);
    const actions = page.getByRole("table").getByRole("row");
    await expect(actions).toHaveCount(3);
    await expect(actions.filter({ hasText: "Bo Lind" })).toHaveCount(1);
    await other.context().close();
  });

  test("the answer is lost: unknown, said so, and settled by looking again", async ({ page }) => {
    await open(page);
    await askFor(page, "Jana");
    await upstream.setFault(
      { kind: "answer_lost" },
      { path: `/schedule_files/${idOf("Jana")}`, method: "DELETE", times: 1 },
    );
    await confirm(page).click();
    await expect(dock(page)).toContainText("Outcome unknown", { timeout: 30_000 });
    await expect(dock(page)).toContainText("there is no need to repeat it");
    await expect(dock(page)).toContainText(/Deleted \d\d:\d\d:\d\d/, { timeout: 30_000 });
    expect(deletesOf(idOf("Jana"))).toBe(1);
    await upstream.setFault(null);
  });

  test("a file that changed under the dialog is left alone", async ({ page }) => {
    await open(page);
    await askFor(page, "Dora");
    const before = files().filter(({ id }) => id !== idOf("Dora"));
    const changed = files().filter(({ id }) => id === idOf("Dora"));
    upstream.setFiles([...changed.map((file) => ({ ...file, is_baseline: true })), ...before]);
    await confirm(page).click();
    await expect(dock(page)).toContainText("nothing was deleted", { timeout: 30_000 });
    expect(deletesOf(idOf("Dora"))).toBe(0);
    upstream.setFiles(files());
  });

  test("hostile names are text wherever they stand", async ({ page }) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    page.on("dialog", (box) => complaints.push(box.message()));
    await open(page);
    await expect(names(page).filter({ hasText: "<img src=x" })).toHaveCount(1);
    await expect(names(page).filter({ hasText: "=HYPERLINK" })).toHaveCount(1);
    await expect(names(page).filter({ hasText: "{{constructor" })).toHaveCount(1);
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

  test("without the scope to delete there is nothing to delete with, and it is explained", async ({
    page,
  }) => {
    const narrow = await startMisbehavingUpstream({
      files: files(),
      scopes: ["read:sync_status", "read:schedule_files"],
    });
    const its = await startApp(connectedTo(narrow));
    await signIn(page, its, "/main/schedules");
    await expect(page.getByText("was not granted write:schedule_files")).toBeVisible({
      timeout: 30_000,
    });
    await expect(names(page).first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^Delete/ })).toHaveCount(0);
    await expect(grid(page).getByRole("checkbox")).toHaveCount(0);
    const [file] = (await filesOf(page, its, "main")).data;
    const refused = await page.request.post(`${its.address}/api/companies/main/deletions`, {
      headers: { "Idempotency-Key": crypto.randomUUID(), Origin: its.address },
      data: { files: [file] },
    });
    expect(refused.status()).toBe(403);
    expect(narrow.requests.some(({ method }) => method === "DELETE")).toBe(false);
    await its.end();
    await narrow.close();
  });

  test("without the scope to read the page explains itself", async ({ page }) => {
    const narrow = await startMisbehavingUpstream({ scopes: ["read:sync_status"] });
    const its = await startApp(connectedTo(narrow));
    await signIn(page, its, "/main/schedules");
    await expect(page.getByRole("heading", { name: "Schedule files cannot be read" })).toBeVisible({
      timeout: 30_000,
    });
    await expectNoViolation(page);
    await its.end();
    await narrow.close();
  });
});
