import { expect, test, type Locator, type Page } from "@playwright/test";
import type { IncidentsView, IncidentView } from "@/lib/contracts/incidents";
import {
  addPerson,
  AMPLE_BUDGET,
  expectNoViolation,
  signIn,
  startApp,
  type App,
  shareMenu,
  sidewaysPx,
} from "./app";

let app: App;
test.beforeAll(async () => {
  app = await startApp({ V3_SERVICE: "demo", INCIDENT_OPEN_MINUTES: "0", ...AMPLE_BUDGET });
});
test.afterAll(() => app.end());

const someone = (role: "member" | "viewer", name: string) =>
  addPerson(app, { name, role, company: "northgate" });

const rows = (page: Page) => page.getByRole("table", { name: "Open incidents" }).getByRole("row");
const read = async (page: Page, path: string) =>
  (await (await page.request.get(`${app.address}/api${path}`)).json()) as IncidentsView;

/** Northgate's open incidents, worst first. */
const openNow = async (page: Page) =>
  (await read(page, "/companies/northgate/incidents")).data.filter(({ state }) => state === "open");

/** Northgate's worst open incident. */
async function worst(page: Page) {
  await expect
    .poll(async () => (await read(page, "/companies/northgate/incidents")).counts.open, {
      timeout: 45_000,
    })
    .toBeGreaterThan(2);
  const [first] = (await read(page, "/companies/northgate/incidents")).data;
  if (first === undefined) throw new Error("nothing is open");
  return first;
}

test("lists the demo's incidents, first in the server's HTML, and filters them by address", async ({
  page,
}) => {
  await signIn(page, app);
  const incident = await worst(page);
  const html = await (await page.request.get(`${app.address}/incidents`)).text();
  expect(html).toContain(incident.partner_name);
  await page.goto(`${app.address}/incidents`);
  await expect(page.getByRole("button", { name: "Unacknowledged" }).first()).toBeVisible();
  await expect(rows(page).filter({ hasText: incident.partner_name }).first()).toContainText(
    "No one yet",
  );
  await expectNoViolation(page);
  await page.getByRole("button", { name: /Stale$/ }).click();
  await expect(page).toHaveURL(/show=stale/);
  for (const row of (await rows(page).all()).slice(1)) await expect(row).toContainText("Stale");
  await page.reload();
  await expect(page.getByRole("button", { name: /Stale$/ })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.getByLabel("Filter incidents").fill("no such partner");
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(rows(page).nth(1)).toBeVisible();
});

test("dates a list without new responses until one arrives", async ({ page }) => {
  await signIn(page, app);
  await page.clock.install();
  await page.goto(`${app.address}/incidents`);
  await expect(rows(page).nth(1)).toBeVisible();
  const note = page.getByText(/^These are the incidents as they were at /);
  await expect(note).toBeHidden();
  // Every response has the server's time, which here differs from the page's.
  const listRequests = /\/api\/(?:incidents\?|companies$)/;
  await page.route(listRequests, (route) => route.abort());
  await page.clock.runFor(65_000);
  await expect(note).toBeVisible();
  await expectNoViolation(page);
  await page.unroute(listRequests);
  await page.clock.runFor(21_000);
  await expect(note).toBeHidden();
});

test("acknowledges, takes over and notes an incident, and shows the person on the overview", async ({
  page,
}) => {
  await signIn(page, app, "/northgate/incidents", await someone("member", "Mo Berg"));
  const { id, partner_name: partner, members } = await worst(page);
  await rows(page).filter({ hasText: partner }).getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/northgate/incidents/${id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(
    `${partner} has needed attention since`,
  );
  await expect(page.getByRole("table", { name: "Feeds of this incident" })).toContainText(
    members[0]?.endpoint_key ?? "",
  );
  await expect(page.getByRole("heading", { name: "What do I tell the customer?" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Us or them?" })).toBeVisible();
  await expectNoViolation(page);

  await page.getByLabel("Until").selectOption("4");
  await page.getByRole("button", { name: "I’m on it" }).click();
  const hands = page.getByRole("region", { name: "Acknowledged by", exact: true });
  await expect(hands).toContainText("Acknowledged by you since");
  const me = (await (await page.request.get(`${app.address}/api/me`)).json()) as {
    person: { id: string };
  };
  await page.getByLabel("Owner").selectOption(me.person.id);
  await page.getByLabel("Add a note for colleagues").fill("Called them.\nThey’ll wait until noon.");
  // A text that isn't saved yet outlasts its page.
  await page.reload();
  await expect(page.getByLabel("Add a note for colleagues")).toHaveValue(/until noon\.$/);
  await page.getByText("I told the customer").click();
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByLabel("Add a note for colleagues")).toHaveValue("");
  const timeline = page.getByRole("region", { name: /^Timeline/ });
  await expect(timeline.getByRole("listitem").first()).toContainText("told the customer");
  await expect(timeline).toContainText("took it over");
  await expect(timeline).toContainText("acknowledged it until");
  await timeline.getByRole("radio", { name: "People" }).click();
  await expect(timeline.getByRole("listitem")).toHaveCount(3);

  await page.goto(`${app.address}/northgate`);
  await expect(page.getByRole("row").filter({ hasText: partner }).first()).toContainText("You");
  await page
    .getByRole("link", { name: new RegExp("^Incident since.*You") })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/northgate/incidents/${id}$`));
  await page.getByRole("button", { name: "Unacknowledge" }).click();
  await expect(hands).toContainText("No one yet");
});

test("acknowledges by one key on the overview, undoes by one button, and reports lines without an incident", async ({
  page,
}) => {
  // So that every line is rendered.
  await page.setViewportSize({ width: 1440, height: 3000 });
  await signIn(page, app, "/northgate?group=partner", await someone("member", "Jo Aas"));
  const { partner_name: partner, members } = await worst(page);
  const groupOf = (name: string) =>
    page.getByRole("row").filter({
      has: page.getByRole("rowheader").getByRole("link", { name, exact: true }),
    });
  const group = groupOf(partner);
  await expect(group).toContainText(/Incident since.*No one yet/);
  const said = page.getByRole("status").filter({ hasText: /incident|on it/ });
  // The key is loaded a few seconds after the page, with the tab title.
  await page.evaluate(() => {
    document.title = "";
  });
  await expect(page).toHaveTitle(/Northgate/);

  await group.press("a");
  await expect(said).toContainText(`${partner}: you’re on it.`);
  await expect(group).toContainText(/Incident since.*You/);
  await expectNoViolation(page);
  const member = members.find(({ ended_at: ended }) => ended === null);
  await page
    .getByRole("row")
    .filter({ has: page.locator(`a[href*="/${member?.endpoint_id}"]`) })
    .press("a");
  await expect(said).toContainText(`${partner}: you’re already on it.`);
  const colleagues = (await openNow(page)).find(
    ({ acknowledged }) => acknowledged?.is_you === false,
  );
  await groupOf(colleagues?.partner_name ?? "").press("a");
  await expect(said).toContainText(`${colleagues?.acknowledged?.by} is already on it.`);
  await page.getByRole("row", { name: /Fresh/ }).first().press("a");
  await expect(said).toContainText("No open incident here.");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toContainText("acknowledge the open incident");
  await page.keyboard.press("Escape");

  const unacknowledged = (await openNow(page)).find(({ acknowledged }) => acknowledged === null);
  await groupOf(unacknowledged?.partner_name ?? "").press("a");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(said).toHaveCount(0);
  const mine = (await openNow(page)).filter(({ acknowledged }) => acknowledged?.is_you);
  expect(mine.map(({ partner_name: name }) => name)).toEqual([partner]);
});

test("takes at most the allowed number of clicks for each task from the list of companies", async ({
  page,
}) => {
  const lead = { name: "Ida Falk", role: "administrator", company: "northgate" } as const;
  await signIn(page, app, "/", await addPerson(app, lead));
  const incident = await worst(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  let presses = 0;
  const press = async (what: Locator) => {
    presses += 1;
    await what.click();
  };
  const northgate = page.getByRole("row").filter({
    has: page.getByRole("rowheader", { name: incident.company.name }),
  });
  /** Each task starts at the list; on a busy machine a customer may be out of sight for a moment. */
  const start = async () => {
    presses = 0;
    await page.goto(`${app.address}/companies`);
    await expect(northgate.getByRole("img", { name: /failing/ }).first()).toBeVisible();
  };

  // What needs attention, and since when.
  await start();
  // Of a day further back than a week, only the date.
  await expect(northgate.locator(".fleet-since")).toHaveText(/\d\d:\d\d$|^\w{3} \d+ \w{3}$/);
  expect(presses).toBe(0);

  // What got worse since yesterday.
  await press(page.getByRole("region", { name: "What changed" }).getByRole("button").first());
  await expect(
    page.getByRole("table", { name: "Changes" }).getByRole("row").filter({ hasText: "began" }),
  ).not.toHaveCount(0);
  await expect(page.getByRole("region", { name: "What changed" })).toContainText(
    "In the past 24 hours",
  );
  expect(presses).toBe(1);

  // The evening's state, for the next shift.
  await start();
  await press(page.getByRole("button", { name: "Share", exact: true }));
  await press(page.getByRole("button", { name: "Copy for chat" }));
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeAttached();
  expect(await copied()).toContain(incident.company.name);
  expect(await copied()).toContain(", as of ");
  expect(presses).toBe(2);

  // Acknowledge, with a reason.
  await start();
  await press(northgate.getByRole("link", { name: /unacknowledged/ }));
  // The linked incident may change under the click: the demo keeps running.
  await expect(page).toHaveURL(/\/northgate\/incidents\/\d+$/);
  const unacknowledged = (await openNow(page)).filter(({ acknowledged }) => acknowledged === null);
  const led = unacknowledged.find(({ id }) => page.url().endsWith(`/${id}`));
  expect(led?.verdict).toBe(unacknowledged[0]?.verdict);
  await press(page.getByRole("button", { name: /^I’m on it/ }));
  await expect(page.getByLabel("Add a note for colleagues")).toBeFocused();
  await page.keyboard.type("Asked their support, ticket 88213.");
  await page.keyboard.press("ControlOrMeta+Enter");
  const timeline = page.getByRole("region", { name: /^Timeline/ });
  await expect(timeline).toContainText("“Asked their support, ticket 88213.”");
  await expect(timeline).toContainText("acknowledged it");
  expect(presses).toBe(2);

  // What to tell the customer.
  await start();
  await press(northgate.getByRole("link", { name: /acknowledged/ }));
  await expect(page).toHaveURL(/\/northgate\/incidents\/\d+$/);
  const tell = page.getByRole("region", { name: "What do I tell the customer?" });
  await press(page.getByRole("button", { name: "Share", exact: true }));
  await press(page.getByRole("button", { name: "Copy paragraph" }));
  await expect
    .poll(async () => (await copied()) === (await tell.getByRole("blockquote").textContent()))
    .toBe(true);
  expect(presses).toBe(3);
});

test("sets a company's owner, and hands it with its incidents to a colleague until a morning", async ({
  page,
}) => {
  await addPerson(app, { name: "Kim Ruud", role: "member", company: "northgate" });
  await signIn(page, app, "/northgate/incidents", await someone("member", "Siv Moe"));
  const { id, company } = await worst(page);
  await page.getByLabel("Customer’s owner").selectOption({ label: "Siv Moe" });
  const incident = `/companies/${company.slug}/incidents/${id}`;
  const { person } = (await (await page.request.get(`${app.address}/api/me`)).json()) as {
    person: { id: string };
  };
  const taken = await page.request.put(`${app.address}/api${incident}/owner`, {
    headers: { origin: app.address },
    data: { person: person.id },
  });
  expect(taken.ok()).toBe(true);
  const list = await page.request.get(
    `${app.address}/api/companies/${company.slug}/incidents?state=open&per_page=100`,
  );
  const { data } = (await list.json()) as { data: { owner: { id: string } | null }[] };
  const open = data.filter(({ owner }) => owner === null || owner.id === person.id).length;
  await page.getByRole("button", { name: "Hand over" }).click();
  const dialog = page.getByRole("dialog", { name: "Hand over to a colleague" });
  await expect(dialog.getByRole("checkbox")).toBeChecked();
  await dialog.getByLabel("To").selectOption({ label: "Kim Ruud" });
  await expect(dialog).toContainText("Everything comes back to you automatically on");
  await expectNoViolation(page);
  await dialog.getByRole("button", { name: "Hand over" }).click();
  const done = page.getByRole("dialog", { name: "Handed over" });
  // Incidents without another owner are handed over with their company.
  await expect(done).toContainText(
    `Kim Ruud has 1 customer and ${open === 1 ? "1 open incident" : `${open} open incidents`} of yours until`,
  );
  await done.getByRole("button", { name: "Close" }).click();
  await expect(page.getByText(/Kim Ruud is covering until/)).toBeVisible();
  await page.goto(`${app.address}/${company.slug}/incidents/${id}`);
  await expect(page.getByRole("region", { name: /^Timeline/ })).toContainText(
    /handed it to Kim Ruud until/,
  );
  await expect(page.getByLabel("Owner").locator("option:checked")).toHaveText("Kim Ruud");
});

test("is read-only for a viewer, and returns 404 for a missing incident", async ({ page }) => {
  await signIn(page, app, "/", await someone("viewer", "Vi Holm"));
  const { id } = await worst(page);
  await page.goto(`${app.address}/northgate/incidents/${id}`);
  await expect(page.getByText("Members can acknowledge incidents and add notes.")).toBeVisible();
  await expect(page.getByRole("button", { name: "I’m on it" })).toHaveCount(0);

  // The overview neither offers the key nor reacts to it.
  await page.goto(`${app.address}/northgate`);
  const keys = page.getByRole("group", { name: "Keyboard shortcuts" });
  await expect(keys).toContainText("tell customer");
  await expect(keys).not.toContainText("I’m on it");
  const acts: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") acts.push(request.url());
  });
  await page.locator("[data-line^='row:']").first().focus();
  await page.keyboard.press("a");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help).toContainText("tell the customer");
  await expect(help).not.toContainText("acknowledge");
  expect(acts.filter((url) => url.includes("acknowledgement"))).toEqual([]);
  const missing = await page.goto(`${app.address}/northgate/incidents/999999`);
  expect(missing?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "No such incident" })).toBeVisible();
});

test("shows the list and an incident on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, app, "/incidents");
  const { id } = await worst(page);
  for (const path of ["/incidents", `/northgate/incidents/${id}`]) {
    await page.goto(`${app.address}${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
    expect(await sidewaysPx(page)).toBe(0);
    await expectNoViolation(page);
  }
});

test("shows how an incident's feeds recovered in full on a phone, and its times in two lines at most", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, app, "/incidents");
  const { id } = await worst(page);
  const path = `/companies/northgate/incidents/${id}`;
  const answer = await page.request.get(`${app.address}/api${path}`);
  const incident = (await answer.json()) as IncidentView;
  const [began, over] = ["2025-08-31T16:13:00Z", "2025-09-01T04:29:00Z"];
  const ended: IncidentView = {
    ...incident,
    state: "ended",
    began_at: began,
    ended_at: over,
    ending: "recovered",
    verdict: null,
    members: incident.members.map((member) => ({
      ...member,
      began_at: began,
      ended_at: over,
      ending: "data_received",
      received_at: over,
    })),
    timeline: incident.timeline.map((event) => ({ ...event, at: over })),
  };
  await page.route(`**/api${path}`, (route) => route.fulfill({ json: ended }));
  await page.goto(`${app.address}/northgate/incidents/${id}`);
  const text = page
    .getByRole("table", { name: "Feeds of this incident" })
    .getByText(/needed attention from/i);
  await expect(text.first()).toBeVisible({ timeout: 45_000 });
  const hidden = await text.evaluateAll((all) =>
    all.map((one) => {
      const row = one.closest("[role=row]")?.getBoundingClientRect();
      const below = one.getBoundingClientRect().bottom - (row?.bottom ?? 0);
      return Math.max(one.scrollWidth - one.clientWidth, below);
    }),
  );
  expect(Math.max(...hidden)).toBeLessThanOrEqual(0);
  const times = page.getByRole("region", { name: /^Timeline/ }).locator("time");
  const lines = await times.evaluateAll((all) =>
    all.map((time) => {
      const range = document.createRange();
      range.selectNodeContents(time);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    }),
  );
  expect(Math.max(...lines)).toBeLessThanOrEqual(2);
});

test("shares a list with its filter and its date, as it is when it is opened", async ({ page }) => {
  const address = "/northgate/incidents?show=unacknowledged";
  await signIn(page, app, address, await someone("viewer", "Io Ek"));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const menu = await shareMenu(page);
  await expect(menu.getByRole("heading")).toHaveText(["With a colleague"]);
  await expect(menu).toContainText("as it is when they open it");
  await expectNoViolation(page);
  await menu.getByRole("button", { name: "Copy for chat" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(
      /^Incidents · .+ · Unacknowledged: (\d+|none) of \d+ open incidents?.*, as of .+\n\S+\/northgate\/incidents\?show=unacknowledged$/,
    );
});

test("shares an incident with a stranger who sees nothing else, on a phone and without scripts", async ({
  page,
  browser,
}) => {
  await signIn(page, app, "/northgate/incidents", await someone("member", "Siv Moe"));
  const { id, partner_name: partner, members } = await worst(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${app.address}/northgate/incidents/${id}`);
  const menu = await shareMenu(page);
  await menu.getByRole("button", { name: "Copy for chat" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeAttached();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`${partner} · `);
  expect(copied).toMatch(
    new RegExp(
      `, incident ${id}: .+, as of .+\\n${app.address}/northgate/incidents/${id}\\?at=[^\\s]+$`,
    ),
  );
  await menu.getByRole("button", { name: "Create a share link…" }).click();
  await expect(page.getByRole("dialog")).toContainText("no other incidents");
  await page.getByRole("button", { name: "Create and copy link" }).click();
  const address = page.getByRole("textbox", { name: "Share link" });
  await expect(address).toHaveValue(/\/s\/[\w-]{33}$/);
  const url = await address.inputValue();

  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({
      javaScriptEnabled,
      viewport: { width: 390, height: 844 },
    });
    const stranger = await context.newPage();
    await stranger.goto(url);
    await expect(stranger.locator("h1")).toContainText(`${partner} has needed attention since`);
    await expect(stranger.locator("tbody tr")).toHaveCount(members.length);
    await expect(stranger.locator("thead")).toContainText("Then, ");
    await expect(stranger.locator("body")).toContainText("Shared by Siv Moe");
    await expect(stranger.locator("a")).toHaveCount(0);
    if (javaScriptEnabled) {
      await expectNoViolation(stranger);
      expect(await sidewaysPx(stranger)).toBe(0);
    }
    await context.close();
  }

  await page.goto(`${app.address}/settings/links`);
  const row = page.getByRole("row").filter({ hasText: `${partner}, incident ${id}` });
  await row.getByRole("button", { name: `Revoke: ${partner}, incident ${id}` }).click();
  await page.getByRole("button", { name: "Revoke link" }).click();
  await expect(row).toContainText("Revoked");
  expect((await fetch(url)).status).toBe(410);
});
