import { rmSync } from "node:fs";
import { expect, test, type Page } from "@playwright/test";
import type { CompaniesView } from "@/lib/contracts/dashboard";
import { expectNoViolationInAnyForm, PHONE, signIn, type App } from "./app";
import { rowsWith, startFleet } from "./fleet";
import { startMisbehavingUpstream } from "./upstream/misbehaving-upstream";
import { AT_TIME } from "./times";

const MAX_ELEMENTS = 1_500;

async function readCompanies(page: Page, app: App): Promise<CompaniesView["companies"]> {
  const answer = await page.request.get(`${app.address}/api/companies`);
  return ((await answer.json()) as CompaniesView).companies;
}

const names = (page: Page) => page.getByRole("table").getByRole("rowheader");
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const tile = (page: Page, name: string) =>
  page.getByRole("group", { name: "Filter by verdict" }).getByRole("button", { name });

test("shows what is wrong in which company, since when, its owner, and which companies are blind", async ({
  page,
}) => {
  const apis = await Promise.all([
    startMisbehavingUpstream({ rows: rowsWith(20, ["failing", "late", "late"]) }),
    startMisbehavingUpstream({ rows: rowsWith(9, ["stale"]) }),
    startMisbehavingUpstream({ rows: rowsWith(6, ["due"], "Viewpoint Vista") }),
    startMisbehavingUpstream({ rows: rowsWith(12, []) }),
  ]);
  const [failing, stale, calm, lost] = apis;
  const { app, folder } = await startFleet(
    [
      { slug: "calm", name: "Ashdown Estates", api: calm },
      { slug: "stale", name: "Fjordline Tunnel JV", api: stale },
      { slug: "lost", name: "Tarn Airports", api: lost },
      { slug: "away", name: "Bexley Bridges", api: null },
      { slug: "failing", name: "Northgate Builders", api: failing },
    ],
    {},
  );
  try {
    await signIn(page, app);
    await expect
      .poll(async () => (await readCompanies(page, app)).filter(({ as_of: at }) => at).length)
      .toBe(4);
    await lost.setFault({ kind: "error_500" });
    await expect
      .poll(
        async () =>
          (await readCompanies(page, app)).find(({ slug }) => slug === "lost")?.source.confidence,
        { timeout: 60_000 },
      )
      .toBe("blind");
    await page.goto(`${app.address}/companies`);

    // What is wrong and since when, without a click. Blind companies come before healthy ones.
    await expect(names(page)).toHaveText([
      "Northgate Builders",
      "Fjordline Tunnel JV",
      "Bexley Bridges",
      "Tarn Airports",
      "Ashdown Estates",
    ]);
    await expect(row(page, "Northgate Builders")).toContainText("Failing");
    await expect(row(page, "Northgate Builders")).toContainText("3, worst 2 h 1");
    await expect(row(page, "Fjordline Tunnel JV").getByRole("cell").nth(4)).toHaveText(
      /(\w{3} )?\d\d:\d\d$/,
    );
    await expect(row(page, "Tarn Airports")).toContainText(new RegExp(String.raw`none ${AT_TIME}`));
    await expect(row(page, "Tarn Airports")).toContainText("Can’t see");
    await expect(row(page, "Bexley Bridges")).toContainText("not known");
    await expect(page.getByRole("status", { name: "View confidence: 3 of 5 live" })).toContainText(
      "can’t see Tarn Airports; 1 not checked yet",
    );
    await expect(page.getByText(/^5 customers, 47 feeds; 1 not checked yet; /)).toContainText(
      "Tarn Airports isn’t counted: we can’t see it right now",
    );
    await expect(tile(page, "All")).toHaveText("35All");
    await expectNoViolationInAnyForm(page, async () => {
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      expect(await width()).toBe(page.viewportSize()?.width);
    });

    // Filters are in the address; blind companies are never filtered out of what needs attention.
    await tile(page, "4 need attention").click();
    await expect(page).toHaveURL(`${app.address}/companies?verdict=attention`);
    await expect(names(page)).toHaveCount(4);
    await expect(page.getByRole("status").filter({ hasText: "4 of 5 customers" })).toBeVisible();
    await page.keyboard.press("2");
    await expect(names(page)).toHaveText(["Fjordline Tunnel JV"]);
    await expect(page).toHaveURL(`${app.address}/companies?verdict=stale`);
    await page.reload();
    await expect(names(page)).toHaveText(["Fjordline Tunnel JV"]);
    await page.keyboard.press("0");
    await expect(names(page)).toHaveCount(5);
    await expect(page).toHaveURL(`${app.address}/companies`);

    // By partner: companies that have it, and the one without a snapshot.
    await page.getByLabel("Partner").selectOption("Viewpoint Vista");
    await expect(page).toHaveURL(`${app.address}/companies?partner=Viewpoint+Vista`);
    await expect(names(page)).toHaveText(["Bexley Bridges", "Ashdown Estates"]);
    await page.getByLabel("Partner").selectOption("Any partner");
    await expect(names(page)).toHaveCount(5);

    // Mine: none yet, and the page says why and what is unknown.
    await page.getByRole("radio", { name: "Mine, 0" }).click();
    await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
    await expect(page.getByText("You don’t look after any customers")).toContainText(
      "We can’t see 2 customers now",
    );
    await expectNoViolationInAnyForm(page);
    const me = (await (await page.request.get(`${app.address}/api/me`)).json()) as {
      person: { id: string };
    };
    const care = await page.request.put(`${app.address}/api/companies/stale/care`, {
      data: { owner: me.person.id },
      headers: { Origin: app.address },
    });
    expect(care.status()).toBe(200);
    // The list refreshes automatically.
    await expect(page.getByRole("radio", { name: "Mine, 1" })).toBeChecked({ timeout: 20_000 });
    await expect(names(page)).toHaveText(["Fjordline Tunnel JV"]);
    await expect(row(page, "Fjordline Tunnel JV")).toContainText("You");
    await page.getByRole("radio", { name: "Mine, 1" }).press("ArrowRight");
    await expect(names(page)).toHaveText(["Northgate Builders", "Fjordline Tunnel JV"]);
    for (const slug of ["failing", "stale"]) {
      const incident = `${app.address}/api/companies/${slug}/incidents/1`;
      const done = await page.request.put(`${incident}/acknowledgement`, {
        data: {},
        headers: { Origin: app.address },
      });
      expect(done.status()).toBe(200);
    }
    await expect(page.getByText("Someone is on every open incident.")).toBeVisible({
      timeout: 20_000,
    });
    // A company without incidents isn't called healthy while it is blind, either.
    await page.goto(`${app.address}/incidents`);
    await expect(page.getByRole("status", { name: "View confidence: 3 of 5 live" })).toBeVisible();
    await expect(
      page.getByText("2 open in 2 customers; we can’t see 2 customers right now"),
    ).toBeVisible();
    await expectNoViolationInAnyForm(page);
    await page.goto(`${app.address}/lost/incidents`);
    await expect(
      page
        .getByRole("paragraph")
        .filter({ hasText: "No open incidents that we know of. We can’t see Tarn Airports" }),
    ).toContainText("right now, so there may be some we don’t know about.");
    await page.goto(`${app.address}/companies`);
    await expect(names(page)).toHaveCount(5);

    // By name, and by keyboard.
    await page.keyboard.press("/");
    await page.keyboard.type("bEx");
    await expect(names(page)).toHaveText(["Bexley Bridges"]);
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: "Name" }).click();
    await expect(names(page).first()).toHaveText("Ashdown Estates");
    await expect(page).toHaveURL(`${app.address}/companies?order=name`);
    await names(page).first().getByRole("link").focus();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${app.address}/away`);
  } finally {
    await app.end();
    await Promise.all(apis.map((api) => api.close()));
    rmSync(folder, { recursive: true });
  }
});

test("renders only visible rows of five hundred companies, and reaches all by keys and Tab", async ({
  page,
}) => {
  const api = await startMisbehavingUpstream({
    // Every company in the worst and most varied state.
    rows: rowsWith(12, ["failing", "stale", "late", "due"]).map((one, index) => {
      const as = {
        4: { status: "inactive" },
        5: { status: "webhook" },
        6: { last_updated_at: null },
      };
      return {
        ...one,
        attributes: { ...one.attributes, ...(as as Record<number, object>)[index] },
      };
    }),
    rateLimitPerMinute: 100_000,
  });
  const COUNT = 500;
  const { app, folder } = await startFleet(
    Array.from({ length: COUNT }, (_, n) => ({ slug: `c-${n}`, name: `Company ${n}`, api })),
    // Polled once: this test is about the page.
    { V3_POLL_SECONDS: "600" },
  );
  const elements = () => page.locator("body *").count();
  const linkIn = (line: number) => page.locator(`[aria-rowindex="${line}"] a`).first();
  const inView = async () => {
    const rows = page.locator("[data-line]");
    const [first, last] = [rows.first(), rows.last()];
    const top = (await first.boundingBox())?.y ?? Infinity;
    const box = await last.boundingBox();
    return { top, bottom: (box?.y ?? 0) + (box?.height ?? 0) };
  };
  try {
    // Allows time for the first read of five hundred companies.
    await signIn(page, app);
    await expect
      .poll(
        async () => (await readCompanies(page, app)).filter(({ as_of: at }) => at !== null).length,
        { timeout: 240_000 },
      )
      .toBe(COUNT);
    await page.goto(`${app.address}/companies`);
    await expect(page.getByText(/^500 customers, 6,000 feeds$/)).toBeVisible();
    await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", "501");
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);

    // Anywhere in the list the window is full of rows, without many more.
    for (const share of [0.31, 0.64, 1]) {
      await page.evaluate((part) => window.scrollTo(0, document.body.scrollHeight * part), share);
      await expect.poll(async () => (await inView()).top).toBeLessThanOrEqual(28);
      expect((await inView()).bottom).toBeGreaterThan(share === 1 ? 700 : 871);
      expect(await elements()).toBeLessThan(MAX_ELEMENTS);
    }

    await page.evaluate(() => window.scrollTo(0, 0));
    await page.locator("[data-line] a").first().focus();
    // Each has a link to itself, and one to its incident.
    for (let at = 2; at <= 60; at += 1)
      for (const _ of ["incident", "company"]) {
        await page.keyboard.press("Tab");
        // No person presses twice within one frame.
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
    await expect(linkIn(61)).toBeFocused();
    await page.keyboard.press("End");
    await expect(linkIn(501)).toBeFocused();
    await expect(linkIn(501)).toBeInViewport();
    for (let at = 0; at < 60; at += 1) await page.keyboard.press("k");
    await expect(linkIn(441)).toBeFocused();
    await page.keyboard.press("Home");
    await expect(linkIn(2)).toBeFocused();
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);

    await page.setViewportSize(PHONE);
    await expect.poll(elements).toBeLessThan(MAX_ELEMENTS);
    await page.keyboard.press("End");
    await expect(linkIn(501)).toBeFocused();

    await page.keyboard.press("/");
    await page.keyboard.type("company 49");
    await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", "16");
    await expect(page.getByText("15 of 500 customers").first()).toBeVisible();

    // The first page renders as little, with lines folded out or not.
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(app.address);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(
      "of 500 customers are behind",
    );
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);
    await page.locator("[data-line^='partner:'] [data-primary]").first().click();
    await expect(
      page.locator("[data-line^='partner:'] [aria-expanded=true]").first(),
    ).toBeVisible();
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);
    for (const share of [0.31, 0.64, 1]) {
      await page.evaluate((part) => window.scrollTo(0, document.body.scrollHeight * part), share);
      await expect.poll(elements).toBeLessThan(MAX_ELEMENTS);
    }
  } finally {
    await app.end();
    await api.close();
    rmSync(folder, { recursive: true });
  }
});
