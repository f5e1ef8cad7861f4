import { expect, test, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { startProxiedApp, type ProxiedApp } from "./wall/proxied-app";
import { pairScreen } from "./wall/pairing";

test.describe("an unattended screen in simulated time", () => {
  let proxied: ProxiedApp;
  let ticking: NodeJS.Timeout;
  test.beforeAll(async () => {
    proxied = await startProxiedApp(Date.now());
    ticking = setInterval(() => {
      proxied.time.nowMs = Date.now();
    }, 200);
  });
  test.afterEach(() => proxied.setProxy("well"));
  test.afterAll(async () => {
    clearInterval(ticking);
    await proxied.end();
  });

  const stateOn = (page: Page) => page.locator("[data-wall-state]").getAttribute("data-wall-state");

  async function openScreen(browser: Browser): Promise<{ page: Page; context: BrowserContext }> {
    const context = await browser.newContext();
    await pairScreen({ browser, proxied, context }, { replaces: null, isWaiting: false });
    const page = await context.newPage();
    await page.goto(`${proxied.address}/wall`);
    await expect.poll(() => stateOn(page)).toBe("live");
    return { page, context };
  }

  test("shows the last picture, blind, after a start without network, and recovers automatically", async ({
    browser,
  }) => {
    const { page, context } = await openScreen(browser);
    const kept = () =>
      page.evaluate(
        async () =>
          [
            ...(await (await caches.open("wall-page")).keys()),
            ...(await (await caches.open("wall-heard")).keys()),
          ].filter(({ url }) => url.endsWith("/wall")).length,
      );
    await expect.poll(kept, { timeout: 20_000 }).toBe(2);
    await page.close();

    proxied.setProxy("cut");
    const again = await context.newPage();
    await again.goto(`${proxied.address}/wall`);
    await expect(again.getByText(/^Can’t see since/)).toBeVisible();
    await expect(again.getByText("Northgate Builders")).toBeVisible();
    expect(await stateOn(again)).toBe("blind");

    proxied.setProxy("well");
    await expect.poll(() => stateOn(again), { timeout: 40_000 }).toBe("live");
    await context.close();
  });

  test("hides the server's error page behind a stored picture", async ({ browser }) => {
    const { page, context } = await openScreen(browser);
    await expect
      .poll(() => page.evaluate(async () => (await caches.keys()).includes("wall-page")))
      .toBe(true);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.reload();
    proxied.setProxy("bad-gateway");
    await page.reload();
    await expect.poll(() => stateOn(page)).toBe("blind");
    await context.close();
  });

  test("shows the dated plain wall in a browser without required features", async ({ browser }) => {
    const { context } = await openScreen(browser);
    const old = await context.newPage();
    await old.addInitScript("delete window.structuredClone");
    await old.goto(`${proxied.address}/wall`);
    await expect(old).toHaveURL(/\/wall\/plain/);
    await expect(old.getByText(/ at \d\d:\d\d:\d\d$/)).toBeVisible();
    await expect(old.locator("meta[http-equiv=refresh]")).toHaveAttribute("content", /^60;/);
    await context.close();
  });

  test("replaces a page whose scripts never load by the plain wall", async ({ browser }) => {
    const { context } = await openScreen(browser);
    const cut = await browser.newContext({ storageState: await context.storageState() });
    const page = await cut.newPage();
    await page.route("**/_next/static/**/*.js", (route) => route.abort());
    await page.goto(`${proxied.address}/wall`);
    await expect(page).toHaveURL(/\/wall\/plain\?again=20/, { timeout: 40_000 });
    await expect(page.locator("meta[http-equiv=refresh]")).toHaveAttribute(
      "content",
      "60;url=/wall/plain?again=19",
    );
    await cut.close();
    await context.close();
  });
});
