import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { AMPLE_BUDGET, connectedToAll, signIn, startApp, type App, shareMenu } from "./app";
import type { BoardThenView } from "@/lib/contracts/history";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";

let app: App;
let upstream: MisbehavingUpstream;
let other: MisbehavingUpstream;
let folder: string;

const rowsOf = (partners: readonly string[]) =>
  sampleRows(partners.length, Date.now()).map(({ attributes, ...row }, at) => ({
    ...row,
    attributes: { ...attributes, partner_name: partners[at] ?? "" },
  }));

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-trouble-"));
  [upstream, other] = await Promise.all([
    startMisbehavingUpstream({ rows: rowsOf(["Procore", "Procore", "Aconex"]) }),
    startMisbehavingUpstream({ rows: rowsOf(["Procore"]) }),
  ]);
  app = await startApp({
    ...AMPLE_BUDGET,
    V3_POLL_SECONDS: "2",
    ...connectedToAll(path.join(folder, "connections.json"), { first: upstream, second: other }),
  });
});

test.afterAll(async () => {
  await app.end();
  await Promise.all([upstream.close(), other.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const state = (page: Page) => page.getByRole("status", { name: /View confidence/ });
const hop = (page: Page, name: string) =>
  page
    .getByRole("list", { name: "Data age at each step" })
    .getByRole("listitem")
    .filter({ hasText: name });

test("reports a rate limit at the source as such, and not as a lost connection or missing response", async ({
  page,
}) => {
  await signIn(page, app, "/first");
  await expect(state(page)).toContainText("Live");
  await upstream.setFault({ kind: "rate_limited", headers: "retry_after", seconds: 20 });
  await expect(page.getByText(/^Rate limited until/)).toBeVisible();
  // Longer than data at this interval stays current: nothing polls before the limit ends.
  await expect(state(page)).toContainText("Can’t see", { timeout: 30_000 });
  await expect(page.getByText(/lost its connection/)).toBeHidden();
  await expect(hop(page, "Source cache")).toHaveText(/rate limited/);
  await expect(hop(page, "This screen")).not.toHaveClass(/is-bad/);
  await page.goto(`${app.address}/companies?partner=Procore`);
  await expect(page.getByText(/lost its connection/)).toBeHidden();
  await upstream.setFault(null);
});

test("reports a lost network from its first paint on, and isn't live any more", async ({
  page,
  context,
}) => {
  await signIn(page, app, "/second");
  await expect(state(page)).toContainText("Live");
  for (const address of ["/second", "/second/partners/Procore", "/companies?partner=Procore"]) {
    // The page polls once it is hydrated.
    const isAlive = page.waitForResponse(/\/api\/companies(\?|\/second\/sync-status)/);
    await page.goto(app.address + address);
    await isAlive;
    // Code that the page has not loaded by now can't be loaded any more.
    await context.route("**/_next/**", (route) => route.abort());
    await context.setOffline(true);
    await expect(page.getByText(/This browser is offline\. It lost its connection/)).toBeVisible();
    await expect(state(page)).not.toContainText(/^Live|^1 of 1 live/);
    await expect(page.getByText(/Couldn’t load part of this page/)).toBeHidden();
    await context.setOffline(false);
    await context.unroute("**/_next/**");
  }
});

test("counts and copies only the filtered partner in the list of companies", async ({
  page,
  context,
}) => {
  const nowMs = Date.now();
  const [late, ...rest] = rowsOf(["Oracle Unifier", "Procore", "Aconex"]);
  const ago = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();
  if (late === undefined) throw new Error("no row");
  upstream.setRows([
    {
      ...late,
      attributes: { ...late.attributes, last_updated_at: ago(900), next_sync_at: ago(840) },
    },
    ...rest,
  ]);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, app, "/companies");
  await expect(page.getByRole("row").filter({ hasText: "first" })).toContainText("Stale", {
    timeout: 60_000,
  });
  /** Copied text that matches. */
  const copied = async (wanted: RegExp) => {
    await (await shareMenu(page)).getByRole("button", { name: "Copy for chat" }).click();
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(clipboard).toMatch(wanted);
    await page.keyboard.press("Escape");
    return (await clipboard()).split("\n")[1] ?? "";
  };
  await page.getByRole("combobox", { name: /^Partner/ }).selectOption("Procore");
  const first = page.getByRole("row").filter({ hasText: "first" });
  await expect(first.getByRole("cell").nth(0)).toHaveText("none");
  await expect(first).not.toContainText("Unifier");
  await expect(page.getByRole("button", { name: "0 need attention" })).toBeVisible();
  await expect(page.getByRole("button", { name: "All 2" })).toBeVisible();
  // A link's moment is that of what the page shows, in whole seconds: then both companies must have been recorded and seen.
  const isRecorded = async (slug: string, at: string) => {
    const address = `${app.address}/api/companies/${slug}/sync-status?at=${at}`;
    const then = await page.request.get(address);
    const { endpoints, gap } = (await then.json()) as BoardThenView;
    return endpoints.length > 0 && gap === null;
  };
  let link = "";
  await expect
    .poll(async () => {
      link = await copied(
        /^Plumbline · Procore: none of 2 needs attention, as of .+\nhttp.+\?partner=Procore&at=\d{4}-/,
      );
      const at = new URL(link).searchParams.get("at") ?? "";
      return Promise.all(["first", "second"].map((slug) => isRecorded(slug, at)));
    })
    .toEqual([true, true]);
  await page.goto(link);
  const then = page.getByRole("region", { name: "Then and now", exact: true });
  await expect(then.getByRole("status")).toHaveText(
    /None of 2 customers needed attention at .+\. Now none does\./,
  );
  await then.getByRole("button", { name: "Back to live" }).click();
  await expect(then).toBeHidden();
  // The server's HTML is limited to that partner too.
  const html = await (await page.request.get(`${app.address}/companies?partner=Procore`)).text();
  expect(html).toContain('aria-label="0 need attention"');

  // A partner page's data age is that partner's, and an incident's link has the moment too.
  const partnerData = async (at: string) => {
    await page.goto(app.address + at);
    await page.getByRole("button", { name: /^Live, / }).click();
    return page
      .getByRole("dialog", { name: "Freshness of this view" })
      .locator("dl > div")
      .filter({ hasText: "Partner data" });
  };
  await expect(await partnerData("/first")).toHaveText(/15 h/);
  const ofPartner = await partnerData("/first/partners/Procore");
  await expect(ofPartner).toHaveText(/\d m/);
  await expect(ofPartner).not.toHaveText(/15 h/);
  await expect(await partnerData("/first/incidents/1")).toHaveText(/Partner data.*15 h \d\d m$/);
  await page.keyboard.press("Escape");
  await page.goto(await copied(/, incident 1: .+\nhttp.+\/first\/incidents\/1\?at=\d{4}-/));
  await expect(
    then.getByText(/1 of 1 feed needed attention|Needed attention (at|on)/),
  ).toBeVisible();
});

test("reports a partner without counts, instead of the company's figures", async ({
  page,
  context,
}) => {
  await signIn(page, app, "/companies");
  await context.route("**/api/companies?partner=*", (route) => route.abort());
  await page.getByRole("combobox", { name: /^Partner/ }).selectOption("Procore");
  await expect(page.getByText("Couldn’t count Procore. Retrying automatically.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "second" })).toContainText("not counted");
  await expect(page.getByRole("group", { name: "Filter by verdict" })).not.toContainText(/\d/);
  await expect(page.getByRole("button", { name: "Share", exact: true })).toBeHidden();
});
