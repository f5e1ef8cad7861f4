import { expect, test, type Browser, type Page } from "@playwright/test";
import {
  addPerson,
  beSignedIn,
  expectNoViolationInAnyForm,
  showAs,
  startApp,
  syncStatus,
  type App,
  shareMenu,
  sidewaysPx,
} from "./app";
import { AT_TIME } from "./times";

// Links for people without an account, from the dialog to the reader, and previews of every
// address.

const COMPANY = "northgate";
const PARTNER = "Procore";
const SLACKBOT = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";
const FIRST_LOAD_BYTES = 70_000;

let app: App;
let member: { email: string; password: string };
test.beforeAll(async () => {
  app = await startApp();
  member = await addPerson(app, { name: "Marta Berg", role: "member", company: COMPANY });
});
test.afterAll(() => app.end());

const partnerAddress = () => `${app.address}/${COMPANY}/partners/${PARTNER}`;

/** A page with clipboard access, signed in as a member. */
async function membersPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    timezoneId: "Europe/Oslo",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  await beSignedIn(page, app, member);
  await page.goto(partnerAddress());
  await expect.poll(() => page.locator("h1").innerText()).toContain(PARTNER);
  return page;
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** A link created by `POST .../links`. */
async function makeLink(page: Page, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await page.request.post(`${app.address}/api/companies/${COMPANY}/links`, {
    headers: { origin: app.address },
    data: { partner: PARTNER, shows: "both", ...more },
  });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { url: string }).url;
}

test("shares a partner with a stranger, live until blind, and nothing once revoked", async ({
  browser,
}) => {
  const page = await membersPage(browser);
  const menu = await shareMenu(page);
  await expectNoViolationInAnyForm(page);
  await menu.getByRole("button", { name: "Create a share link…" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this partner" });
  await expect(dialog).toContainText("and nothing else");
  await expectNoViolationInAnyForm(page, undefined, "[role=dialog]");
  await dialog.getByLabel("For (optional)").fill("Marit Solberg");
  await dialog.getByRole("button", { name: "Create and copy link" }).click();
  await expect(page.getByRole("textbox", { name: "Share link" })).toHaveValue(/\/s\/[\w-]{33}$/);
  await expect(page.getByRole("dialog")).toContainText("Copied. You won’t see this link again.");
  const url = await clipboard(page);
  expect(url).toMatch(new RegExp(`^${app.address}/s/[\\w-]{33}$`));
  const token = url.split("/s/")[1] ?? "";

  const stranger = await (await browser.newContext({ timezoneId: "Asia/Tokyo" })).newPage();
  await stranger.clock.install();
  const requests: { path: string; referer: string; cookies: string }[] = [];
  /** Bytes as transferred, by path: later refreshes aren't part of the first load. */
  const loaded = new Map<string, number>();
  stranger.on("request", (request) => {
    const { referer = "", cookie = "" } = request.headers();
    requests.push({ path: new URL(request.url()).pathname, referer, cookies: cookie });
  });
  stranger.on("requestfinished", (request) => {
    const { pathname } = new URL(request.url());
    const count = (bytes: number) => loaded.set(pathname, loaded.get(pathname) ?? bytes);
    void request.sizes().then(({ responseBodySize }) => count(responseBodySize));
  });
  await stranger.goto(url);
  await expect(stranger.locator("h1")).toContainText("needed attention at");
  // The paragraph for the customer comes first, and bars stand against the due line.
  await expect(stranger.locator("main > .lead")).toContainText(/of your \w+ Procore feeds/);
  await expect(stranger.locator("td.now .bar").first()).toBeVisible();
  // Rendered in UTC without scripts, then in the reader's own zone.
  await expect(stranger.locator("thead")).toContainText("JST");
  await expect(stranger.locator("main")).toHaveClass("is-live");
  await expect(stranger.locator("body")).toContainText("Shared by Marta Berg");
  await expectNoViolationInAnyForm(stranger, async () => {
    expect(await sidewaysPx(stranger)).toBe(0);
  });
  const viewport = stranger.viewportSize();
  for (const width of [901, 1024, 1150]) {
    await stranger.setViewportSize({ width, height: 768 });
    expect(await sidewaysPx(stranger)).toBe(0);
  }
  if (viewport !== null) await stranger.setViewportSize(viewport);
  await showAs(stranger, "light");
  const firstLoad = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
  expect(firstLoad).toBeGreaterThan(1_000);
  expect(firstLoad).toBeLessThan(FIRST_LOAD_BYTES);
  expect(await stranger.context().cookies()).toEqual([]);
  expect(
    requests.filter(({ referer, cookies }) => referer.includes("/s/") || cookies !== ""),
  ).toEqual([]);
  expect(requests.filter(({ path }) => path.includes(token) && path !== `/s/${token}`)).toEqual([]);
  // On a sheet of A4 no number runs into what is beside it.
  await stranger.emulateMedia({ media: "print" });
  await stranger.setViewportSize({ width: 688, height: 1000 });
  const tooWide = await stranger.locator(".side > .num").evaluateAll((all) =>
    all.flatMap((one) => {
      const text = document.createRange();
      text.selectNodeContents(one);
      const [inked, given] = [text.getBoundingClientRect(), one.getBoundingClientRect()];
      return inked.width > given.width + 1 ? [one.textContent] : [];
    }),
  );
  expect(tooWide).toEqual([]);
  expect(await sidewaysPx(stranger)).toBe(0);
  await stranger.emulateMedia({ media: null });
  if (viewport !== null) await stranger.setViewportSize(viewport);
  const sheets = (await stranger.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(sheets.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);

  // Without responses, it goes blind by the reader's own clock.
  await stranger.context().setOffline(true);
  await stranger.clock.fastForward("03:00");
  await expect(stranger.locator("main")).toHaveClass("is-delayed");
  const banner = stranger.locator(".banner:visible");
  await expect(banner).toHaveText(
    new RegExp(
      String.raw`^Lost connection ${AT_TIME}\. Statuses are \d m old \(last check [\d:]+ JST\)\. Retrying`,
    ),
  );
  await expect(stranger.locator(".cstate:visible")).toHaveText("Lost connection");
  await stranger.clock.fastForward("04:00");
  await expect(stranger.locator("main")).toHaveClass("is-blind");
  await expect(banner).toHaveText(/^Lost connection at .+ Statuses are \d m old/);
  await expect(stranger.locator("h1")).toContainText("We can’t tell how it is now.");
  await expect(stranger.locator(".lead")).toContainText("Our latest information about Procore");
  await expect(stranger.locator("td.now .bar:visible")).toHaveCount(0);
  await expect(stranger.locator("td.now .badge:visible").first()).toContainText("was ");
  await expect(stranger.locator("td.now .b-fresh:visible")).toHaveCount(0);
  // Polls as soon as the network is back.
  await stranger.context().setOffline(false);
  await expect(stranger.locator("main")).toHaveClass("is-live");
  await expect(banner).toHaveCount(0);
  // A clock that was set back may hide how long the machine slept.
  await stranger.context().setOffline(true);
  const wallMs = await stranger.evaluate(() => Date.now());
  await stranger.clock.setSystemTime(wallMs - 86_400_000);
  await stranger.clock.fastForward("00:02");
  await expect(stranger.locator("main")).toHaveClass("is-delayed");
  await stranger.context().setOffline(false);
  await expect(stranger.locator("main")).toHaveClass("is-live");

  await page.goto(`${app.address}/settings/links`);
  await expect(page.locator("h1")).toHaveText("1 open share link");
  const row = page.getByRole("row").filter({ hasText: "Marit Solberg" });
  await expect(row.locator(".link-opened")).toHaveText("1");
  await showAs(page, "phone");
  await expect(row.getByText(", once")).toBeVisible();
  const lastOpened = row.locator('[data-label="Last opened"]');
  await expect(lastOpened).toBeVisible();
  await makeLink(page);
  await page.reload();
  const unopened = page.locator("td").filter({ hasText: /^Not opened yet$/ });
  await expect(unopened).toBeVisible();
  await expect(unopened).not.toHaveAttribute("data-label");
  await showAs(page, "light");
  await expectNoViolationInAnyForm(page);
  await row.getByRole("button", { name: "Extend: Procore" }).click();
  const extend = page.getByRole("alertdialog");
  await expect(extend).toContainText(/It currently expires .+It will expire /);
  // The only one left is text, not a choice.
  await expect(extend).toContainText("That’s 30 days from now, the only later choice.");
  await expect(extend.getByRole("radio")).toHaveCount(0);
  await page.getByRole("button", { name: "Extend link" }).click();
  await expect(extend).toHaveCount(0);
  // It has all the days there are.
  await row.getByRole("button", { name: "Extend: Procore" }).click();
  await expect(extend).toContainText("links last at most 30 days");
  await extend.getByRole("button", { name: "Close" }).click();
  await row.getByRole("button", { name: "Revoke: Procore" }).click();
  await page.getByRole("button", { name: "Revoke link" }).click();
  await expect(row).toContainText("Revoked");
  await stranger.clock.fastForward("00:05");
  await expect(stranger.locator("h1")).toContainText("This link was revoked on");
  await expect(stranger.locator("body")).toContainText("Ask Marta Berg for a new link.");
  expect(await stranger.content()).not.toContain(PARTNER);
  await expectNoViolationInAnyForm(stranger);

  // Everything logged during all of this.
  expect(app.output()).not.toContain(token.slice(0, 22));
  expect(app.output()).not.toContain("/s/");
  const metrics = await (await fetch(`${app.address}/metrics`)).text();
  expect(metrics).toContain('route="/s/[token]"');
  expect(metrics).not.toContain(token.slice(0, 22));
  await Promise.all([stranger.context().close(), page.context().close()]);
});

test("takes a proxy's page for a lost connection, not for the link's end", async ({ browser }) => {
  const page = await membersPage(browser);
  const url = await makeLink(page, { days: 30 });
  const stranger = await (await browser.newContext()).newPage();
  await stranger.clock.install();
  await stranger.goto(url);
  await expect(stranger.locator("main")).toHaveClass("is-live");
  for (const status of [404, 502]) {
    let proxied = 0;
    await stranger.route("**/s/*", (route) => {
      proxied += 1;
      return route.fulfill({ status, contentType: "text/html", body: "<h1>No backend</h1>" });
    });
    await stranger.clock.fastForward("00:05");
    await expect.poll(() => proxied).toBeGreaterThan(0);
    await stranger.clock.fastForward("03:00");
    await expect(stranger.locator("main")).toHaveClass("is-delayed");
    await expect(stranger.locator(".banner:visible")).toContainText("Lost connection");
    await stranger.unroute("**/s/*");
    await stranger.clock.fastForward("00:30");
    await expect(stranger.locator("main")).toHaveClass("is-live");
  }
  await Promise.all([stranger.context().close(), page.context().close()]);
});

test("is complete without scripts, in UTC, and reloads automatically", async ({ browser }) => {
  const page = await membersPage(browser);
  const url = await makeLink(page);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(url);
  await expect(plain.locator("tbody tr").first()).toBeVisible();
  await expect(plain.locator("thead")).toContainText("UTC");
  expect(await (await fetch(url)).text()).toContain('<meta http-equiv="refresh" content="60"');
  await Promise.all([context.close(), page.context().close()]);
});

test("opens only a token's own page, and returns identical bytes for an invalid one and a missing address", async ({
  browser,
}) => {
  const page = await membersPage(browser);
  const url = await makeLink(page);
  const token = url.split("/s/")[1] ?? "";
  const whole = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${app.address}${path}`, { redirect: "manual", ...init });
    const headers = [...answer.headers].filter(([name]) => name !== "date");
    return JSON.stringify([answer.status, headers.map(String).toSorted(), await answer.text()]);
  };
  const missing = await whole("/no/such.address/at/all");
  for (const path of ["/s/x", `/s/${token}x`, `/s/${token}/`, `/s/${token}/more`, "/s/activity"]) {
    expect([path, await whole(path)]).toEqual([path, missing]);
  }
  for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
    expect([method, await whole(`/s/${token}`, { method })]).toEqual([method, missing]);
  }
  // A link's token grants nothing elsewhere, however it is sent.
  const rows = await syncStatus(page, app, COMPANY);
  for (const headers of [
    { authorization: `Bearer ${token}` },
    { cookie: `next-auth.session-token=${token}` },
    { cookie: `plumbline-display=${token}` },
    { referer: url },
  ]) {
    for (const path of ["/api/companies", `/api/companies/${COMPANY}/sync-status`, "/api/wall"]) {
      const answer = await fetch(`${app.address}${path}?token=${token}`, { headers });
      expect([path, answer.status]).toEqual([path, 401]);
      expect(await answer.text()).not.toContain(rows.rows[0]?.id);
    }
  }
  await page.context().close();
});

test("gives link previews one card for every address, and details of a link only if its maker chose so", async ({
  browser,
}) => {
  const bot = async (path: string) => {
    const answer = await fetch(new URL(path, app.address), {
      headers: { "user-agent": SLACKBOT },
      redirect: "manual",
    });
    return { answer, text: await answer.text() };
  };
  const card = await bot("/");
  expect(card.answer.status).toBe(200);
  expect(card.text).toContain('property="og:title" content="Plumbline"');
  expect(card.text).toContain("Sign in to see this.");
  for (const path of [
    `/${COMPANY}`,
    `/${COMPANY}/partners/${PARTNER}`,
    "/no-such-company/partners/x",
    "/settings/links",
    "/wall",
    "/signin?callbackUrl=%2Fnorthgate",
    "/no/such/address/at/all",
  ]) {
    const { answer, text } = await bot(path);
    expect([path, answer.status, text]).toEqual([path, 200, card.text]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  const image = /og:image" content="([^"]+)"/.exec(card.text)?.[1] ?? "";
  expect((await fetch(image)).headers.get("content-type")).toBe("image/png");
  // A client not recognised as a preview gets the sign-in page, which has the same card.
  const landed = await (await fetch(`${app.address}/${COMPANY}/partners/${PARTNER}`)).text();
  expect(landed).toContain('content="Sign in to see this."');
  expect(landed).not.toContain("Northgate Builders");

  const page = await membersPage(browser);
  const plain = await bot(await makeLink(page));
  expect(plain.text).toBe(card.text);
  const preview = await bot(await makeLink(page, { details_in_preview: true }));
  expect(preview.text).toMatch(/As of \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC/);
  const picture = /og:image" content="([^"]+)"/.exec(preview.text)?.[1] ?? "";
  const drawn = Buffer.from(await (await fetch(picture)).arrayBuffer());
  expect([drawn.readUInt32BE(16), drawn.readUInt32BE(20)]).toEqual([1200, 630]);
  const listed = (await (await page.request.get(`${app.address}/api/links`)).json()) as {
    data: { opened: number }[];
  };
  expect(listed.data.slice(0, 2).every(({ opened }) => opened === 0)).toBe(true);
  await page.context().close();
});

test("copies a dated sentence and its link for a chat", async ({ browser }) => {
  const page = await membersPage(browser);
  const copy = async (address: string) => {
    await page.goto(address);
    await (await shareMenu(page)).getByRole("button", { name: "Copy for chat" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeAttached();
    return page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const of = async (type: string) => (await item?.getType(type))?.text();
      return { text: await of("text/plain"), html: await of("text/html") };
    });
  };
  const asOf = String.raw`as of \w{3} \d\d:\d\d CES?T`;
  const partner = await copy(partnerAddress());
  expect(partner.text).toMatch(
    new RegExp(
      String.raw`^Procore · Northgate Builders: .+ of \d+.*, ${asOf}\n${partnerAddress()}\?at=[\dT:-]+Z$`,
    ),
  );
  expect(partner.html).toMatch(/^<a href="[^"]+\?at=[^"]+">Procore · Northgate Builders<\/a>: /);
  const { rows } = await syncStatus(page, app, COMPANY);
  const row = rows.find(({ partner_name: name }) => name === PARTNER);
  const endpoint = await copy(`${partnerAddress()}/${encodeURIComponent(row?.id ?? "")}`);
  expect(endpoint.text).toMatch(new RegExp(String.raw`^Procore / \w+ · .+, ${asOf}\n.+\?at=`));
  const overview = await copy(`${app.address}/${COMPANY}`);
  expect(overview.text).toMatch(
    new RegExp(
      String.raw`^Northgate Builders: .+ / \w+.+, ${asOf}\n${app.address}/${COMPANY}\?at=[\dT:-]+Z$`,
    ),
  );
  await page.context().close();
});
