import { expect, test, type Page } from "@playwright/test";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import { AMPLE_BUDGET, beSignedIn, startApp, syncStatus, type App } from "./app";

const PARTNER = "Oracle Unifier";
const SCRIPTS = "**/_next/static/**/*.js";
/** Of a page of its own kind; more is a jump that readers notice. */
const MAX_SHIFT = 0.02;
const SLOW_CPU = 4;

let app: App;
test.beforeAll(async () => {
  app = await startApp({
    V3_SERVICE: "demo",
    INCIDENT_OPEN_MINUTES: "0",
    ...AMPLE_BUDGET,
    // On a busy machine data of one second would soon count as delayed, and that is said on the page.
    V3_POLL_SECONDS: "10",
  });
});
test.afterAll(async () => {
  await app.end();
});

/** Opens a page whose scripts don't arrive until `arrive` is called. */
async function openUnhydrated(page: Page, path: string): Promise<{ arrive: () => void }> {
  await beSignedIn(page, app);
  await expect
    .poll(async () => (await syncStatus(page, app, "northgate")).source.confidence, {
      timeout: 60_000,
    })
    .toBe("live");
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(SCRIPTS, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(app.address + path, { waitUntil: "commit" });
  return { arrive: () => arrive() };
}

const waiting = (page: Page) => page.locator("[data-early]");

test.describe("a press before hydration", () => {
  test("on a filter filters, in order", async ({ page }) => {
    const { arrive } = await openUnhydrated(page, "/northgate");
    const failing = page.getByRole("button", { name: /^\d+ failing$/ });
    await failing.click();
    await expect(waiting(page)).toHaveCount(1);
    await expect(failing).toHaveAttribute("aria-busy", "true");
    arrive();
    await expect(failing).toHaveAttribute("aria-pressed", "true");
    await expect(page).toHaveURL(/verdict=failing/);
    await expect(waiting(page)).toHaveCount(0);
    await expect(failing).not.toHaveAttribute("aria-busy");
  });

  test("on a button with a popup opens it: inbox, account, ledger", async ({ page }) => {
    for (const name of [/^Inbox/, /^Your account/, /^Live,/]) {
      const { arrive } = await openUnhydrated(page, "/northgate");
      await page.getByRole("button", { name }).click();
      arrive();
      await expect(page.locator(".top-bar [aria-expanded=true]")).toHaveCount(1);
    }
  });

  test("on a link follows it", async ({ page }) => {
    const { arrive } = await openUnhydrated(page, "/northgate");
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: "Report" })
      .click();
    arrive();
    await expect(page).toHaveURL(/\/northgate\/report$/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });

  test("on a row opens its feed, without waiting for hydration", async ({ page }) => {
    await openUnhydrated(page, "/northgate");
    await page.locator("[data-line^='row:']").first().locator(".cell-age").click();
    await expect(page).toHaveURL(/\/northgate\/partners\/[^/]+\/[^/]+$/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });

  test("on the search opens it, with what is typed", async ({ page }) => {
    const { arrive } = await openUnhydrated(page, "/northgate");
    await expect(page.getByRole("button", { name: /^Find partner/ })).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("acon");
    arrive();
    await expect(page.getByRole("combobox")).toHaveValue("acon");
  });

  test("of the keys of a list moves in it", async ({ page }) => {
    const { arrive } = await openUnhydrated(page, "/northgate");
    await expect(page.getByRole("grid").getByRole("row").nth(1)).toBeVisible();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    arrive();
    await expect(page.locator("[data-line]:focus")).toHaveCount(1);
  });

  test("on a partner of the report opens it", async ({ page }) => {
    await beSignedIn(page, app);
    const report = async () => (await page.request.get(`${app.address}/northgate/report`)).text();
    // The demo's past is written after its start.
    await expect
      .poll(async () => (await report()).includes('role="table"'), { timeout: 240_000 })
      .toBe(true);
    const partner = page.getByRole("table").getByRole("button").first();
    let arrive = () => {};
    // On a busy machine the report may come after the page, which then needs its scripts.
    await expect(async () => {
      ({ arrive } = await openUnhydrated(page, "/northgate/report"));
      await expect(partner).toBeVisible();
    }).toPass();
    await partner.click();
    arrive();
    await expect(partner).toHaveAttribute("aria-expanded", "true");
  });

  test("on a partner of the overview expands it, before all its feeds have come", async ({
    page,
  }) => {
    const { arrive } = await openUnhydrated(page, "/northgate");
    let respond = () => {};
    const responds = new Promise<void>((resolve) => (respond = resolve));
    await page.route("**/sync-status", async (route) => {
      await responds;
      await route.continue();
    });
    const partner = page.getByRole("grid").locator("button[aria-expanded]").last();
    const name = (await partner.getAttribute("aria-label")) ?? "";
    const lines = page.locator("[data-line]");
    const before = await lines.count();
    await partner.click();
    arrive();
    const opened = page.getByRole("grid").locator("button[aria-expanded=true]");
    await expect(opened).toHaveCount(1);
    await expect(opened).not.toHaveAttribute("aria-label", name);
    expect(await lines.count()).toBe(before);
    respond();
    await expect.poll(() => lines.count()).toBeGreaterThan(before);
  });

  test("on an act waits, and acts once", async ({ page }) => {
    const { arrive } = await openUnhydrated(page, "/");
    const act = page.locator("[data-act]").first();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/acknowledgement")) sent.push(request.method());
    });
    await act.click();
    await expect(act).toHaveAttribute("aria-busy", "true");
    expect(sent).toEqual([]);
    const done = page.waitForResponse("**/acknowledgement");
    arrive();
    expect((await done).ok()).toBe(true);
    expect(sent).toEqual(["PUT"]);
  });

  test("on an act is dropped with a word where its row has changed", async ({ page }) => {
    const { arrive } = await openUnhydrated(page, "/");
    const act = page.locator("[data-act]").first();
    await act.click();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/acknowledgement")) sent.push(request.method());
    });
    // As if another person had taken it before the page was hydrated.
    await act.evaluate((element) => element.setAttribute("data-act", "taken"));
    arrive();
    await expect(
      page.getByRole("alert").filter({ hasText: "The button you pressed changed while" }),
    ).toBeVisible();
    expect(sent).toEqual([]);
  });
});

test("sends a script of at most 1 kB to keep presses", async ({ page }) => {
  await beSignedIn(page, app);
  const html = await (await page.request.get(`${app.address}/northgate`)).text();
  const scripts = [...html.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(
    ([, text]) => text ?? "",
  );
  const script = scripts.find((text) => text.includes('"takeEarlyPresses"')) ?? "";
  expect(script.length).toBeGreaterThan(300);
  expect(script.length).toBeLessThanOrEqual(1000);
  // Before the page's first content.
  expect(html.indexOf(script)).toBeLessThan(html.indexOf("<header"));
});

test("moves nothing on any page as its data arrives, at any width", async ({ browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await beSignedIn(page, app);
  const { rows } = await syncStatus(page, app, "northgate");
  const row = rows.find(({ partner_name: name }) => name === PARTNER);
  if (row === undefined) throw new Error("no row");
  const incidents = await page.request.get(`${app.address}/api/companies/northgate/incidents`);
  const [incident] = ((await incidents.json()) as { data: { id: number }[] }).data;
  const listed = await page.request.get(`${app.address}/api/companies/northgate/schedule-files`);
  const [file] = ((await listed.json()) as { data: { id: string }[] }).data;
  await recordShifts(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_CPU });
  const settings = ["people", "activity", "alerts", "channels", "connections", "displays"];
  const paths = [
    "/",
    "/companies",
    "/incidents",
    "/partners",
    "/partners/Procore",
    "/northgate",
    partnerPath("northgate", PARTNER),
    endpointPath("northgate", PARTNER, row.id),
    "/northgate/incidents",
    `/northgate/incidents/${incident?.id ?? 1}`,
    "/northgate/promises",
    "/northgate/report",
    "/northgate/api-calls",
    "/northgate/schedules",
    "/northgate/schedules?view=files",
    `/northgate/schedules/${file?.id ?? ""}`,
    "/northgate/activity",
    "/wall",
    ...[...settings, "links", "me", "rules"].map((name) => `/settings/${name}`),
  ];
  for (const { width, height, shown } of [
    { width: 1440, height: 900, shown: paths },
    { width: 390, height: 844, shown: paths },
    { width: 1920, height: 1080, shown: ["/wall", "/northgate/wall"] },
  ]) {
    await page.setViewportSize({ width, height });
    for (const path of shown) {
      // Incidents may open meanwhile; what moves on every visit is a defect.
      let shifts = await shiftsOf(page, path);
      for (let again = 1; again <= 2 && sumOf(shifts) > MAX_SHIFT; again += 1)
        shifts = await shiftsOf(page, path);
      expect
        .soft(sumOf(shifts), `${width} ${path}: ${JSON.stringify(shifts)}`)
        .toBeLessThanOrEqual(MAX_SHIFT);
    }
  }
  await context.close();
});

/** A headline that says how promises stand: it depends on the time of day. */
const SAYS_HOW = /^(?!Promises$)./;

test("moves no promise, whichever of its answers comes last", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await beSignedIn(page, app);
  await recordShifts(page);
  const apiOf = (name: string) => new RegExp(`/api/companies/northgate/${name}([?]|$)`);
  const listed = async () =>
    (await page.request.get(`${app.address}/api/companies/northgate/promises`)).text();
  // The demo's promises are written after its start.
  await expect.poll(listed, { timeout: 240_000 }).toContain('"by"');
  const headline = page.getByRole("heading", { level: 1 });
  const promises = page.getByRole("main").locator("tbody tr");
  const answers = [
    { last: "sync-status", shownBefore: false },
    { last: "promises", shownBefore: false },
    { last: "promises/kept", shownBefore: true },
  ];
  for (const { last, shownBefore } of answers) {
    const route = apiOf(last);
    let respond = () => {};
    const responds = new Promise<void>((resolve) => (respond = resolve));
    const held = page.waitForRequest(route);
    await page.route(route, async (request) => {
      await responds;
      await request.continue();
    });
    const others = answers
      .filter((other) => other.last !== last)
      .map((other) => page.waitForResponse(apiOf(other.last)));
    await page.goto(`${app.address}/northgate/promises`, { waitUntil: "commit" });
    await Promise.all([held, ...others]);
    // Without the rows nothing may be said of where promises stand, not even that there are three.
    await expect(headline).toHaveText(shownBefore ? SAYS_HOW : "Promises");
    await expect(promises).toHaveCount(shownBefore ? 3 : 0);
    respond();
    await expect(headline).toHaveText(SAYS_HOW);
    await expect(promises.first().getByText(/of \d+ kept|no days counted yet/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Share" })).toBeVisible();
    const shifts = await shiftsNow(page);
    expect(sumOf(shifts), `${last}: ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(MAX_SHIFT);
    await page.unroute(route);
  }
  await context.close();
});

type Shift = { value: number; of: string };

/** Records the layout shifts of each page in its `layoutShifts`. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Reflect.set(window, "layoutShifts", shifts);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null }[];
      })[]) {
        const [first] = entry.sources;
        const of = first?.node?.textContent?.slice(0, 60) ?? "";
        if (!entry.hadRecentInput) shifts.push({ value: entry.value, of });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Layout shifts of a visit. */
async function shiftsOf(page: Page, path: string): Promise<Shift[]> {
  await page.goto(app.address + path, { waitUntil: "networkidle" });
  return shiftsNow(page);
}

const shiftsNow = (page: Page) =>
  page.evaluate(() => Reflect.get(window, "layoutShifts") as Shift[]);

const sumOf = (shifts: readonly Shift[]) => shifts.reduce((sum, { value }) => sum + value, 0);
