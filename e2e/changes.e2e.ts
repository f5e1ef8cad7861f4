import { expect, test, type Page } from "@playwright/test";
import { sinceText } from "@/components/changes/since";
import type { AllChangesView, ChangesView, LastLook } from "@/lib/contracts/changes";
import type { IncidentsView } from "@/lib/contracts/incidents";
import {
  addPerson,
  AMPLE_BUDGET,
  expectNoViolation,
  onRecord,
  PHONE,
  signIn,
  startApp,
  type App,
  sidewaysPx,
} from "./app";
import { TIME } from "./times";

let app: App;
test.beforeAll(async () => {
  app = await startApp({ V3_SERVICE: "demo", INCIDENT_OPEN_MINUTES: "0", ...AMPLE_BUDGET });
});
test.afterAll(() => app.end());

const read = async <T>(page: Page, path: string) =>
  (await (await page.request.get(`${app.address}/api${path}`)).json()) as T;
const line = (page: Page) =>
  page.getByRole("region", { name: "What changed" }).getByRole("button").first();
const list = (page: Page) => page.getByRole("table", { name: "What changed" });
const incidents = (page: Page, query = "") =>
  read<IncidentsView>(page, `/companies/northgate/incidents?state=open${query}`);

/** Waits until the first checks have opened the demo's incidents. */
const opened = (page: Page) =>
  expect.poll(async () => (await incidents(page)).counts.open).toBeGreaterThan(2);

/** Sets the last visits to Northgate and to the list of all companies. */
const lookedAt = (email: string, at: string) =>
  onRecord(app, ({ pool }) =>
    pool.query(
      `insert into last_looks (person_id, company, looked_at)
       select id, company, $2 from people, unnest(array['', 'northgate']) company where email = $1
       on conflict (person_id, company) do update set looked_at = excluded.looked_at`,
      [email, at],
    ),
  );

test("shows what changed since the last visit on the overview, and opens the list", async ({
  page,
}) => {
  const person = await addPerson(app, { name: "Mo Berg", role: "member", company: "northgate" });
  await signIn(page, app, "/northgate", person);
  await opened(page);
  const since = new Date(Date.now() - 2 * 24 * 3_600_000).toISOString();
  await lookedAt(person.email, since);
  await page.reload();
  await expect(line(page)).toHaveText(
    /^Since you last looked, \w{3} \d\d:\d\d: \d+ incidents? began/,
  );
  await expect(line(page)).toHaveAttribute("aria-expanded", "false");
  await line(page).click();
  const changes = await read<ChangesView>(page, `/companies/northgate/changes?since=${since}`);
  const first = changes.began.find(
    ({ state, acknowledged }) => state === "open" && acknowledged === null,
  );
  if (first === undefined) throw new Error("nothing began");
  const link = page.locator(`a[href$="/northgate/incidents/${first.id}"]`);
  const row = list(page).getByRole("row").filter({ has: link });
  await expect(row).toContainText("No one yet");
  const drawn = row.locator("i[data-verdict]");
  const verdicts = first.verdicts.flatMap(([, verdict]) => verdict ?? []);
  expect(
    await drawn.evaluateAll((bars) => bars.map((bar) => bar.getAttribute("data-verdict"))),
  ).toEqual(verdicts);
  await expect(page.getByText(`${changes.open_count} incidents open now.`)).toBeVisible();
  await expectNoViolation(page);
  await row.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/northgate/incidents/${first.id}$`));
});

test("stores a visit after ten visible seconds, per person and company", async ({ page }) => {
  const person = await addPerson(app, { name: "Vi Holm", role: "viewer", company: "northgate" });
  await page.clock.install();
  await signIn(page, app, "/northgate", person);
  await expect(line(page)).toHaveText(/^In the past 24 hours: /);
  const look = () => read<LastLook>(page, "/companies/northgate/last-look");
  // The clock also runs, and for seconds on a busy machine.
  await page.clock.fastForward(2000);
  expect((await look()).looked_at).toBeNull();
  const kept = page.waitForResponse(
    (answer) => answer.url().endsWith("/last-look") && answer.request().method() === "PUT",
  );
  await page.clock.fastForward(8500);
  expect((await kept).status()).toBe(200);
  const { looked_at: lookedAtFirst } = await look();
  expect(lookedAtFirst).not.toBeNull();
  // The page keeps its range; the next visit starts from here.
  await expect(line(page)).toHaveText(/^In the past 24 hours: /);
  await page.reload();
  await expect(line(page)).toHaveText(new RegExp(String.raw`^Since you last looked, ${TIME}: `));
  expect(Date.parse((await look()).looked_at ?? "")).toBeGreaterThanOrEqual(
    Date.parse(lookedAtFirst ?? ""),
  );
  expect((await read<LastLook>(page, "/me/last-look")).looked_at).toBeNull();
});

test("loads the changes at once on demand, and keeps the focus", async ({ page }) => {
  await signIn(page, app, "/northgate");
  const first = page.getByRole("button", { name: "What changed since you last looked" });
  await first.focus();
  await page.keyboard.press("Enter");
  await expect(line(page)).toHaveAttribute("aria-expanded", "true");
  await expect(line(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(line(page)).toHaveAttribute("aria-expanded", "false");
});

test("allows another start, and shares it as a link", async ({ page }) => {
  await signIn(page, app, "/northgate");
  await opened(page);
  await line(page).click();
  await page.getByRole("radio", { name: "17:00 yesterday" }).click();
  await expect(page).toHaveURL(/since=\d{4}-\d\d-\d\dT\d\d:00:00Z/);
  await expect(line(page)).toHaveText(/^Since \w{3} 17:00: /);
  await page.reload();
  await expect(line(page)).toHaveAttribute("aria-expanded", "true");
  await expect(line(page)).toHaveText(/^Since \w{3} 17:00: /);
  await expect(page.getByLabel("Since this time")).toHaveValue(/, 17:00$/);
  await page.getByLabel("Since this time").fill("1 Jan 2001, 10:00");
  await page.getByLabel("Since this time").press("Enter");
  await expect(line(page)).toContainText("Choose a past time");
  await page.getByRole("radio", { name: /^(?:Last looked|24 h)$/ }).click();
  await expect(page).not.toHaveURL(/since=/);
  await page.goto(`${app.address}/northgate?since=yesterday`);
  await expect(line(page)).toHaveText(/^(Since you last looked|In the past 24 hours)/);
});

test("sums up changes in the list of companies, with a link for each", async ({ page }) => {
  await signIn(page, app, "/companies");
  await opened(page);
  await expect(line(page)).toHaveText(/: \d+ incidents? began.* at \d+ customers?/);
  await line(page).click();
  const since = sinceText(Date.now() - 3_600_000);
  // A link from when that list was at /.
  await page.goto(`${app.address}/?since=${since}`);
  await expect(page).toHaveURL(/\/companies\?since=/);
  const lines = page.getByRole("table", { name: "Changes" }).getByRole("row");
  await expect(lines).not.toHaveCount(0);
  // The demo keeps running.
  await expect
    .poll(async () => {
      const { companies } = await read<AllChangesView>(page, `/changes?since=${since}`);
      return (await lines.count()) - 1 - companies.length;
    })
    .toBe(0);
  await expectNoViolation(page);
  await lines.filter({ hasText: "Northgate" }).getByRole("link").click();
  await expect(page).toHaveURL(/\/northgate\?since=/);
  await expect(line(page)).toHaveAttribute("aria-expanded", "true");
  await expect(line(page)).toHaveText(/^Since /);
});

test("counts unacknowledged incidents in the tab's title and icon on every page, and for viewers on the bell", async ({
  page,
  browser,
}) => {
  const person = await addPerson(app, { name: "Bo Ek", role: "member", company: "northgate" });
  const viewer = await addPerson(app, { name: "Io Lie", role: "viewer", company: "northgate" });
  const viewers = await browser.newPage();
  await signIn(page, app, "/northgate", person);
  await signIn(viewers, app, "/northgate", viewer);
  await opened(page);
  const bell = viewers.getByRole("link", { name: /^Unacknowledged incidents/ });
  const icon = page.locator('head link[rel="icon"][href^="data:image/svg+xml,"]');
  const counted = async () => (await incidents(page)).counts.unacknowledged;
  // The demo keeps running: its incidents start and end.
  const saysCount = (of: RegExp) =>
    expect
      .poll(async () => of.exec(await page.title())?.[1] === String(await counted()))
      .toBe(true);
  const bellSaysCount = () =>
    expect
      .poll(async () => (await bell.textContent()) === `Unacknowledged incidents${await counted()}`)
      .toBe(true);
  await page.reload();
  for (const path of ["/northgate", "/northgate/report", "/settings/me", "/northgate/incidents"]) {
    await page.goto(`${app.address}${path}`);
    await saysCount(/^\((\d+)\) [^(]/);
    await expect(icon).toHaveCount(1);
  }
  await bellSaysCount();
  const [first] = (await incidents(page, "&unacknowledged")).data;
  const done = await page.request.put(
    `${app.address}/api/companies/northgate/incidents/${first?.id}/acknowledgement`,
    { data: {}, headers: { origin: app.address } },
  );
  expect(done.status()).toBe(200);
  const left = (await incidents(page, "&unacknowledged")).data.map(({ id }) => id);
  expect(left).not.toContain(first?.id);
  await page.goto(`${app.address}/northgate`);
  await saysCount(/^\((\d+)\) Northgate/);
  await viewers.reload();
  await bellSaysCount();
  await bell.click();
  await expect(viewers).toHaveURL(/\/incidents\?show=unacknowledged$/);
  await expect(viewers.getByRole("button", { name: /Unacknowledged$/ })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("shows unavailable counts as unknown, never as none", async ({ page }) => {
  const viewer = await addPerson(app, { name: "Ed Lie", role: "viewer", company: "northgate" });
  await page.route(/\/api\/(companies\/northgate\/changes|.*incidents)/, (route) =>
    route.fulfill({ status: 503, json: { error: "unavailable" } }),
  );
  await signIn(page, app, "/northgate", viewer);
  await expect(line(page)).toHaveText("Couldn’t load what changed. Retrying automatically.");
  const bell = page.getByRole("link", { name: /^Unacknowledged incidents/ });
  await expect(bell).toHaveText("Unacknowledged incidents");
  await expect(page).toHaveTitle(/^Northgate/);
});

test("shows changes on a phone", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await signIn(page, app, "/companies");
  await opened(page);
  for (const path of ["/companies", "/northgate"]) {
    await page.goto(`${app.address}${path}`);
    await expect(line(page)).toHaveText(/: /);
    await line(page).click();
    await expect(page.getByRole("radiogroup", { name: "Since" })).toBeVisible();
    expect(await sidewaysPx(page)).toBe(0);
    await expectNoViolation(page);
  }
});
