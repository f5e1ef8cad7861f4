import { expect, test, type Page } from "@playwright/test";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import type { ScheduleProjectsView } from "@/lib/contracts/schedule-projects";
import {
  addPerson,
  beSignedIn,
  demoApp,
  expectNoViolationInAnyForm,
  signIn,
  type RunningApp,
  sidewaysPx,
} from "./app";
import { dialog, filesOf, grid, heading, lines, names, search, shownName } from "./files-page";

/**
 * The demo's files, completely indexed. Until the polls have shown their cost, the index waits a
 * minute.
 */
async function whole(page: Page, app: RunningApp, company: string): Promise<ScheduleFilesView> {
  await expect
    .poll(async () => (await filesOf(page, app, company)).index.complete, { timeout: 90_000 })
    .toBe(true);
  return filesOf(page, app, company, "per_page=100");
}

/** The first of these are the visible rows; others aren't rendered. */
async function expectFirst(page: Page, wanted: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      const drawn = await names(page).allTextContents();
      return drawn.length > 0 && drawn.every((name, at) => name === wanted[at]);
    })
    .toBe(true);
}

const projects = (page: Page) => page.getByRole("table");

async function projectsOf(page: Page): Promise<ScheduleProjectsView> {
  const answer = await page.request.get(
    `${app.address}/api/companies/northgate/schedule-projects?per_page=100`,
  );
  return (await answer.json()) as ScheduleProjectsView;
}

const DIALOG = "[role=alertdialog]";

test.describe.configure({ timeout: 180_000 });
const app = demoApp();

test("lists all files, newest first, down to the last one", async ({ page }) => {
  await signIn(page, app, "/northgate");
  const { data, meta } = await whole(page, app, "northgate");
  await page.getByRole("link", { name: "Schedule files" }).click();
  await page.getByRole("radio", { name: /^Files, / }).click();
  await expect(page).toHaveURL(`${app.address}/northgate/schedules?view=files`);
  await expect(heading(page)).toHaveText(`${meta.total_count} schedule files`);
  await expect(grid(page)).toHaveAttribute("aria-rowcount", String(meta.total_count + 1));
  await expect(names(page).first()).toHaveText(shownName(data[0]));
  expect(await names(page).count()).toBeLessThan(meta.total_count);

  const oldest = (await filesOf(page, app, "northgate", "sort=uploaded&per_page=1")).data[0];
  await lines(page).first().focus();
  await page.keyboard.press("End");
  await expect(lines(page).last()).toHaveAttribute("data-line", String(meta.total_count - 1));
  await expect(names(page).last()).toHaveText(shownName(oldest));
});

test("keeps search, filters and order in the address, across reload and another browser", async ({
  page,
  browser,
}) => {
  await beSignedIn(page, app);
  await whole(page, app, "northgate");
  await page.goto(`${app.address}/northgate/schedules?view=files`);
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
  const wantedNames = wanted.data.map(shownName);
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

test("filters by project and integration, and leads back to all without results", async ({
  page,
}) => {
  await beSignedIn(page, app);
  const { data, meta } = await whole(page, app, "northgate");
  await page.goto(`${app.address}/northgate/schedules?view=files`);
  const project = data.find((file) => file.customer_project !== null)?.customer_project;
  await page.getByRole("button", { name: /^Project:/ }).click();
  await page.getByRole("menuitemradio", { name: project?.name ?? "" }).click();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(new RegExp(`project=${project?.id}`));
  const ofProject = await filesOf(page, app, "northgate", `project=${project?.id}`);
  await expect(grid(page)).toHaveAttribute("aria-rowcount", String(ofProject.meta.total_count + 1));
  await search(page).fill("no such file anywhere");
  await expect(page.getByRole("heading", { name: /^No match/ })).toBeVisible();
  await page.getByRole("button", { name: `Show all ${meta.total_count} files` }).click();
  await expect(grid(page)).toHaveAttribute("aria-rowcount", String(meta.total_count + 1));
});

test("opens a file and its page with every field by keyboard, and returns", async ({ page }) => {
  await beSignedIn(page, app);
  const { data } = await whole(page, app, "northgate");
  const file = data[1];
  if (file === undefined) throw new Error("northgate has files");
  await page.goto(`${app.address}/northgate/schedules?view=files`);
  await expect(names(page).first()).toHaveText(shownName(data[0]));
  // The page may not be hydrated yet: keys are replayed then.
  await page.keyboard.press("j");
  await expect(lines(page).first()).toBeFocused();
  // Returns to the same row after the focus was lost.
  await lines(page).first().blur();
  await expect(lines(page).first()).not.toBeFocused();
  await page.keyboard.press("j");
  await expect(lines(page).first()).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(lines(page).nth(1)).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${app.address}/northgate/schedules/${file.id}`);
  await expect(heading(page)).toContainText(shownName(file));
  const main = page.getByRole("main");
  for (const member of Object.keys(file)) await expect(main).toContainText(member);
  await expect(main).toContainText(`ID ${file.id}`);
  await page.goBack();
  await expect(page).toHaveURL(`${app.address}/northgate/schedules?view=files`);
});

test("shows the list's shortcuts on a key", async ({ page }) => {
  await signIn(page, app, "/northgate/schedules?view=files");
  await expect(names(page).first()).toBeVisible();
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(async () => {
    if (!(await keys.isVisible())) await page.keyboard.press("?");
    await expect(keys).toContainText("select the file, or clear its selection", { timeout: 2000 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
});

test("reports an unknown file, and a company without files", async ({ page }) => {
  await signIn(page, app, "/northgate/schedules/999999999");
  await expect(page.getByRole("heading", { name: "No schedule file 999999999" })).toBeVisible();
  await page.goto(`${app.address}/northgate/schedules/nothing`);
  await expect(page.getByRole("heading", { name: "No such schedule file" })).toBeVisible();
  await whole(page, app, "orchard");
  await page.goto(`${app.address}/orchard/schedules`);
  await expect(page.getByRole("heading", { name: "No schedule files" })).toBeVisible();
});

test("lists projects first, and opens the files of one", async ({ page }) => {
  await beSignedIn(page, app);
  const { meta } = await whole(page, app, "northgate");
  await page.goto(`${app.address}/northgate/schedules`);
  const { data, counts } = await projectsOf(page);
  const rows = projects(page).getByRole("rowheader");
  const known = data.filter(({ project }) => project !== null);
  expect(known.length).toBeGreaterThan(1);
  await expect(rows).toHaveText(known.map(({ project }) => project?.name ?? ""));
  await expect(page.getByRole("radio", { name: `Projects, ${known.length}` })).toBeChecked();
  await expect(page.getByRole("radio", { name: `Files, ${meta.total_count}` })).toBeVisible();
  await expect(
    page.getByText(`${counts.files_without_project} files in no project`).last(),
  ).toBeVisible();

  await page.getByRole("searchbox", { name: "Project", exact: true }).fill("tunnel");
  await expect(rows).toHaveText(["Harbour Tunnel"]);
  await expect(page).toHaveURL(/view=projects.*q=tunnel|q=tunnel.*view=projects/);
  await page.reload();
  await expect(rows).toHaveText(["Harbour Tunnel"]);
  await rows.first().getByRole("link").click();
  const tunnel = known.find(({ project }) => project?.name === "Harbour Tunnel");
  await expect(grid(page)).toHaveAttribute("aria-rowcount", String((tunnel?.files ?? 0) + 1));
  await expect(page.getByRole("button", { name: "Project: Harbour Tunnel" })).toBeVisible();
  await page.goBack();
  await expect(rows).toHaveText(["Harbour Tunnel"]);
});

test("opens files at addresses from before there were projects", async ({ page }) => {
  await signIn(page, app, "/northgate/schedules?q=tunnel&sort=name");
  await expect(names(page).first()).toContainText("Tunnel");
  await expect(search(page)).toHaveValue("tunnel");
  // Without filters, it stays the list of files.
  await page.getByRole("button", { name: "Uploaded" }).click();
  await search(page).fill("");
  await expect(page).toHaveURL(`${app.address}/northgate/schedules?view=files`);
  await expect(grid(page)).toBeVisible();
});

test("moves through projects by keyboard", async ({ page }) => {
  await signIn(page, app, "/northgate/schedules");
  const links = projects(page).getByRole("rowheader").getByRole("link");
  await expect(links.first()).toBeVisible();
  await page.keyboard.press("j");
  await expect(links.first()).toBeFocused();
  await page.keyboard.press("j");
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Project", exact: true })).toBeFocused();
});

test("names an integration, which is shown in projects and files", async ({ page }) => {
  const member = await addPerson(app, { name: "Mo", role: "member", company: "northgate" });
  await beSignedIn(page, app, member);
  await whole(page, app, "northgate");
  await page.goto(`${app.address}/northgate/schedules?view=projects&q=olav`);
  await page.getByRole("button", { name: "Name integration 903" }).click();
  const naming = page.getByRole("dialog", { name: "Integration 903" });
  await naming.getByRole("button", { name: "Save" }).click();
  await expect(naming.getByRole("alert")).toHaveText("Enter a name.");
  await expect(naming.getByLabel("Name")).toHaveAccessibleDescription("Enter a name.");
  await expect(naming.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
  await naming.getByLabel("Name").fill("Asta Bergen");
  await naming.getByRole("button", { name: "Save" }).click();
  await expect(naming).toBeHidden();
  await expect(
    page.getByRole("button", { name: "Name integration Asta Bergen (903)" }),
  ).toBeVisible();

  await page.goto(`${app.address}/northgate/schedules?integration=903`);
  await expect(lines(page).first()).toContainText("Asta Bergen (903)");
  await expect(
    page.getByRole("button", { name: "Integration: Integration Asta Bergen (903)" }),
  ).toBeVisible();
  await names(page).first().getByRole("link").click();
  await expect(page.getByRole("main")).toContainText("Asta Bergen (903)");

  const viewer = await addPerson(app, { name: "Vi", role: "viewer", company: "northgate" });
  await page.context().clearCookies();
  await beSignedIn(page, app, viewer);
  await page.goto(`${app.address}/northgate/schedules?view=projects&q=olav`);
  await expect(projects(page)).toContainText("Asta Bergen (903)");
  await expect(page.getByRole("button", { name: /^Name integration/ })).toHaveCount(0);
  const refused = await page.request.put(
    `${app.address}/api/companies/northgate/integrations/903`,
    { headers: { Origin: app.address }, data: { name: "Other" } },
  );
  expect(refused.status()).toBe(403);

  await page.context().clearCookies();
  await beSignedIn(page, app);
  await page.goto(`${app.address}/northgate/activity`);
  await expect(page.getByText("Named integration").first()).toBeVisible();
  await page.goto(`${app.address}/northgate/schedules?view=projects&q=olav`);
  await page.getByRole("button", { name: "Name integration Asta Bergen (903)" }).click();
  await page.getByRole("button", { name: "Remove name" }).click();
  await expect(page.getByRole("button", { name: "Name integration 903" })).toBeVisible();
});

test("selects all but the newest of each project", async ({ page }) => {
  await beSignedIn(page, app);
  await whole(page, app, "northgate");
  const { meta } = await filesOf(page, app, "northgate", "except_newest=3");
  const { counts } = await projectsOf(page);
  expect(meta.total_count).toBeGreaterThan(0);
  expect(meta.total_count).toBeLessThan(counts.files);
  await page.goto(`${app.address}/northgate/schedules?view=files`);
  await expect(names(page).first()).toBeVisible();
  await page.getByRole("button", { name: /^Versions:/ }).click();
  await page.getByRole("menuitemradio", { name: /All but the newest 3/ }).click();
  await page.keyboard.press("Escape");
  const selection = page.getByRole("region", { name: "Selection" });
  await expect(selection).toContainText(`All ${meta.total_count} matching`);
  await expect(page).toHaveURL(/except_newest=3/);
  await selection.getByRole("button", { name: `Delete ${meta.total_count} files` }).click();
  await expect(dialog(page)).toContainText(`${meta.total_count} files`);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Versions:/ }).click();
  await page.getByRole("menuitemradio", { name: "All versions" }).click();
  await expect(selection).toBeHidden();
});

test("fits a phone, with a deletion in every row", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await beSignedIn(page, app);
  await whole(page, app, "northgate");
  await page.goto(`${app.address}/northgate/schedules`);
  await expect(projects(page).getByRole("rowheader").first()).toBeVisible();
  expect(await sidewaysPx(page)).toBe(0);
  await page.getByRole("radio", { name: /^Files, / }).click();
  await expect(
    lines(page)
      .first()
      .getByRole("button", { name: /^Delete/ }),
  ).toBeInViewport();
  expect(await sidewaysPx(page)).toBe(0);
});

test("shows a viewer every file, and no deletion", async ({ page }) => {
  const viewer = await addPerson(app, { name: "Vi", role: "viewer", company: "northgate" });
  await beSignedIn(page, app, viewer);
  const { data } = await whole(page, app, "northgate");
  await page.goto(`${app.address}/northgate/schedules?view=files`);
  await expect(names(page).first()).toHaveText(shownName(data[0]));
  await expect(page.getByRole("button", { name: /delete/i })).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  const [file] = data;
  const refused = await page.request.post(`${app.address}/api/companies/northgate/deletions`, {
    headers: { "Idempotency-Key": crypto.randomUUID(), Origin: app.address },
    data: { files: [file] },
  });
  expect(refused.status()).toBe(403);
  await page.goto(`${app.address}/northgate/schedules/${file?.id}`);
  await expect(heading(page)).toContainText(shownName(file));
  await expect(page.getByRole("button", { name: /delete/i })).toHaveCount(0);
  const elsewhere = await page.request.get(`${app.address}/api/companies/harbour/schedule-files`);
  expect(elsewhere.status()).toBe(404);
});

test("passes accessibility checks of every form of the pages and dialogs", async ({ page }) => {
  await beSignedIn(page, app);
  const { data } = await whole(page, app, "northgate");
  const baselines = await filesOf(page, app, "northgate", "baseline=true");
  await page.goto(`${app.address}/northgate/schedules?view=files`);
  await expect(names(page).first()).toHaveText(shownName(data[0]));
  await expectNoViolationInAnyForm(page);

  await test.step("projects", async () => {
    await page.goto(`${app.address}/northgate/schedules`);
    await expect(projects(page)).toBeVisible();
    await expectNoViolationInAnyForm(page);
    await page.getByRole("button", { name: "Name integration 903" }).first().click();
    const naming = page.getByRole("dialog");
    await expectNoViolationInAnyForm(page, () => expect(naming).toBeVisible(), "[role=dialog]");
    await page.goto(`${app.address}/northgate/schedules?view=files`);
    await expect(names(page).first()).toHaveText(shownName(data[0]));
  });
  await test.step("a menu", async () => {
    await page.getByRole("button", { name: /^Project:/ }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expectNoViolationInAnyForm(
      page,
      () => expect(page.getByRole("menu")).toBeVisible(),
      "[role=menu]",
    );
    await page.keyboard.press("Escape");
  });
  await test.step("no results", async () => {
    await search(page).fill("no such file anywhere");
    await expect(page.getByRole("heading", { name: /^No match/ })).toBeVisible();
    await expectNoViolationInAnyForm(page);
    await search(page).fill("");
  });
  await test.step("several selected", async () => {
    await expect(names(page).first()).toHaveText(shownName(data[0]));
    for (const at of [0, 1]) await lines(page).nth(at).getByRole("checkbox").check();
    const selection = page.getByRole("region", { name: "Selection" });
    await expectNoViolationInAnyForm(page, () => expect(selection).toBeVisible());
    await page.getByRole("button", { name: "Delete 2 files" }).click();
    await expectNoViolationInAnyForm(page, () => expect(dialog(page)).toBeVisible(), DIALOG);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeHidden();
  });
  for (const file of [data.find((one) => !one.is_baseline), baselines.data[0]]) {
    await test.step(`a file, ${file?.is_baseline === true ? "baseline" : "ordinary"}`, async () => {
      await page.goto(`${app.address}/northgate/schedules/${file?.id}`);
      await expect(heading(page)).toContainText(shownName(file));
      await expectNoViolationInAnyForm(page);
      await page.getByRole("button", { name: /^Delete/ }).click();
      await expectNoViolationInAnyForm(page, () => expect(dialog(page)).toBeVisible(), DIALOG);
      await page.keyboard.press("Escape");
      await expect(dialog(page)).toBeHidden();
    });
  }
  for (const path of ["/northgate/schedules/999999999", "/orchard/schedules"]) {
    await page.goto(`${app.address}${path}`);
    await expect(heading(page)).toBeVisible();
    await expectNoViolationInAnyForm(page);
  }
});
