import { expect, test } from "@playwright/test";
import type { IncidentsView } from "@/lib/contracts/incidents";
import { addPerson, AMPLE_BUDGET, expectNoViolation, signIn, startApp, type App } from "./app";

let app: App;
test.beforeAll(async () => {
  app = await startApp({ V3_SERVICE: "demo", INCIDENT_OPEN_MINUTES: "0", ...AMPLE_BUDGET });
});
test.afterAll(() => app.end());

test("shows a planned quiet time beside the verdict, ends its incident as expected, and is ended early", async ({
  page,
  browser,
}) => {
  const mo = await addPerson(app, { name: "Mo Berg", role: "member", company: "northgate" });
  await signIn(page, app, "/northgate/incidents", mo);
  const open = async () => {
    const answer = await page.request.get(`${app.address}/api/companies/northgate/incidents`);
    return ((await answer.json()) as IncidentsView).data.filter(({ state }) => state === "open");
  };
  await expect.poll(async () => (await open()).length).toBeGreaterThan(0);
  const [incident] = await open();
  const partner = incident?.partner_name ?? "";
  const quiet = page.getByRole("table", { name: "Planned quiet times" });
  await expect(quiet.getByRole("button", { name: `End now: ${partner}` })).toHaveCount(0);

  await page.goto(`${app.address}/northgate/partners/${encodeURIComponent(partner)}`);
  const heading = page.getByRole("heading", { level: 1 });
  // On a busy machine missed checks briefly show the past tense.
  await expect(heading).not.toContainText(/^At /);
  const headline = await heading.textContent();
  // Its age keeps counting.
  const judged = headline?.replace(/, [^,]* old$/, "") ?? "";
  await page.getByRole("button", { name: "Plan a quiet time" }).click();
  const dialog = page.getByRole("dialog", { name: "Plan a quiet time" });
  await expect(dialog.getByLabel("Applies to")).toHaveValue("0");
  await expectNoViolation(page);
  await dialog.getByRole("radio", { name: "Every week" }).click();
  await expectNoViolation(page);
  await dialog.getByLabel("From").fill("7");
  await dialog.getByLabel("Until").fill("24:00");
  await expect(dialog.getByLabel("From")).toHaveValue("07:00");
  for (const day of ["Sat", "Sun"]) await dialog.getByText(day, { exact: true }).click();
  await dialog.getByLabel("Reason").fill("ERP upgrade");
  await dialog.getByRole("button", { name: "Plan", exact: true }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Choose a day.");
  await dialog.getByRole("radio", { name: "Once" }).click();
  await expect(dialog).not.toContainText("Choose a day.");
  await expect(dialog).not.toContainText("It starts now");
  await dialog.getByLabel("From").fill("1 Jan 2026, 07:00");
  await dialog.getByLabel("From").press("Tab");
  await expect(dialog).toContainText("It starts now: time that has passed can’t be made quiet.");
  await dialog.getByRole("button", { name: "Plan", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/^Planned quiet until .*: ERP upgrade, You$/)).toBeVisible();
  await expect(heading).toContainText(judged);
  await expectNoViolation(page);

  await expect
    .poll(async () => {
      const now = (await open()).find(({ id }) => id === incident?.id);
      return now?.members.every(({ ending }) => ending === "expected") ?? true;
    })
    .toBe(true);
  await page.goto(`${app.address}/northgate`);
  await expect(page.getByTitle(/^Planned quiet until .*: ERP upgrade, You$/).first()).toBeVisible();

  const viewer = await addPerson(app, { name: "Vi Holm", role: "viewer", company: "northgate" });
  const other = await (await browser.newContext()).newPage();
  await signIn(other, app, "/northgate/incidents", viewer);
  const seen = other.getByRole("table", { name: "Planned quiet times" });
  await expect(seen.getByRole("row").nth(1)).toContainText("Mo Berg");
  await expect(other.getByRole("button", { name: /^End now|^Plan a quiet/ })).toHaveCount(0);
  await other.context().close();

  await page.goto(`${app.address}/northgate/incidents`);
  await expect(quiet.getByRole("row").nth(1)).toContainText("ERP upgrade");
  await expectNoViolation(page);
  const asked = page.getByRole("alertdialog", { name: `End the quiet time now: ${partner}?` });
  await quiet.getByRole("button", { name: `End now: ${partner}` }).click();
  await expect(asked).toContainText("planned by you: ERP upgrade");
  await expect(asked).toContainText("Incidents can open again right away.");
  await expectNoViolation(page);
  await asked.getByRole("button", { name: "Keep quiet time" }).click();
  await expect(asked).toBeHidden();
  await quiet.getByRole("button", { name: `End now: ${partner}` }).click();
  await asked.getByRole("button", { name: "End quiet time" }).click();
  await expect(quiet.getByRole("button", { name: `End now: ${partner}` })).toHaveCount(0);
});
