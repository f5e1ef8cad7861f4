import { expect, test, type Browser, type Page } from "@playwright/test";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { ServedSyncStatus } from "@/lib/contracts/v3";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import {
  ADMIN,
  beSignedIn,
  connectedTo,
  expectNoViolation,
  expectNoViolationInAnyForm,
  startApp,
  type App,
  shareMenu,
} from "./app";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";
import { AT_TIME, TIME } from "./times";

/** Names that could be misinterpreted in a path, a query, a page or a header. */
const STRANGE = [
  "a/b",
  "..",
  ".",
  "~x",
  "~..",
  "100%",
  "%2F",
  "<b>",
  "a & b",
  "a?b=c#d",
  "日本語",
  "عربي",
  "with space ",
  "a\\b",
  "+",
] as const;
const LATE = "late_one";

let upstream: MisbehavingUpstream;
let app: App;

function rows(): ServedSyncStatus[] {
  const nowMs = Date.now();
  const at = (minutes: number) => new Date(nowMs + minutes * 60_000).toISOString();
  const [sample] = sampleRows(1, nowMs);
  if (sample === undefined) throw new Error("no sample row");
  const procore = (endpoint_key: string, change: Partial<ServedSyncStatus["attributes"]> = {}) => ({
    ...sample,
    id: `id of ${endpoint_key}`,
    attributes: { ...sample.attributes, partner_name: "Procore", endpoint_key, ...change },
  });
  const strange = STRANGE.map((partner_name, index) => ({
    ...sample,
    // Ids are as unrestricted as names.
    id: `${partner_name}#${index}`,
    attributes: { ...sample.attributes, partner_name, endpoint_key: `key-${index}` },
  }));
  return [
    procore("fresh_one"),
    procore(LATE, {
      last_updated_at: at(-130),
      next_sync_at: at(13),
      last_sync_status: "timed_out",
      last_sync_started_at: at(-20),
      last_sync_finished_at: at(-10),
      last_sync_duration_seconds: 600,
      frequency_minutes: 60,
    }),
    procore("webhook_one", { status: "webhook", frequency_minutes: null, next_sync_at: null }),
    ...strange,
  ];
}

test.beforeAll(async () => {
  upstream = await startMisbehavingUpstream({ rows: rows() });
  app = await startApp({
    ...connectedTo(upstream),
    V3_POLL_SECONDS: "1",
    V3_REQUESTS_PER_MINUTE: "6000",
  });
});
test.afterAll(async () => {
  await app.end();
  await upstream.close();
});

const partnerAddress = (name: string) => `${app.address}${partnerPath("main", name)}`;
const lateAddress = () => `${app.address}${endpointPath("main", "Procore", `id of ${LATE}`)}`;

/** Signs in, and waits until everything has been read. */
async function signInAndWait(page: Page): Promise<void> {
  await beSignedIn(page, app);
  await expect
    .poll(async () => {
      const answer = await page.request.get(`${app.address}/api/companies/main/sync-status`);
      return ((await answer.json()) as SyncStatusView).rows.length;
    })
    .toBe(rows().length);
}

/** Heading in the server's HTML. */
function headingOf(html: string): string {
  const inside = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? "";
  return inside
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

test("gives every strange partner and endpoint name its own address", async ({ page }) => {
  await signInAndWait(page);
  for (const [index, name] of STRANGE.entries()) {
    const said = async (path: string) => {
      const address = `${app.address}${path}`;
      // No browser normalises it to another one.
      expect(new URL(address).pathname).toBe(path);
      const answer = await page.request.get(address, { maxRedirects: 0 });
      expect([path, answer.status()]).toEqual([path, 200]);
      return answer.text();
    };
    const html = await said(partnerPath("main", name));
    expect(headingOf(html)).toContain(name.trim());
    expect(html).toContain(`key-${index}`);
    const endpoint = await said(endpointPath("main", name, `${name}#${index}`));
    expect(headingOf(endpoint)).toContain(`key-${index}`);
  }
});

for (const name of ["..", "%2F", "100%"] as const) {
  test(`opens the page of the partner ${name} by its address, and its endpoint`, async ({
    page,
  }) => {
    await signInAndWait(page);
    const index = STRANGE.indexOf(name);
    await page.goto(partnerAddress(name));
    await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toContainText(name);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
    await expect(page.getByRole("grid").getByText(`key-${index}`)).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(partnerPath("main", name));
    await page.goto(`${app.address}${endpointPath("main", name, `${name}#${index}`)}`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`key-${index}`);
  });
}

test("leads from the overview to the endpoint by links, and back", async ({ page }) => {
  await signInAndWait(page);
  await page.goto(`${app.address}/main`);
  await page.getByRole("grid").getByRole("link", { name: LATE }).click();
  await expect(page).toHaveURL(lateAddress());
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`Procore / ${LATE}`);
  await expect(page).toHaveTitle(titled(`[A-Z][a-z]+: Procore / ${LATE} · `));
  const tabs = page.getByRole("navigation", { name: "Pages" });
  await expect(tabs.locator("[aria-current]")).toHaveText("Overview");
  await page
    .getByRole("navigation", { name: "Breadcrumb" })
    .getByRole("link", { name: "Procore" })
    .click();
  await expect(page).toHaveURL(partnerAddress("Procore"));
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`1 of 3 Procore feeds`);
  await expect(page).toHaveTitle(titled("Procore: 1 of 3 needs attention · "));
  await expect(tabs.locator("[aria-current]")).toHaveText("Overview");
  await page.getByRole("radio", { name: "7 d" }).click();
  await expect(page).toHaveURL(/range=7d/);
  await page.reload();
  await expect(page.getByRole("radio", { name: "7 d" })).toBeChecked();
  await page.goBack();
  await expect(page).toHaveURL(partnerAddress("Procore"));
  await expect(page.getByRole("radio", { name: "24 h" })).toBeChecked();
  await page.goBack();
  await expect(page).toHaveURL(lateAddress());
});

test("skips the bars with the first Tab, without changing the address", async ({ page }) => {
  await signInAndWait(page);
  await page.goto(partnerAddress("Procore"));
  await expect(page).toHaveTitle(titled("Procore: "));
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page).toHaveURL(partnerAddress("Procore"));
});

test("has the verdict in the server's HTML", async ({ page }) => {
  await signInAndWait(page);
  const html = await (await page.request.get(partnerAddress("Procore"))).text();
  expect(html).toContain(LATE);
  expect(html).toContain("overdue");
  expect(html).toContain("One of your three Procore feeds, Late one, is behind.");
  const endpoint = await (await page.request.get(lateAddress())).text();
  expect(endpoint).toContain("timed out");
});

test("shows the same view in another browser by its address, with sign-in in between", async ({
  browser,
}) => {
  const address = `${partnerAddress("a/b")}?range=7d&tz=utc`;
  const page = await strangersPage(browser, "Asia/Tokyo");
  await page.goto(address);
  await expect(page).toHaveURL(/\/signin/);
  await page.getByLabel("Work email").fill(ADMIN.email);
  await page.getByLabel("Password").fill(ADMIN.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("a/b");
  await expect(page.getByRole("radio", { name: "7 d" })).toBeChecked();
  await expect(page.getByRole("banner").locator("time")).toContainText("UTC");
  await page.context().close();
});

async function strangersPage(browser: Browser, timezoneId: string): Promise<Page> {
  return (await browser.newContext({ timezoneId })).newPage();
}

test("uses a link's zone, and remembers the person's own choice", async ({ browser }) => {
  const page = await strangersPage(browser, "Asia/Tokyo");
  await signInAndWait(page);
  await page.goto(`${app.address}/main`);
  await expect(page.getByRole("banner").locator("time")).toContainText("JST");
  await page.getByRole("button", { name: /account/i }).click();
  await page.getByRole("menuitemradio", { name: "UTC" }).click();
  await expect(page).toHaveURL(/tz=utc/);
  await expect(page.getByRole("banner").locator("time")).toContainText("UTC");
  await page.goto(`${app.address}/main`);
  await expect(page.getByRole("banner").locator("time")).toContainText("UTC");
  await page.goto(`${app.address}/main?tz=local`);
  await expect(page.getByRole("banner").locator("time")).toContainText("JST");
  await page.context().close();
});

test("returns a helpful 404 for an unknown partner", async ({ page }) => {
  await signInAndWait(page);
  const response = await page.goto(partnerAddress("Procor"));
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "No partner “Procor”" })).toBeVisible();
  await page.getByRole("link", { name: "Procore", exact: true }).click();
  await expect(page).toHaveURL(partnerAddress("Procore"));

  const gone = await page.goto(`${app.address}${endpointPath("main", "Procore", "no such id")}`);
  expect(gone?.status()).toBe(404);
  await expect(page.getByRole("link", { name: LATE })).toBeVisible();
  await expectNoViolation(page);
  for (const broken of ["%E0%A4%A", "~y"]) {
    const answer = await page.goto(`${app.address}/main/partners/${broken}`);
    expect([400, 404]).toContain(answer?.status());
  }
});

test("redirects an endpoint under another partner's name to its own address", async ({ page }) => {
  await signInAndWait(page);
  await page.goto(`${app.address}${endpointPath("main", "a/b", `id of ${LATE}`)}`);
  await expect(page).toHaveURL(lateAddress());
});

test("redirects an endpoint's name, and a partner in another case, to its address with the query", async ({
  page,
}) => {
  await signInAndWait(page);
  await page.goto(`${app.address}/main/partners/Procore/${LATE}?range=7d&tz=utc`);
  await expect(page).toHaveURL(`${lateAddress()}?range=7d&tz=utc`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`Procore / ${LATE}`);
  await page.goto(`${app.address}/main/partners/PROCORE/${LATE.toUpperCase()}`);
  await expect(page).toHaveURL(lateAddress());
  await page.goto(`${app.address}/main/partners/procore?range=7d`);
  await expect(page).toHaveURL(`${partnerAddress("Procore")}?range=7d`);
  await expect(page.getByRole("radio", { name: "7 d" })).toBeChecked();
});

test("shares the paragraph as displayed, and a link to this moment", async ({ browser }) => {
  const context = await browser.newContext({
    timezoneId: "Europe/Oslo",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await signInAndWait(page);
  await page.goto(`${partnerAddress("Procore")}?range=7d`);
  // The server writes it in UTC until the browser sends its zone.
  await expect(page.locator("blockquote")).toContainText(/\d\d:\d\d CES?T/);
  const told = page.getByRole("region", { name: "What do I tell the customer?" });
  // Nothing but the one button hands anything over.
  await expect(page.locator("main").getByRole("button", { name: /copy/i })).toHaveCount(0);
  const menu = await shareMenu(page);
  // The paragraph may change between the copy and the comparison.
  await expect(async () => {
    await menu.getByRole("button", { name: "Copy paragraph" }).click();
    await expect.poll(clipboard).toMatch(/^One of your three Procore feeds, Late one, is behind\./);
    expect(await told.locator("blockquote").innerText()).toBe(await clipboard());
  }).toPass();

  const moment = /\?range=7d&at=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
  await menu.getByRole("button", { name: "Copy link only" }).click();
  await expect.poll(clipboard).toMatch(moment);
  await expect(page.getByRole("status").filter({ hasText: "Copied" }).first()).toBeAttached();
  await expect(menu.getByRole("button", { name: "Create a share link…" })).toBeVisible();
  await expectNoViolationInAnyForm(page);

  // By keys: C copies for a chat, T the paragraph, Escape closes.
  await page.keyboard.press("c");
  await expect.poll(clipboard).toMatch(/^Procore · .+, as of .+\n.+&at=/);
  await page.keyboard.press("t");
  await expect.poll(clipboard).toMatch(/^One of your three Procore feeds/);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(page.getByRole("button", { name: "Share", exact: true })).toBeFocused();
  await context.close();
});

test("writes the paragraph in the reader's zone, and keeps that in the link", async ({
  browser,
}) => {
  const page = await strangersPage(browser, "Europe/Oslo");
  await signInAndWait(page);
  await page.goto(partnerAddress("Procore"));
  await expect(page.locator("blockquote")).toContainText(/\d\d:\d\d CES?T/);
  const menu = await shareMenu(page);
  // Text typed while the list loads is in its search.
  let comes = () => {};
  const list = new Promise<void>((resolve) => {
    comes = resolve;
  });
  const chunks = "**/_next/static/chunks/**";
  await page.route(chunks, async (route) => {
    await list;
    await route.continue();
  });
  await page.getByRole("button", { name: "Time zone: Oslo" }).click();
  await page.keyboard.type("bosty");
  await page.keyboard.press("Backspace");
  comes();
  const search = page.getByRole("combobox", { name: "Find a time zone" });
  await expect(search).toHaveValue("bost");
  await page.unroute(chunks);
  await page.keyboard.type("on");
  await page.getByRole("option", { name: "New York" }).click();
  await expect(menu.locator("blockquote")).toContainText(/\d\d:\d\d E[SD]T/);
  await expect(page).toHaveURL(/customer_tz=America/);
  await page.context().close();
});

test("shows then beside now for a link to the past, and then doesn't change", async ({ page }) => {
  await signInAndWait(page);
  const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  await page.goto(`${partnerAddress("Procore")}?at=${at}`);
  const row = page.getByRole("row").filter({ hasText: LATE });
  await expect(row).toContainText(/2 h 1\d m.*2 h 1\d m/s);
  await expect(row).toContainText(/still failing|no change|more overdue/);

  // The data arrives: "now" is updated, "then" isn't.
  upstream.setRows(
    rows().map((one) =>
      one.attributes.endpoint_key === LATE
        ? {
            ...one,
            attributes: {
              ...one.attributes,
              last_updated_at: new Date().toISOString(),
              last_sync_status: "completed" as const,
              last_sync_finished_at: new Date().toISOString(),
            },
          }
        : one,
    ),
  );
  await expect(row).toContainText("caught up", { timeout: 20_000 });
  await expect(row.getByRole("cell").first()).toContainText("Failing");
  await page.reload();
  await expect(row).toContainText("caught up");
  await page.getByRole("button", { name: "Back to live" }).click();
  await expect(page).toHaveURL(partnerAddress("Procore"));
  upstream.setRows(rows());
});

test("shows the whole board at a past moment, and leads back to now", async ({ page }) => {
  await signInAndWait(page);
  const board = `${app.address}/main`;
  let at = "";
  await expect
    .poll(async () => {
      at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
      const then = `${app.address}/api/companies/main/sync-status?at=${at}`;
      return (await page.request.get(then)).text();
    })
    .toContain('"failing"');
  // The current state must not appear before the past one.
  const html = await (await page.request.get(`${board}?at=${at}`)).text();
  expect(html).not.toContain(`role="row"`);
  await page.goto(`${board}?at=${at}&order=fixed`);
  await expect(
    page.getByRole("heading", { name: new RegExp(String.raw`^Then, ${TIME}`) }),
  ).toBeVisible();
  await expectTitleToLast(page, titled("Then, "));
  await expect(page.getByRole("status").filter({ hasText: "needed attention" })).toContainText(
    new RegExp(
      String.raw`^\d+ of \d+ feeds? needed attention ${AT_TIME}(\. Now \d+ do(es)?|, and (it still does|they still do))\.`,
    ),
  );
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: LATE }) });
  await expect(row).toContainText("was failing");
  const calm = page.getByRole("row").filter({ has: page.getByRole("link", { name: "fresh_one" }) });
  await expect(calm).toContainText("was fresh");
  await expect(page.getByRole("grid").getByText("Fresh", { exact: true })).toHaveCount(0);
  await expectNoViolationInAnyForm(page);

  await page.getByRole("button", { name: /needs? attention$/ }).click();
  await expect(page).toHaveURL(/verdict=attention/);
  await expect(calm).toHaveCount(0);
  await expect(row.getByRole("link", { name: LATE })).toHaveAttribute("href", /\?at=/);

  await page.getByRole("button", { name: "Back to live" }).click();
  await expect(page).toHaveURL(`${board}?order=fixed&verdict=attention&group=partner`);
  await expectTitleToLast(page, titled("Main: \\d+ of \\d+ needs? attention"));
  await expect(row).toContainText("Failing");

  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  for (const [requested, said] of [
    ["soon", "no valid time"],
    ["", "no valid time"],
    [ahead, "in the future"],
    ["2020-01-01T00:00:00Z", "Our history begins"],
  ] as const) {
    await page.goto(`${board}?at=${requested}`);
    await expect(page.getByRole("status").filter({ hasText: said })).toBeVisible();
    await expect(page.getByRole("grid")).toHaveCount(0);
  }
  await expectNoViolation(page);
});

test("shows reasons, runs and raw fields on the endpoint page", async ({ page }) => {
  await signInAndWait(page);
  await page.goto(lateAddress());
  const sum = page.getByRole("table", { name: "Calculation" });
  await expect(sum).toContainText("last_updated_at");
  await expect(sum.getByRole("row", { name: /^frequency_minutes/ })).toContainText("1 h 00 m");
  await expect(page.getByRole("list", { name: "Rules" })).toContainText("applied: ");
  await expect(page.getByRole("region", { name: "Raw fields" })).toContainText('"timed_out"');
  const runs = page.getByRole("region", { name: "Recorded runs" });
  await expect(runs.getByRole("cell", { name: "Timed out" }).first()).toBeVisible();
  await runs.getByRole("button", { name: /Duration/ }).click();
  await expect(page).toHaveURL(/run_sort=duration/);
  await runs.getByLabel("Outcome").selectOption("failed");
  await expect(page).toHaveURL(/run_status=failed/);
  await expect(runs).toContainText("No runs with this outcome.");
  await page.reload();
  await expect(runs).toContainText("No runs with this outcome.");
});

test("passes accessibility checks of every form of the pages", async ({ page }) => {
  await signInAndWait(page);
  const at = new Date().toISOString();
  for (const address of [
    partnerAddress("Procore"),
    `${partnerAddress("Procore")}?at=${at}`,
    `${lateAddress()}?at=${at}&range=1h`,
  ]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    // The charts are loaded on demand.
    await page.waitForLoadState("networkidle");
    await expectNoViolationInAnyForm(page);
  }
  // Reduced motion only changes durations in the style sheets, and removes waiting here.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expectNoViolation(page);
});

/** An incident may have opened by now, which prefixes every title: "(1) ". */
const titled = (start: string) => new RegExp(`^(\\(\\d+\\) )?${start}`);

/**
 * The framework writes a page's own title whenever its metadata arrives, possibly after the page
 * has set its state.
 */
async function expectTitleToLast(page: Page, title: RegExp) {
  await expect(page).toHaveTitle(title);
  await page.evaluate(() => {
    document.title = "Main";
  });
  await expect(page).toHaveTitle(title);
}
